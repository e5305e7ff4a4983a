from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from residuum import Embedding, datasets
from residuum.cli import main
from residuum.cli.before_erasure import embed_before_erasure
from residuum.errors import ResiduumWarning

ERASED = ["--erase", "people.csv:side", "--erase-level", "distribution", "--erase-strength", "0.8"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    graph = datasets.planted_groups(120, 2, random_state=0)
    rows, columns = graph.adjacency.nonzero()
    Path("edges.csv").write_text("".join(f"n{i},n{j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    groups = enumerate(graph.node_attributes["group"])
    Path("people.csv").write_text("node,side\n" + "".join(f"n{node},s{group}\n" for node, group in groups))


def embed(output: str, *options: str) -> None:
    command = ["embed", "edges.csv", "-o", output, "--dim", "4", "--threads", "1", *options]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.stderr


def before(file: str) -> Embedding | None:
    with click.Context(main, info_name="residuum"):
        return embed_before_erasure(Path(file))


@pytest.mark.parametrize("file", ["fair.npz", "fair.w2v"])
def test_vectors_are_those_of_the_same_command_without_erasure(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    embed("plain.npz", "--seed", "3", "--window", "4")
    embed(file, "--seed", "3", "--window", "4", *ERASED, "--model", "fair.r2m", "--json")
    content = Path(file).read_bytes()
    capsys.readouterr()
    unerased = before(file)
    assert unerased is not None
    np.testing.assert_array_equal(unerased.vectors, Embedding.load("plain.npz").vectors)
    assert capsys.readouterr() == ("", "")
    assert Path(file).read_bytes() == content


def test_erasure_in_a_configuration_file_is_left_out_too() -> None:
    Path("options.toml").write_text('[embed]\nerase = ["people.csv:side"]\nerase-level = "distribution"\n')
    embed("plain.npz")
    embed("fair.npz", "--config", "options.toml")
    unerased = before("fair.npz")
    assert unerased is not None
    np.testing.assert_array_equal(unerased.vectors, Embedding.load("plain.npz").vectors)


def test_vectors_that_were_not_erased_or_have_no_record_have_none_before() -> None:
    embed("plain.npz")
    Embedding(["n0", "n1"], np.eye(2)).save("other.npz")
    assert before("plain.npz") is None
    assert before("other.npz") is None


def test_a_changed_input_is_a_warning() -> None:
    embed("fair.npz", *ERASED)
    Path("people.csv").write_text(Path("people.csv").read_text().replace("n3,s0", "n3,s1").replace("n4,s1", "n4,s0"))
    with pytest.warns(ResiduumWarning, match=r"before erasure are not measured.*people\.csv has changed since"):
        assert before("fair.npz") is None
