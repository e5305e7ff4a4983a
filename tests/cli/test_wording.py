import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.wording import in_options


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "use erase='null' to erase them (floor=0 leaks less).",
            "use --erase null to erase them (--floor 0 leaks less).",
        ),
        ("Pass directed=True, or wait.", "Pass --directed, or wait."),
        ("n_components must be below 5; got 6.", "--dim must be below 5; got 6."),
        ("window=3.", "--window 3."),
        ("window must be at least 1; got 0.", "--window must be at least 1; got 0."),
        ("edges.csv: weight must be a column", "edges.csv: --weight must be a column"),
        ("erase: 'age' needs a value", "--erase: 'age' needs a value"),
        ("times must be numbers", "--time must be numbers"),
        ("a longer window must help", "a longer window must help"),
        ("the window of Configuration(exponent=0.5)", "the window of Configuration(exponent=0.5)"),
        ("--null dcsbm, solver auto", "--null dcsbm, solver auto"),
    ],
)
def test_u4_parameters_become_options(message, expected):
    assert in_options(message) == expected


@pytest.fixture
def embed(tmp_path, monkeypatch):
    """Return a function that embeds two triangles with labels, which gives notes about structure and groups."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,a\nd,e\ne,f\nf,d\n")
    (tmp_path / "nodes.csv").write_text("node,team\na,x\nb,y\nc,x\nd,y\ne,x\nf,y\n")
    arguments = ["embed", "edges.csv", "-o", "out.npz", "--dim", "2", "--groups", "nodes.csv:team", "--overwrite"]
    return lambda *more: CliRunner().invoke(main, [*arguments, *more])


def test_u4_notes_speak_of_options(embed):
    result = embed()
    assert result.exit_code == 0, result.stderr
    assert "use --erase null, after which no linear model does, or with --erase-level distribution" in result.stderr
    assert "='" not in result.stderr


def test_u4_quiet_prints_nothing(embed):
    result = embed("-q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert embed("-q", "--dim", "0").stderr.startswith("error: --dim must be")


def test_u13_component_always_means_connected_component(embed):
    result = embed()
    text = result.stdout + result.stderr
    assert "2 connected components" in text
    assert "2 dimensions" in text
    assert text.count("component") == text.count("connected component")


# An invalid value for each option of the command that is not checked by click.
_INVALID = [
    *(
        ("--dim", "0"),
        ("--window", "0"),
        ("--floor", "nan"),
        ("--weighting", "2"),
        ("--power", "0"),
        ("--refine", "-1"),
    ),
    *(("--shrinkage", "-1"), ("--scale", "-1"), ("--gamma", "2"), ("--null", "no"), ("--solver", "no")),
    *(("--landmarks", "0"), ("--tolerance", "-1"), ("--clusters", "0"), ("--memory", "much"), ("--threads", "0")),
    *(("--erase", "no"), ("--erase-strength", "2"), ("--method", "no"), ("--groups", "no")),
    *(("--time", "nodes.csv:team"), ("--coordinates", "nodes.csv:team"), ("--seed", "-1"), ("--weight", "no")),
    *(("--source", "no"), ("--target", "no"), ("--delimiter", "no")),
]
_WALKS = [("--p", "0"), ("--q", "0"), ("--walks", "0"), ("--walk-length", "0"), ("--epochs", "0")]


@pytest.mark.parametrize(
    ("option", "value", "more"), [(*pair, []) for pair in _INVALID] + [(*pair, ["-m", "node2vec"]) for pair in _WALKS]
)
@pytest.mark.usefixtures("embed")
def test_an_error_names_the_option(option, value, more):
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "--dim", "2", *more, option, value])
    assert result.exit_code in (1, 2)
    assert option in result.stderr.splitlines()[-1]
