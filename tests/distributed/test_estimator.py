"""The estimator on a cluster gives the vectors of the local one."""

import numpy as np
import pytest

from distributed_cases import read_vectors, subspace_distance, write_edges
from residuum import Residual2Vec
from residuum.distributed import DaskResidual2Vec
from residuum.errors import CheckpointError, InvalidParameterError
from residuum.graph import write_graph
from residuum.nulls import Bipartite, Configuration, DegreeCorrectedSBM, DegreeCorrelated, Spatial, Temporal
from residuum.solvers import Landmark

COMMON = {
    "n_components": 4,
    "window": 3,
    "solver": Landmark(n_landmarks=150),
    "random_state": 0,
    "shrinkage": 0.0,
    "scale": 1.0,
}


def by_node(graph, value):
    return {node: value(position) for position, node in enumerate(graph.node_ids.tolist())}


NULLS = {
    "configuration": lambda graph: Configuration(),
    "exponent": lambda graph: Configuration(0.5),
    "erdos-renyi": lambda graph: "erdos-renyi",
    "dcsbm": lambda graph: DegreeCorrectedSBM(by_node(graph, lambda k: "abc"[k % 3])),
    "temporal": lambda graph: Temporal(by_node(graph, lambda k: 1990 + k % 5)),
    "degree-correlated": lambda graph: DegreeCorrelated(),
    "bipartite": lambda graph: Bipartite(by_node(graph, lambda k: k % 2)),
    "spatial": lambda graph: Spatial(by_node(graph, lambda k: (k % 7, k % 3))),
    "product": lambda graph: DegreeCorrectedSBM(by_node(graph, lambda k: k % 2)) * DegreeCorrelated(),
}


def fit_both(client, graph, folder, **parameters):
    """Return the local model, the model on the cluster, and its vectors."""
    graph = graph.subgraph((graph.in_strength > 0) | (graph.out_strength > 0))
    if callable(null := parameters.get("null_model")):
        parameters["null_model"] = null(graph)
    n_partitions = parameters.pop("n_partitions", 2)
    local = Residual2Vec(**COMMON | parameters).fit(graph)
    model = DaskResidual2Vec(client=client, n_partitions=n_partitions, **COMMON | parameters)
    model.fit(write_edges(graph, folder / "edges"), directed=graph.directed)
    model.vectors_.write(folder / "vectors")
    vectors = read_vectors(folder / "vectors")
    np.testing.assert_array_equal(vectors["id"], graph.node_ids)
    return local, model, vectors


def assert_same(local, model, vectors):
    assert local.solver_ == model.solver_ == "landmark"
    assert subspace_distance(vectors["vector"], local.embedding_) < 1e-3
    assert subspace_distance(vectors["context"], local.context_embedding_) < 1e-3
    largest = np.abs(local.embedding_).max()
    np.testing.assert_allclose(vectors["vector"], local.embedding_, atol=1e-3 * largest)
    np.testing.assert_allclose(vectors["context"], local.context_embedding_, atol=1e-3 * largest)
    np.testing.assert_allclose(model.singular_values_, local.singular_values_, rtol=1e-4)
    np.testing.assert_allclose(vectors["offset"], local.offset_)
    np.testing.assert_allclose(vectors["source_offset"], local.source_offset_)


@pytest.mark.filterwarnings("ignore:a null model with groups")
@pytest.mark.parametrize("null", NULLS)
def test_every_analytic_null_model_gives_the_local_vectors(client, graph, tmp_path, null):
    assert_same(*fit_both(client, graph, tmp_path, null_model=NULLS[null]))


@pytest.mark.filterwarnings("ignore:a null model with groups", "ignore:the graph has")
@pytest.mark.parametrize("null", ["configuration", "dcsbm"])
def test_directed_graphs_give_the_local_vectors(client, directed_graph, tmp_path, null):
    assert_same(*fit_both(client, directed_graph, tmp_path, null_model=NULLS[null], floor=-2.0))


@pytest.mark.parametrize("erase", [None, "degree"])
def test_shrinkage_and_scale_are_read_from_the_edges_of_one_machine(client, graph, tmp_path, erase):
    local, model, vectors = fit_both(client, graph, tmp_path, shrinkage=None, scale=None, erase=erase)
    assert model.shrinkage_ == pytest.approx(local.shrinkage_, rel=1e-3)
    assert model.scale_ == pytest.approx(local.scale_, rel=1e-3)
    assert model.scale_ != 1.0
    assert model.solver_details_["left_out_edges"] == local.solver_details_["left_out_edges"] > 0
    assert_same(local, model, vectors)


@pytest.mark.parametrize("n_partitions", [1, 2, 5])
def test_the_number_of_partitions_does_not_change_the_vectors(client, graph, tmp_path, n_partitions):
    assert_same(*fit_both(client, graph, tmp_path, n_partitions=n_partitions))


@pytest.mark.parametrize("case", ["symmetric", "general", "distribution"])
def test_erased_labels_give_the_local_vectors(client, graph, tmp_path, case):
    labels = by_node(graph, lambda k: "abc"[k % 3])
    parameters = {
        "symmetric": {"null_model": NULLS["dcsbm"], "erase": "null"},
        "general": {"null_model": "erdos-renyi", "erase": labels},
        "distribution": {"erase": labels, "erase_level": "distribution"},
    }[case]
    local, model, vectors = fit_both(client, graph, tmp_path, **parameters)
    assert local.erased_ == model.erased_
    assert_same(local, model, vectors)


