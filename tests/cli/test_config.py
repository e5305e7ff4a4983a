import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from residuum import Embedding
from residuum.cli import main
from residuum.cli.provenance import read_provenance


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("".join(f"{i},{(i + step) % 20}\n" for i in range(20) for step in (1, 2)))


def embed(config: str, *arguments: str) -> Result:
    Path("run.toml").write_text(config)
    command = ["embed", "edges.csv", "-o", "x.npz", "--config", "run.toml", "-q", "--overwrite", *arguments]
    return CliRunner().invoke(main, command)


def parameters() -> dict[str, object]:
    return dict(Embedding.load("x.npz").metadata["parameters"])


def test_options_of_the_file_are_used_and_the_command_line_wins() -> None:
    config = (
        'dim = 3\nwindow = 4\nfloor = -1.5\n[embed]\nerase-level = "linear"\nweighting = 0.25\n[similar]\nnumber = 2\n'
    )
    assert embed(config).exit_code == 0
    chosen = parameters()
    assert (chosen["n_components"], chosen["window"], chosen["floor"], chosen["weighting"]) == (3, 4, -1.5, 0.25)
    embed(config, "--dim", "2", "--floor", "-1")
    assert (parameters()["n_components"], parameters()["floor"]) == (2, -1.0)


def test_lists_are_repeated_options_or_values_to_search() -> None:
    Path("people.csv").write_text("id,club\n" + "".join(f"{i},{'ab'[i // 10]}\n" for i in range(20)))
    result = embed('dim = 2\nerase = ["people.csv:club", "degree"]\n')
    assert (result.exit_code, result.stderr) == (0, "")
    assert Embedding.load("x.npz").metadata["erased"] == ["club", "degree"]
    result = embed("dim = 2\nwindow = [1, 2]\n")
    assert "--tune" in result.stderr  # a list of windows is searched


def test_the_file_is_an_input_with_a_hash() -> None:
    embed("dim = 2\n")
    roles = [item["role"] for item in read_provenance(Path("x.npz"))["inputs"]]
    assert roles == ["graph", "config"]


def test_a_table_is_for_one_command_only() -> None:
    Path("run.toml").write_text("[embed]\ndim = 2\n[similar]\nnumber = 1\n")
    Embedding([1, 2, 3], [[1, 0], [1, 1], [0, 1]]).save("v.npz")
    result = CliRunner().invoke(main, ["similar", "v.npz", "1", "--config", "run.toml", "--json"])
    assert len(json.loads(result.stdout)) == 1


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("colour = 3\n", "run.toml: residuum embed has no option 'colour'; see --help."),
        ("[paint]\nx = 1\n", "run.toml has a table [paint], which is not a command"),
        ("dim = \n", "run.toml cannot be read"),
        ("dim = {a = 1}\n", "run.toml has a table [dim], which is not a command"),
        ("[embed]\ndim = {a = 1}\n", "run.toml: 'dim' must be a number, a text, true, false, or a list of these"),
        ("window = [[1], 2]\n", "run.toml: 'window' must be a number, a text, true, false, or a list of these"),
    ],
)
def test_errors_name_the_file(config: str, message: str) -> None:
    result = embed(config)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_missing_file_is_an_error() -> None:
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "x.npz", "--config", "no.toml"])
    assert result.stderr == "error: no.toml does not exist.\n"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('dim = "many"\n', "'many' is not a valid integer"),
        ("dim = inf\n", "'inf' is not a valid integer"),
        ("dim = true\n", "'True' is not a valid integer"),
        ("seed = 1979-05-27\n", "'1979-05-27' is not a valid integer"),
        ("quiet = 3\n", "'3' is not a valid boolean"),
    ],
)
def test_a_value_of_the_wrong_type_is_wrong_usage(config: str, message: str) -> None:
    Path("run.toml").write_text(config)
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "x.npz", "--config", "run.toml"])
    assert result.exit_code == 2
    assert message in result.stderr
