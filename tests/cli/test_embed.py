import errno
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from residuum import AUTO, Embedding, Residual2Vec, datasets
from residuum.cli import main
from residuum.graph import read_graph


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


def embed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["embed", "edges.csv", "-o", *arguments, "-k", "4", "-t", "3"])


@pytest.mark.parametrize("output", ["out.parquet", "out.npz", "out.w2v"])
def test_output_is_written_in_the_format_of_its_ending(folder: Path, output: str) -> None:
    result = embed(output)
    assert (result.exit_code, result.stderr) == (0, "")
    embedding = Embedding.load(output)
    assert embedding.vectors.shape == (34, 4)
    assert np.isfinite(embedding.vectors).all()


def test_vectors_are_those_of_the_library(folder: Path) -> None:
    embed("out.npz", "--seed", "3")
    model = Residual2Vec(n_components=4, window=3, random_state=3).fit(read_graph("edges.csv"))
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.to_embedding().vectors)


def test_one_line_says_what_was_done(folder: Path) -> None:
    result = embed("out.npz")
    assert result.stdout.startswith("Graph(34 nodes, 78 edges, undirected, unweighted): 4 components, ")
    assert result.stdout.endswith(" s -> out.npz\n")
    assert result.stdout.count("\n") == 1


def test_verbose_says_what_is_expected(folder: Path) -> None:
    result = embed("out.npz", "--verbose")
    assert result.exit_code == 0
    assert "exact solver: about 0." in result.stderr
    assert "beside the graph" in result.stderr


def test_parameters_can_be_chosen(folder: Path) -> None:
    asked = [word for name, value in AUTO.items() for word in (f"--{name}", str(value))]
    result = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "-k", "4", *asked])
    assert (result.exit_code, result.stderr) == (0, "")
    model = Residual2Vec(4, **AUTO, random_state=0).fit(read_graph("edges.csv"))
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.to_embedding().vectors)
    assert f"shrinkage {model.shrinkage_:g}, scale {model.scale_:.3g} chosen" in result.stdout
    assert Embedding.load("out.npz").metadata["scale"] == model.scale_
    shorter = CliRunner().invoke(main, ["embed", "edges.csv", "-o", "all.npz", "-k", "4", "--auto"])
    assert shorter.stdout.split(" s -> ")[0].rpartition(",")[0] == result.stdout.split(" s -> ")[0].rpartition(",")[0]
    np.testing.assert_array_equal(Embedding.load("all.npz").vectors, model.to_embedding().vectors)


@pytest.mark.parametrize(
    ("asked", "tolerance"),
    [([], 0.16), (["--auto"], AUTO["tolerance"]), (["--auto", "--tolerance", "0.3"], 0.3), (["--tolerance", "0"], 0.0)],
)
def test_the_tolerance_of_a_choice_is_finer_unless_one_is_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str], tolerance: float
) -> None:
    found = []
    fit = Residual2Vec.fit
    monkeypatch.setattr(Residual2Vec, "fit", lambda model, graph: found.append(model.tolerance) or fit(model, graph))
    assert CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "-k", "4", *asked]).exit_code == 0
    assert found[0] == tolerance
    # Trials are no finer than others.
    assert min(found[1:], default=0.16) >= 0.16


def test_what_is_given_is_not_chosen(folder: Path) -> None:
    common = ["embed", "edges.csv", "-k", "4", "--auto"]
    result = CliRunner().invoke(main, [*common, "-o", "out.npz", "--floor", "-1", "--window", "4"])
    told = Embedding.load("out.npz").metadata
    assert (told["floor"], len(told["window"])) == (-1, 4)
    assert "weighting " in result.stdout
    assert "floor " not in result.stdout
    walked = CliRunner().invoke(main, [*common, "-o", "walks.npz", "--solver", "sgd", "--walks", "2"])
    assert "scale " in walked.stdout
    refused = CliRunner().invoke(main, [*common, "-o", "no.npz", "--method", "node2vec"])
    assert "--auto is not for --method node2vec" in refused.stderr


