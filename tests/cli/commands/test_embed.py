import errno
import hashlib
import json
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding, Residual2Vec, Residual2VecCV, datasets
from residuum.cli import main
from residuum.errors import InvalidParameterError
from residuum.graph import read_graph
from residuum.nulls import DegreeCorrectedSBM


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, the current one, with the karate club as edges.csv and its clubs in people.csv."""
    graph = datasets.karate_club()
    rows, columns = graph.adjacency.nonzero()
    (tmp_path / "edges.csv").write_text("".join(f"{u},{v}\n" for u, v in zip(rows, columns, strict=True) if u < v))
    clubs = enumerate(graph.node_attributes["club"])
    (tmp_path / "people.csv").write_text("node,club\n" + "".join(f"{node},{club}\n" for node, club in clubs))
    monkeypatch.chdir(tmp_path)
    return tmp_path


# What the command says about the file of the fixture.
READ = (
    "edges.csv: comma-separated, no header; source column 1, target column 2; no weights; "
    "Graph(34 nodes, 78 edges, undirected, unweighted)\n"
)


def embed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["embed", "edges.csv", "-o", *arguments, "-k", "4", "-t", "3"])


@pytest.mark.parametrize("output", ["out.parquet", "out.npz", "out.w2v"])
def test_the_suffix_sets_the_output_format(folder: Path, output: str) -> None:
    result = embed(output)
    assert (result.exit_code, result.stderr) == (0, READ)
    embedding = Embedding.load(output)
    assert embedding.vectors.shape == (34, 4)
    assert np.isfinite(embedding.vectors).all()


def test_vectors_equal_those_of_the_library(folder: Path) -> None:
    embed("out.npz", "--seed", "3")
    model = Residual2Vec(n_components=4, window=3, random_state=3).fit(read_graph("edges.csv"))
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.to_embedding().vectors)


def test_the_summary_is_one_line_of_80_columns(folder: Path) -> None:
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "-k", "4"])
    assert re.fullmatch(r"out\.npz: 34 nodes, 4 dimensions, exact solver, \d+\.\d s\n", result.stdout)
    assert len(result.stdout) <= 80


def test_json_has_method_parameters_and_inputs(folder: Path) -> None:
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "-k", "4", "--json"])
    facts = json.loads(result.stdout)
    assert (facts["method"], facts["parameters"]["n_components"], facts["output"]) == ("Residual2Vec", 4, "out.npz")
    assert facts["command"] == ["embed", "edges.csv", "-o", "out.npz", "-k", "4", "--json"]
    assert facts["inputs"][0]["file"] == "edges.csv"


def test_verbose_names_the_graph_what_was_read_off_it_and_the_output(folder: Path) -> None:
    lines = embed("out.npz", "--verbose").stdout.splitlines()
    assert lines[0].startswith("Graph(34 nodes, 78 edges, undirected, unweighted): 4 dimensions, ")
    assert lines[1].startswith("read off the graph: shrinkage ")
    assert lines[2].startswith("out.npz: 34 nodes, 4 dimensions, exact solver, ")
    assert len(lines) == 3


def test_verbose_names_the_share_of_triangles_that_lengthens_the_window(folder: Path) -> None:
    edges = [f"user{i},item{j}" for i in range(40) for j in range(30) if (i * j + i) % 3 == 0]
    Path("ratings.csv").write_text("\n".join(["user,item", *edges]), encoding="utf-8")
    arguments = ["embed", "ratings.csv", "-o", "out.npz", "-k", "4", "--verbose"]
    result = CliRunner().invoke(main, arguments)
    assert re.search(r"window 26 \(mean degree 1\d\.\d; degrees explain 100% of the triangles\)", result.stdout)


def test_verbose_prints_the_cost_estimate(folder: Path) -> None:
    result = embed("out.npz", "--verbose")
    assert result.exit_code == 0
    assert "exact solver: about 0." in result.stderr
    assert "in addition to the graph" in result.stderr


def tune(output: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["embed", "edges.csv", "-o", output, "-k", "4", "--tune", *arguments])


def test_tuned_vectors_equal_those_of_the_library(folder: Path) -> None:
    result = tune("out.npz", "both", "--refine", "0", "--floor", "-3")
    assert (result.exit_code, result.stderr) == (0, READ)
    search = {"refine": [0], "floor": [-3.0]}
    model = Residual2VecCV(4, search=search, random_state=0).fit(read_graph("edges.csv"))
    loaded = Embedding.load("out.npz")
    np.testing.assert_array_equal(loaded.vectors, model.to_embedding().vectors)
    verbose = tune("b.npz", "both", "--refine", "0", "--floor", "-3", "-v")
    assert f"scale {model.best_params_['scale']:.3g}" in verbose.stdout
    assert loaded.metadata["best_params"]["scale"] == model.best_params_["scale"]


def test_one_value_is_fixed_and_several_are_searched(folder: Path) -> None:
    fixed = ["--window", "4", "--weighting", "0.5", "--refine", "0"]
    result = tune("out.npz", "full", "--floor", "-1,-2", *fixed, "-v")
    metadata = Embedding.load("out.npz").metadata
    assert metadata["parameters"]["scoring"] == "full"
    assert metadata["best_params"]["floor"] in (-1, -2)
    assert len(metadata["window"]) == 4
    assert "tuned on held-out edges: window 4, " in result.stdout
    gamma = tune("gamma.npz", "both", "--gamma", "0.5,1", "--floor", "-3", *fixed, "-v")
    assert re.search(r"exponent (0\.5|1)\b", gamma.stdout)


def test_the_skipgram_solver_is_tuned(folder: Path) -> None:
    result = tune("walks.npz", "both", "--solver", "skipgram", "--walks", "2", "--epochs", "1", "--window", "3", "-v")
    assert "tuned on held-out edges: window 3, scale " in result.stdout


def test_quiet_prints_nothing(folder: Path) -> None:
    result = embed("out.npz", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_the_same_seed_gives_the_same_file(folder: Path) -> None:
    for name in ("one.w2v", "two.w2v"):
        assert embed(name, "--seed", "7", "--solver", "landmark", "--landmarks", "20").exit_code == 0
    assert Path("one.w2v").read_bytes() == Path("two.w2v").read_bytes()


def test_the_seed_determines_the_landmarks(folder: Path) -> None:
    for seed in ("7", "8"):
        assert embed(f"{seed}.w2v", "--seed", seed, "--solver", "landmark", "--landmarks", "20").exit_code == 0
    assert Path("7.w2v").read_bytes() != Path("8.w2v").read_bytes()


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        (["--groups", "people.csv:club", "--erase", "null"], "null erased"),
        (["--erase", "people.csv:club", "--erase", "degree"], "club and degree erased (linear)"),
        (
            ["--erase", "people.csv:club", "--erase-level", "distribution", "--erase-strength", "0.5"],
            "club erased (distribution, strength 0.5)",
        ),
    ],
)
def test_verbose_names_erased_attributes(folder: Path, options: list[str], summary: str) -> None:
    result = embed("out.npz", *options, "-v")
    assert result.exit_code == 0, result.stderr
    assert summary in result.stdout


def test_groups_from_a_file_imply_a_dcsbm(folder: Path) -> None:
    result = embed("out.parquet", "--groups", "people.csv:club", "-v")
    assert result.exit_code == 0
    assert "DegreeCorrectedSBM" in result.stdout
    assert b"DegreeCorrectedSBM" in pq.read_schema("out.parquet").metadata[b"residuum"]


def test_groups_can_be_a_node_attribute(folder: Path) -> None:
    nx.write_graphml(nx.karate_club_graph(), "club.graphml")
    arguments = ["embed", "club.graphml", "-v", "-o", "out.npz", "-k", "4", "--groups", "club"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert "DegreeCorrectedSBM(groups=club)" in result.stdout


def test_gamma_and_null_select_the_null_model(folder: Path) -> None:
    assert "0.75" in embed("a.npz", "--gamma", "0.75", "-v").stdout
    assert "ErdosRenyi" in embed("b.npz", "--null", "erdos-renyi", "-v").stdout


def test_an_existing_output_is_kept_without_overwrite(folder: Path) -> None:
    Path("out.npz").write_text("precious")
    result = embed("out.npz")
    assert (result.exit_code, result.stderr) == (
        1,
        "error: out.npz exists; use overwrite=True (--overwrite) to replace it.\n",
    )
    assert Path("out.npz").read_text() == "precious"
    assert embed("out.npz", "--overwrite").exit_code == 0
    assert len(Embedding.load("out.npz")) == 34


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out.xls"], "out.xls: the extension '.xls' is not a format for embeddings; use one of .parquet"),
        (["no/out.npz"], "the folder no does not exist; create it first."),
        (["out.npz", "--null", "luck"], "must be one of 'configuration', 'bipartite', 'dcsbm'"),
        (["out.npz", "--null", "dcsbm"], "needs groups"),
        (
            ["out.npz", "--gamma", "1", "--null", "dcsbm"],
            "--gamma is for the configuration null model; got --null dcsbm.",
        ),
        (
            ["out.npz", "--groups", "people.csv:club", "--null", "configuration"],
            "--groups and --time need a null model with groups; got Configuration",
        ),
        (
            ["out.npz", "--groups", "club"],
            "--groups must be FILE:COLUMN or a node attribute of the graph (it has none)",
        ),
        (["out.npz", "--groups", "people.csv:age"], "people.csv has no column 'age'; it has 'node', 'club'."),
        (["out.npz", "--solver", "magic"], "solver must be"),
        (["out.npz", "--solver", "skipgram", "--erase", "degree"], "erase needs a solver"),
        (
            ["out.npz", "--tune", "both", "--solver", "skipgram", "--floor", "-1"],
            "'floor' needs a solver that factorizes",
        ),
        (["out.npz", "--method", "fairwalk"], "FairWalk needs groups"),
        (["out.npz", "--memory", "lots"], "--memory must be"),
        (["out.npz", "--weighting", "2"], "weighting must be a finite number between 0 and 1; got 2.0."),
        (
            ["out.npz", "--landmarks", "9", "--solver", "exact"],
            "--landmarks does not apply to --solver exact; use --solver landmark.",
        ),
        (
            ["out.npz", "--landmarks", "9", "--clusters", "9"],
            "--clusters does not apply to --solver landmark; leave it out.",
        ),
        (["out.npz", "--threads", "0"], "--threads must be at least 1; got 0."),
    ],
)
def test_an_error_prints_one_line_and_leaves_no_file(folder: Path, arguments: list[str], message: str) -> None:
    result = embed(*arguments, "-q")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(file.name for file in folder.iterdir()) == ["edges.csv", "people.csv"]


def test_a_folder_as_output_is_refused(folder: Path) -> None:
    Path("out.npz").mkdir()
    result = embed("out.npz", "--overwrite")
    assert (result.exit_code, result.stderr) == (
        1,
        "error: out.npz is a folder, not a regular file; choose another output path.\n",
    )


@pytest.mark.usefixtures("no_fit")
def test_an_unwritable_folder_is_refused_before_the_fit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("residuum.cli.commands.embed.tempfile.TemporaryFile", refuse)
    result = embed("out.npz")
    assert result.exit_code == 1
    assert "the folder . is not writable (Permission denied); choose another." in result.stderr


@pytest.mark.usefixtures("no_fit")
def test_ids_that_the_format_cannot_store_are_refused_before_the_fit(folder: Path) -> None:
    Path("edges.csv").write_text("n 1,n 2\nn 2,n 3\n")
    result = embed("out.w2v")
    assert result.exit_code == 1
    assert "the id 'n 1' cannot be written; use .parquet or .npz." in result.stderr


@pytest.fixture
def no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("residuum.cli.commands.embed.model_from_options", lambda *_: pytest.fail("the fit began"))


def test_an_error_names_a_node_without_a_group(folder: Path) -> None:
    Path("people.csv").write_text("node,club\n0,red\n")
    result = embed("out.npz", "--groups", "people.csv:club")
    assert result.exit_code == 1
    assert "--groups people.csv:club: 33 of 34 nodes have no value, such as 1. Fill in" in result.stderr


def test_i6_missing_labels_are_a_group_of_their_own(folder: Path) -> None:
    rows = "".join(f"{node},{'red' if node < 20 else 0}\n" for node in range(30))
    Path("people.csv").write_text("node,club\n" + rows)
    options = ["--groups", "people.csv:club", "--erase", "null", "--missing-code", "0"]
    assert embed("out.npz", *options).exit_code == 1
    result = embed("out.npz", *options, "--missing", "unknown")
    assert result.exit_code == 0, result.stderr
    labels = dict.fromkeys(range(20), "red")
    model = Residual2Vec(
        4, null_model=DegreeCorrectedSBM(labels, missing="group"), erase="null", window=3, random_state=0
    ).fit(read_graph("edges.csv"))
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.embedding_)


def test_i12_more_dimensions_than_fit_are_reduced_with_a_note(folder: Path) -> None:
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "-t", "3"])
    assert result.exit_code == 0, result.stderr
    assert "note: --dim 64 is reduced to 33, the most that fits a graph of 34 nodes." in result.stderr
    assert Embedding.load("out.npz").vectors.shape == (34, 33)
    with pytest.raises(InvalidParameterError, match="n_components must be below the number of nodes"):
        Residual2Vec(64).fit(read_graph("edges.csv"))


def test_a_missing_output_is_a_usage_error(folder: Path) -> None:
    result = CliRunner().invoke(main, ["embed", "edges.csv"])
    assert result.exit_code == 2
    assert "Missing option '-o' / '--output'" in result.stderr


def test_an_error_names_an_invalid_line(folder: Path) -> None:
    Path("edges.csv").write_text("1,2\n2,3,4\n")
    result = embed("out.npz")
    assert (result.exit_code, result.stderr.startswith("error: edges.csv, line 2: expected 2 columns")) == (1, True)


@pytest.mark.parametrize(
    "option", [["--seed", "x"], ["--landmarks", "many"], ["--gamma", "1/2"], ["--window", "2.5"], ["--tune", "well"]]
)
def test_an_option_of_the_wrong_type_exits_with_code_2(folder: Path, option: list[str]) -> None:
    assert CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", *option]).exit_code == 2


@pytest.mark.parametrize("output", ["k.txt", "people.npz"])
def test_s4_an_input_is_never_replaced(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.txt").write_text("a b\nb c\nc a\n")
    Path("people.npz").write_text("node,club\na,x\nb,y\nc,x\n")
    before = Path(output).read_bytes()
    arguments = ["embed", "k.txt", "-o", output, "--groups", "people.npz:club", "--overwrite"]
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stderr) == (
        1,
        f"error: {output} is an input, which is never replaced; choose another output path.\n",
    )
    assert Path(output).read_bytes() == before


def test_u2_the_vectors_name_the_attributes_and_the_hashes_of_all_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("".join(f"{i},{(i + step) % 30}\n" for i in range(30) for step in (1, 2)))
    Path("people.csv").write_text("node,club,age\n" + "".join(f"{i},{'xy'[i // 15]},{i % 5}\n" for i in range(30)))
    arguments = ["--groups", "people.csv:club", "--erase", "degree", "--erase", "people.csv:age", "--dim", "2"]
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", *arguments])
    assert result.exit_code == 0, result.stderr
    hashes = {name: hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in ("edges.csv", "people.csv")}
    assert Embedding.load("out.npz").metadata["inputs"] == [
        {"role": "graph", "file": "edges.csv", "sha256": hashes["edges.csv"]},
        {"role": "groups", "file": "people.csv", "column": "club", "sha256": hashes["people.csv"]},
        {"role": "erase", "file": "people.csv", "column": "age", "sha256": hashes["people.csv"]},
    ]


def test_a_model_is_saved_only_if_it_embeds_out_of_sample_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("".join(f"{i},{(i + 1) % 9}\n" for i in range(9)))
    arguments = ["embed", "edges.csv", "-o", "x.npz", "-k", "2", "-q", "--model"]
    assert CliRunner().invoke(main, [*arguments, "m.npz"]).stderr == (
        "error: the path of a model must end in .r2m; got 'm.npz'.\n"
    )
    result = CliRunner().invoke(main, [*arguments, "m.r2m", "--method", "modularity"])
    assert "which --method modularity does not" in result.stderr
    assert not Path("x.npz").exists()
