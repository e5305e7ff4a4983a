"""The same bits in every process and thread: forked and spawned children, joblib workers, several Python threads."""

import multiprocessing
import os
import threading

import joblib
import numpy as np
import pytest

from residuum import Residual2Vec, datasets

SOLVERS = ["exact", "landmark", "block", "likelihood"]
# Seconds after which a test fails instead of waiting for a deadlock.
PATIENCE = 120.0

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.fixture(scope="module")
def graph():
    return datasets.planted_groups(1000, 4, random_state=3)


@pytest.fixture(scope="module")
def expected(graph):
    """Return the vectors of a fit in this process, for each solver."""
    return {solver: embed(solver, graph) for solver in SOLVERS}


def embed(solver, graph, n_jobs=None):
    estimator = Residual2Vec(8, solver=solver, n_jobs=n_jobs, random_state=0)
    return np.asarray(estimator.fit_transform(graph))


def embed_in_process(method, solver, graph):
    """Fit in a new process; a bound method of the estimator needs no import of this module."""
    with multiprocessing.get_context(method).Pool(1) as pool:
        estimator = Residual2Vec(8, solver=solver, random_state=0)
        return np.asarray(pool.apply_async(estimator.fit_transform, (graph,)).get(PATIENCE))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_second_fit_gives_the_same_bits(solver, graph, expected):
    np.testing.assert_array_equal(embed(solver, graph), expected[solver])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_s5_a_child_forked_after_a_fit_gives_the_same_bits(solver, graph, expected):
    np.testing.assert_array_equal(embed_in_process("fork", solver, graph), expected[solver])


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_spawned_child_gives_the_same_bits(solver, graph, expected):
    np.testing.assert_array_equal(embed_in_process("spawn", solver, graph), expected[solver])


def serve(model, graph, answers):
    """Answer requests as a worker of a server that fits models, until it has answered three of each kind."""
    for _ in range(3):
        scores = model.score_pairs(graph.node_ids[:50], graph.node_ids[50:100])
        nearest = model.neighbors(graph.node_ids[0], 5)
        answers.put((scores.tolist(), list(nearest), embed("landmark", graph).tobytes()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_workers_of_a_server_that_forks_after_loading_a_model_answer_alike(graph, expected):
    # As gunicorn does with --preload: the model and its threads exist before the workers.
    model = Residual2Vec(8, solver="landmark", random_state=0).fit(graph)
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    workers = [context.Process(target=serve, args=(model, graph, answers), daemon=True) for _ in range(3)]
    for worker in workers:
        worker.start()
    results = [answers.get() for _ in range(9)]
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    assert all(result == results[0] for result in results)
    assert results[0][2] == expected["landmark"].tobytes()


CELLS = """
graph = datasets.karate_club()
model = Residual2Vec(4, random_state=0)
vectors = model.fit_transform(graph)
model = model.set_params(n_components=3).fit(graph)
again = model.set_params(n_components=4).fit_transform(graph)
"""


def test_cells_of_a_notebook_that_run_again_give_the_same_bits():
    namespace, runs = {"datasets": datasets, "Residual2Vec": Residual2Vec}, []
    for _ in range(3):
        exec(CELLS, namespace)
        runs += [namespace["vectors"], namespace["again"]]
    for vectors in runs:
        np.testing.assert_array_equal(vectors, runs[0])


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_of_joblib_give_the_same_bits(backend, graph, expected):
    solvers = 2 * SOLVERS
    estimators = [Residual2Vec(8, solver=solver, random_state=0) for solver in solvers]
    jobs = (joblib.delayed(estimator.fit_transform)(graph) for estimator in estimators)
    for solver, vectors in zip(solvers, joblib.Parallel(2, backend, timeout=PATIENCE)(jobs), strict=True):
        np.testing.assert_array_equal(vectors, expected[solver], err_msg=solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_eight_threads_at_once_give_the_same_bits(solver, graph, expected):
    vectors, together = {}, threading.Barrier(8)

    def fit(number):
        together.wait(PATIENCE)
        vectors[number] = embed(solver, graph)

    threads = [threading.Thread(target=fit, args=(number,), daemon=True) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    for number in range(8):
        np.testing.assert_array_equal(vectors[number], expected[solver])


@pytest.mark.parametrize("n_nodes", [600, 1500])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.usefixtures("four_cores")
def test_any_number_of_jobs_gives_the_same_bits(solver, n_nodes):
    graph = datasets.planted_groups(n_nodes, 5, random_state=3)
    one, two, four = (embed(solver, graph, n_jobs) for n_jobs in (1, 2, 4))
    np.testing.assert_array_equal(two, one)
    np.testing.assert_array_equal(four, one)
