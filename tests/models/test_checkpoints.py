import signal
import subprocess
import sys

import numpy as np
import pytest

from residuum import Graph, Residual2Vec, _store, datasets
from residuum.errors import CheckpointError
from residuum.nulls import DegreeCorrectedSBM, SampledNull
from residuum.nulls.rewiring import rewired

GRAPH = datasets.planted_groups(600, 4, average_degree=10, random_state=0)
# A third of the arcs is missing: rows and columns are stages of their own.
ONE_WAY = GRAPH.adjacency.toarray() * (np.add.outer(np.arange(600), 2 * np.arange(600)) % 3 > 0)
DIRECTED = Graph(ONE_WAY, directed=True)


def model(solver, **changed):
    """An estimator whose run has several stages."""
    parameters = {"n_components": 8, "solver": solver, "window": 4, "random_state": 0, **changed}
    return Residual2Vec(**parameters)


class StopError(Exception):
    pass


def stop_after(monkeypatch, n_saved):
    """Let the process die, as it were, when it would save the next stage."""
    write, saved = _store._write, []

    def limited(path, array):
        if len(saved) == n_saved:
            raise StopError
        saved.append(path.name)
        write(path, array)

    monkeypatch.setattr(_store, "_write", limited)
    return saved


def assert_any_stop_ends_in_the_same_bits(graph, folder, monkeypatch, solver, **parameters):
    whole = model(solver, **parameters).fit(graph)
    with monkeypatch.context() as patch:
        stages = stop_after(patch, -1)
        model(solver, checkpoint=folder / "all", **parameters).fit(graph)
    assert len(stages) >= 3
    for n_saved in range(len(stages)):
        checkpoint = folder / str(n_saved)
        with monkeypatch.context() as patch:
            stop_after(patch, n_saved)
            with pytest.raises(StopError):
                model(solver, checkpoint=checkpoint, **parameters).fit(graph)
        with monkeypatch.context() as patch:
            rest = stop_after(patch, -1)
            resumed = model(solver, checkpoint=checkpoint, **parameters).fit(graph)
        # What was saved is not done again.
        assert len(rest) == len(stages) - n_saved
        np.testing.assert_array_equal(resumed.embedding_, whole.embedding_)
        np.testing.assert_array_equal(resumed.context_embedding_, whole.context_embedding_)


@pytest.mark.parametrize("erase", [None, "null"])
@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_a_run_that_stops_at_any_stage_goes_on_to_the_same_bits(solver, erase, tmp_path, monkeypatch):
    parameters = {"null_model": DegreeCorrectedSBM("group"), "erase": erase, "floor": 0.0}
    assert_any_stop_ends_in_the_same_bits(GRAPH, tmp_path, monkeypatch, solver, **parameters)


@pytest.mark.filterwarnings("ignore:the graph has:residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_a_run_on_a_directed_graph_does_too(solver, tmp_path, monkeypatch):
    assert_any_stop_ends_in_the_same_bits(DIRECTED, tmp_path, monkeypatch, solver, teleport=0.1)


KILLED = """
import os, signal, sys
from residuum import Residual2Vec, _store, datasets
graph = datasets.planted_groups(600, 4, average_degree=10, random_state=0)
write, saved = _store._write, []
def deadly(path, array):
    write(path, array)
    saved.append(path)
    if len(saved) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
_store._write = deadly
Residual2Vec(8, solver="landmark", window=4, random_state=0, checkpoint=sys.argv[1]).fit(graph)
"""


def test_a_killed_process_goes_on_to_the_same_bits(tmp_path):
    folder = tmp_path / "run"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list(folder.glob("*.npy"))) == 2
    resumed = model("landmark", checkpoint=folder).fit(GRAPH)
    np.testing.assert_array_equal(resumed.embedding_, model("landmark").fit(GRAPH).embedding_)


def test_a_run_without_a_seed_takes_up_the_first_one(tmp_path, monkeypatch):
    whole = model("landmark", random_state=None, checkpoint=tmp_path / "run").fit(GRAPH)
    again = model("landmark", random_state=None, checkpoint=tmp_path / "run").fit(GRAPH)
    np.testing.assert_array_equal(whole.embedding_, again.embedding_)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"n_components": 9}, "n_components was 8, and is 9 now"),
        ({"floor": -1.0}, "floor was -3.0, and is -1.0 now"),
        ({"random_state": 1}, "generator was"),
        ({"null_model": "erdos-renyi"}, "null_model was"),
        ({"erase": "degree"}, "erased was"),
    ],
)
def test_another_run_is_refused(changed, named, tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match=named):
        model("landmark", checkpoint=tmp_path / "run", **changed).fit(GRAPH)


def test_another_graph_is_refused(tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    other = datasets.planted_groups(600, 4, average_degree=10, random_state=1)
    with pytest.raises(CheckpointError, match="graph was"):
        model("landmark", checkpoint=tmp_path / "run").fit(other)


def test_a_choice_is_the_same_when_a_run_goes_on(tmp_path):
    first, second = (model("landmark", window="auto", checkpoint=tmp_path / "run").fit(GRAPH) for _ in range(2))
    np.testing.assert_array_equal(first.embedding_, second.embedding_)


def test_a_graph_with_the_same_degrees_is_another_graph(tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match="graph was"):
        model("landmark", checkpoint=tmp_path / "run").fit(rewired(GRAPH, 0))


def test_other_samples_are_another_null_model(tmp_path):
    first, second = (SampledNull(n_samples=2, random_state=seed) for seed in (0, 5))
    model("landmark", null_model=first, checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match="null_model was"):
        model("landmark", null_model=second, checkpoint=tmp_path / "run").fit(GRAPH)
    assert model("landmark", null_model=first, checkpoint=tmp_path / "run").fit(GRAPH).solver_ == "landmark"


@pytest.mark.filterwarnings("ignore:the graph has:residuum.errors.ResiduumWarning")
def test_other_jumps_are_another_run(tmp_path):
    model("landmark", teleport=0.1, checkpoint=tmp_path / "run").fit(DIRECTED)
    with pytest.raises(CheckpointError, match="teleport was"):
        model("landmark", teleport=(0.1, "uniform"), checkpoint=tmp_path / "run").fit(DIRECTED)