def test_quiet_says_nothing(folder: Path) -> None:
    result = embed("out.npz", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_same_seed_gives_the_same_file(folder: Path) -> None:
    for name in ("one.w2v", "two.w2v"):
        assert embed(name, "--seed", "7", "--solver", "landmark", "--landmarks", "20").exit_code == 0
    assert Path("one.w2v").read_bytes() == Path("two.w2v").read_bytes()


def test_blocks_are_a_solver_too(folder: Path) -> None:
    assert embed("out.parquet", "--solver", "block", "--blocks", "9").exit_code == 0
    assert b'"n_blocks": 9' in pq.read_schema("out.parquet").metadata[b"residuum"]


def test_seed_decides_the_landmarks(folder: Path) -> None:
    for seed in ("7", "8"):
        assert embed(f"{seed}.w2v", "--seed", seed, "--solver", "landmark", "--landmarks", "20").exit_code == 0
    assert Path("7.w2v").read_bytes() != Path("8.w2v").read_bytes()


def test_groups_from_a_file_make_it_a_dcsbm(folder: Path) -> None:
    result = embed("out.parquet", "--groups", "people.csv:club")
    assert result.exit_code == 0
    assert "DegreeCorrectedSBM" in result.stdout
    assert b"DegreeCorrectedSBM" in pq.read_schema("out.parquet").metadata[b"residuum"]


def test_groups_can_be_a_node_attribute(folder: Path) -> None:
    nx.write_graphml(nx.karate_club_graph(), "club.graphml")
    arguments = ["embed", "club.graphml", "-o", "out.npz", "-k", "4", "--groups", "club"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert "DegreeCorrectedSBM(groups=club)" in result.stdout


def test_gamma_and_null_name_the_null_model(folder: Path) -> None:
    assert "0.75" in embed("a.npz", "--gamma", "0.75").stdout
    assert "ErdosRenyi" in embed("b.npz", "--null", "erdos-renyi").stdout


def test_gamma_can_be_chosen(folder: Path) -> None:
    said = embed("out.npz", "--gamma", "auto").stdout
    found = re.search(r"Configuration\(exponent=(\S+)\) null, .* exponent (\S+) chosen", said)
    assert found is not None, said
    assert float(found[1]) == float(found[2])
    refused = embed("other.npz", "--gamma", "all")
    assert (refused.exit_code, "exponent must be" in refused.stderr) == (1, True)
    refused = embed("other.npz", "--method", "node2vec", "--gamma", "auto")
    assert (refused.exit_code, "is for Residual2Vec" in refused.stderr) == (1, True)


def test_columns_and_direction_are_passed_on(folder: Path) -> None:
    Path("arcs.csv").write_text("who,whom,miles\n" + "".join(f"{k},{(k + 1) % 9},2\n" for k in range(9)))
    arguments = "embed arcs.csv -o out.npz -k 2 --directed --source who --target whom --weight miles"
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == 0
    assert result.stdout.startswith("Graph(9 nodes, 9 edges, directed, weighted)")


def test_existing_output_is_kept_unless_told(folder: Path) -> None:
    Path("out.npz").write_text("precious")
    result = embed("out.npz")
    assert (result.exit_code, result.stderr) == (1, "error: out.npz exists; say --overwrite to replace it.\n")
    assert Path("out.npz").read_text() == "precious"
    assert embed("out.npz", "--overwrite").exit_code == 0
    assert len(Embedding.load("out.npz")) == 34


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out.csv"], "out.csv: the ending '.csv' is no format of embeddings; take one of .parquet"),
        (["no/out.npz"], "the folder no does not exist; make it first."),
        (["out.npz", "--null", "luck"], "must be one of 'erdos-renyi', 'configuration', 'dcsbm'"),
        (["out.npz", "--null", "dcsbm"], "needs groups"),
        (["out.npz", "--gamma", "1", "--null", "dcsbm"], "--gamma is for the configuration null; got --null dcsbm."),
        (
            ["out.npz", "--groups", "people.csv:club", "--null", "configuration"],
            "--groups and --time go with null models that are made of groups, not with Configuration",
        ),
        (["out.npz", "--groups", "club"], "--groups must be FILE:COLUMN, or one of the graph's node attributes"),
        (["out.npz", "--groups", "people.csv:age"], "people.csv has no column 'age'; it has 'node', 'club'."),
        (["out.npz", "--solver", "magic"], "solver must be"),
        (["out.npz", "--memory", "lots"], "memory_limit must be"),
        (["out.npz", "--weighting", "heavy"], "weighting must be a number between 0 and 1, or 'auto'; got 'heavy'."),
        (["out.npz", "--threads", "0"], "n_jobs must be at least 1; got 0."),
    ],
)
def test_error_is_one_line_and_leaves_no_file(folder: Path, arguments: list[str], message: str) -> None:
    result = embed(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(file.name for file in folder.iterdir()) == ["edges.csv", "people.csv"]


def test_output_that_is_a_folder_is_refused(folder: Path) -> None:
    Path("out.npz").mkdir()
    result = embed("out.npz", "--overwrite")
    assert (result.exit_code, result.stderr) == (1, "error: out.npz is a folder; name a file.\n")


@pytest.mark.usefixtures("no_work")
def test_a_folder_that_takes_no_file_is_found_before_the_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("residuum.cli.embed.tempfile.TemporaryFile", refuse)
    result = embed("out.npz")
    assert result.exit_code == 1
    assert "nothing can be written to the folder . (Permission denied); name another one." in result.stderr


@pytest.mark.usefixtures("no_work")
def test_ids_that_the_format_does_not_hold_are_found_before_the_work(folder: Path) -> None:
    Path("edges.csv").write_text("n 1,n 2\nn 2,n 3\n")
    result = embed("out.w2v")
    assert result.exit_code == 1
    assert "the id 'n 1' cannot be written; use .parquet or .npz." in result.stderr


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("residuum.cli.embed.model_from_options", lambda *_: pytest.fail("the work began"))


def test_node_without_a_group_is_named(folder: Path) -> None:
    Path("people.csv").write_text("node,club\n0,red\n")
    result = embed("out.npz", "--groups", "people.csv:club")
    assert result.exit_code == 1
    assert "groups must name every node; 1 is missing (33 such in all)." in result.stderr


def test_bad_line_of_the_graph_is_named(folder: Path) -> None:
    Path("edges.csv").write_text("1,2\n2,3,4\n")
    result = embed("out.npz")
    assert (result.exit_code, result.stderr.startswith("error: edges.csv, line 2: expected 2 columns")) == (1, True)


@pytest.mark.parametrize(
    "option", [["--seed", "x"], ["--landmarks", "many"], ["--gamma", "1/2"], ["--weighting", "0,5"]]
)
def test_option_of_the_wrong_type_is_exit_code_2(folder: Path, option: list[str]) -> None:
    assert embed("out.npz", *option).exit_code == 2
