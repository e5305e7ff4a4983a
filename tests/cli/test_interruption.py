import pytest
from click.testing import CliRunner, Result

from residuum import Residual2Vec, _store, datasets
from residuum.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Embed with these arguments; Ctrl-C comes when the third stage is to be saved, or at once without checkpoints."""
    monkeypatch.chdir(tmp_path)
    graph = datasets.planted_groups(600, 3, random_state=0)
    entries = graph.adjacency.tocoo()
    lines = [f"{i},{j}" for i, j in zip(entries.row, entries.col, strict=True) if i < j]
    (tmp_path / "edges.csv").write_text("\n".join(lines))

    def embed(*arguments) -> Result:
        return CliRunner().invoke(main, ["embed", "edges.csv", "-o", "out.npz", "--solver", "landmark", *arguments])

    return embed


def test_a_stopped_run_says_how_to_go_on_and_does(run, tmp_path, monkeypatch):
    write = _store._write

    def stopped(path, array):
        if len(list(tmp_path.glob("saved/*.npy"))) == 2:
            raise KeyboardInterrupt
        write(path, array)

    with monkeypatch.context() as patch:
        patch.setattr(_store, "_write", stopped)
        result = run("--checkpoint", "saved")
    assert result.exit_code == 130
    assert result.stderr == "stopped: the stages that were done are in saved; the same command goes on from there.\n"
    assert not (tmp_path / "out.npz").exists()
    assert run("--checkpoint", "saved").exit_code == 0
    resumed = (tmp_path / "out.npz").read_bytes()
    assert run("--overwrite").exit_code == 0
    assert (tmp_path / "out.npz").read_bytes() == resumed


def test_without_checkpoints_nothing_is_left(run, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Residual2Vec, "fit", stopped)
    result = run()
    assert result.exit_code == 130
    assert "With --checkpoint DIR a stopped run can be taken up again." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["edges.csv"]