@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_an_erased_number_gives_the_local_vectors(client, graph, tmp_path, strength):
    local, model, vectors = fit_both(client, graph, tmp_path, erase="degree", erase_strength=strength)
    assert model.erased_ == ["degree"]
    assert_same(local, model, vectors)


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_the_trend_of_a_number_gives_the_local_vectors(client, directed_graph, tmp_path, strength):
    years, labels = (by_node(directed_graph, value) for value in (lambda k: 1990 + k % 12, lambda k: "ab"[k % 2]))
    erase = {"year": years, "label": labels, "degree": "degree"}
    local, model, vectors = fit_both(client, directed_graph, tmp_path, floor=0.0, erase=erase, erase_strength=strength)
    assert model.erased_ == local.erased_ == ["year", "label", "degree", "in-degree"]
    assert_same(local, model, vectors)
    plain = Residual2Vec(**COMMON, floor=0.0).fit(directed_graph)
    assert np.abs(vectors["vector"] - plain.embedding_).max() > 0.01


@pytest.mark.filterwarnings("ignore:a null model with groups")
def test_a_graph_on_disk_with_strings_gives_the_local_vectors(client, graph, tmp_path):
    names = [f"node {number}" for number in range(graph.n_nodes)]
    named = type(graph)(graph.adjacency, names, node_attributes={"parity": np.arange(graph.n_nodes) % 2})
    write_graph(named, tmp_path / "graph.r2g")
    parameters = COMMON | {"null_model": DegreeCorrectedSBM("parity"), "floor": -1.0}
    model = DaskResidual2Vec(client=client, **parameters).fit(tmp_path / "graph.r2g")
    model.vectors_.write(tmp_path / "vectors")
    vectors = read_vectors(tmp_path / "vectors")
    assert vectors["id"].tolist() == names
    assert_same(Residual2Vec(**parameters).fit(named), model, vectors)


def test_a_second_run_resumes_from_the_checkpoint(client, graph, edges, tmp_path, monkeypatch):
    parameters = COMMON | {"random_state": None, "client": client, "checkpoint": tmp_path / "run"}
    first = DaskResidual2Vec(**parameters).fit(edges)
    monkeypatch.setattr("residuum.distributed.graph._from_files", None)
    monkeypatch.setattr("residuum.distributed.sketch.PartitionedSketch._tasks", None)
    again = DaskResidual2Vec(**parameters).fit(edges)
    np.testing.assert_array_equal(first.singular_values_, again.singular_values_)


def test_a_checkpoint_of_another_run_is_refused(client, edges, tmp_path):
    model = DaskResidual2Vec(client=client, checkpoint=tmp_path / "run", **COMMON).fit(edges)
    with pytest.raises(CheckpointError, match="n_components was 4 and is now 5"):
        model.set_params(n_components=5).fit(edges)


def test_other_values_of_an_erased_attribute_are_another_run(client, graph, edges, tmp_path):
    labels = by_node(graph, lambda k: "ab"[k % 2])
    model = DaskResidual2Vec(client=client, checkpoint=tmp_path / "run", erase=labels, **COMMON).fit(edges)
    with pytest.raises(CheckpointError, match="different run: erased was"):
        model.set_params(erase=by_node(graph, lambda k: "ab"[k % 3 == 0])).fit(edges)


def test_a_partitioned_graph_is_fitted_as_it_is(client, build, graph, edges):
    model = DaskResidual2Vec(client=client, **COMMON).fit(build(graph))
    expected = DaskResidual2Vec(client=client, **COMMON).fit(edges)
    np.testing.assert_allclose(model.singular_values_, expected.singular_values_, rtol=1e-5)


def test_the_temporary_folder_lives_as_long_as_the_vectors(client, edges):
    vectors = DaskResidual2Vec(client=client, **COMMON).fit(edges).vectors_
    folder = vectors.part.grid.home.folder
    assert folder.exists()
    del vectors
    assert not folder.exists()


def test_a_directed_graph_needs_a_floor(client, build, directed_graph):
    with pytest.raises(InvalidParameterError, match="floor must be set for a directed graph on a cluster"):
        DaskResidual2Vec(client=client, **COMMON).fit(build(directed_graph))


def test_bipartite_sides_cannot_be_detected(client, build, graph):
    with pytest.raises(InvalidParameterError, match="needs all edges on one machine"):
        DaskResidual2Vec(client=client, null_model="bipartite", **COMMON).fit(build(graph))


def test_a_clone_shares_a_connection_by_tcp():
    from sklearn.base import clone

    from distributed import Client, LocalCluster

    settings = {"processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, **settings) as cluster, Client(cluster) as client:
        window = np.array([0.5, 0.5])
        copied = clone(DaskResidual2Vec(3, client=client, window=window, n_partitions=2))
        assert copied.client is client
        assert (copied.n_components, copied.n_partitions) == (3, 2)
        assert copied.window is not window
        np.testing.assert_array_equal(copied.window, window)
