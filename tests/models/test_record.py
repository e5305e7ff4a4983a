import hashlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

from residuum import Embedding, Graph, Residual2Vec, Residual2VecCV, _checkpoint, datasets
from residuum.errors import CheckpointError
from residuum.models.record import input_record
from residuum.nulls import DegreeCorrectedSBM, SampledNull
from residuum.nulls.sampled import rewired
from residuum.solvers import Likelihood

GRAPH = datasets.planted_groups(600, 4, average_degree=10, random_state=0)
# A third of the edges is missing in one direction, so that rows and columns are separate stages.
ONE_WAY = GRAPH.adjacency.toarray() * (np.add.outer(np.arange(600), 2 * np.arange(600)) % 3 > 0)
DIRECTED = Graph(ONE_WAY, directed=True)


def model(solver, **changed):
    """Return an estimator whose run has several stages."""
    parameters = {"n_components": 8, "solver": solver, "window": 4, "random_state": 0, **changed}
    return Residual2Vec(**parameters)


class StopError(Exception):
    pass


def stop_after(monkeypatch, n_saved):
    """Raise an error when the next stage after ``n_saved`` stages is saved; return the names of saved stages."""
    write, saved = _checkpoint._write, []

    def limited(path, array):
        if len(saved) == n_saved:
            raise StopError
        saved.append(path.name)
        write(path, array)

    monkeypatch.setattr(_checkpoint, "_write", limited)
    return saved


def assert_any_interruption_resumes(graph, folder, monkeypatch, solver, **parameters):
    uninterrupted = model(solver, **parameters).fit(graph)
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
        # Saved stages are not computed again.
        assert len(rest) == len(stages) - n_saved
        np.testing.assert_array_equal(resumed.embedding_, uninterrupted.embedding_)
        np.testing.assert_array_equal(resumed.context_embedding_, uninterrupted.context_embedding_)


@pytest.mark.parametrize("erase", [None, "null"])
@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_a_run_interrupted_at_any_stage_resumes_to_the_same_result(solver, erase, tmp_path, monkeypatch):
    parameters = {"null_model": DegreeCorrectedSBM("group"), "erase": erase, "floor": 0.0}
    assert_any_interruption_resumes(GRAPH, tmp_path, monkeypatch, solver, **parameters)


@pytest.mark.filterwarnings("ignore:the graph has:residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("solver", ["exact", "landmark", "block", Likelihood(n_sweeps=3)])
def test_an_interrupted_run_on_a_directed_graph_resumes_to_the_same_result(solver, tmp_path, monkeypatch):
    assert_any_interruption_resumes(DIRECTED, tmp_path, monkeypatch, solver)


@pytest.mark.parametrize("parameters", [{"solver": Likelihood(n_sweeps=3)}, {"solver": "exact", "refine": 2}])
def test_interrupted_sweeps_resume_to_the_same_result(parameters, tmp_path, monkeypatch):
    assert_any_interruption_resumes(GRAPH, tmp_path, monkeypatch, **parameters)


KILLED = """
import os, signal, sys
from residuum import Residual2Vec, _checkpoint, datasets
graph = datasets.planted_groups(600, 4, average_degree=10, random_state=0)
write, saved = _checkpoint._write, []
def deadly(path, array):
    write(path, array)
    saved.append(path)
    if len(saved) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
_checkpoint._write = deadly
Residual2Vec(8, solver="landmark", window=4, random_state=0, checkpoint=sys.argv[1]).fit(graph)
"""


def test_a_killed_process_resumes_to_the_same_result(tmp_path):
    folder = tmp_path / "run"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list(folder.glob("[!.]*.npy"))) >= 2
    resumed = model("landmark", checkpoint=folder).fit(GRAPH)
    np.testing.assert_array_equal(resumed.embedding_, model("landmark").fit(GRAPH).embedding_)


def test_a_run_without_a_seed_restores_the_generator_of_the_first_run(tmp_path, monkeypatch):
    first = model("landmark", random_state=None, checkpoint=tmp_path / "run").fit(GRAPH)
    second = model("landmark", random_state=None, checkpoint=tmp_path / "run").fit(GRAPH)
    np.testing.assert_array_equal(first.embedding_, second.embedding_)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"n_components": 9}, "n_components was 8 and is now 9"),
        ({"floor": -1.0}, "floor was -3.0 and is now -1.0"),
        ({"random_state": 1}, "generator was"),
        ({"null_model": "erdos-renyi"}, "null_model was"),
        ({"erase": "degree"}, "erased was"),
    ],
)
def test_a_run_with_other_parameters_is_refused(changed, named, tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match=named):
        model("landmark", checkpoint=tmp_path / "run", **changed).fit(GRAPH)


def test_a_run_on_another_graph_is_refused(tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    graph = datasets.planted_groups(600, 4, average_degree=10, random_state=1)
    with pytest.raises(CheckpointError, match="graph was"):
        model("landmark", checkpoint=tmp_path / "run").fit(graph)


def test_a_resumed_run_tunes_to_the_same_result(tmp_path):
    search = {"window": [3, 5], "weighting": [0.5], "floor": [-3.0], "refine": [0]}
    tuned = Residual2VecCV(8, search=search, solver="landmark", checkpoint=tmp_path / "run", random_state=0)
    first, second = (clone(tuned).fit(GRAPH) for _ in range(2))
    np.testing.assert_array_equal(first.embedding_, second.embedding_)


def test_a_rewired_graph_with_the_same_degrees_is_refused(tmp_path):
    model("landmark", checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match="graph was"):
        model("landmark", checkpoint=tmp_path / "run").fit(rewired(GRAPH, 0))


def test_a_sampled_null_model_with_another_seed_is_refused(tmp_path):
    first, second = (SampledNull(n_samples=2, random_state=seed) for seed in (0, 5))
    model("landmark", null_model=first, checkpoint=tmp_path / "run").fit(GRAPH)
    with pytest.raises(CheckpointError, match="null_model was"):
        model("landmark", null_model=second, checkpoint=tmp_path / "run").fit(GRAPH)
    assert model("landmark", null_model=first, checkpoint=tmp_path / "run").fit(GRAPH).solver_ == "landmark"


def test_u2_the_record_names_the_input_file_and_its_hash(tmp_path):
    file = tmp_path / "edges.csv"
    file.write_text("a,b\nb,c\nc,a\n")
    expected = {"role": "graph", "file": str(file), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    embedding = Residual2Vec(2, random_state=0).fit(file).to_embedding()
    embedding.save(tmp_path / "out.npz")
    assert Embedding.load(tmp_path / "out.npz").metadata["inputs"] == [expected]
    assert Residual2Vec(2, random_state=0).fit(GRAPH).to_embedding().metadata["inputs"] == []


def test_u2_a_graph_on_disk_is_identified_by_its_header_and_a_pipe_by_its_name(tmp_path):
    (tmp_path / "g.r2g").mkdir()
    (tmp_path / "g.r2g" / "header.json").write_text("{}")
    record = input_record("graph", tmp_path / "g.r2g")
    assert record["file"].endswith("header.json")
    assert record["sha256"] == hashlib.sha256(b"{}").hexdigest()
    os.mkfifo(tmp_path / "pipe")
    assert input_record("groups", tmp_path / "pipe", "age") == {
        "role": "groups",
        "file": str(tmp_path / "pipe"),
        "column": "age",
        "sha256": None,
    }
