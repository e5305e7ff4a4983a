import networkx as nx
import numpy as np
import pytest
from scipy.stats import spearmanr

from residuum import Graph, as_graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import diagnose_degree, diagnose_distance, diagnose_groups, diagnose_sides

KARATE = nx.karate_club_graph()
PLAIN = Graph((nx.to_numpy_array(KARATE) > 0).astype(float))


def test_degree_findings_equal_networkx_and_the_formula():
    ratio, assortativity = diagnose_degree(PLAIN)
    degree = PLAIN.out_strength
    assert ratio.value == pytest.approx(np.mean(degree**2) / np.mean(degree) ** 2)
    assert assortativity.value == pytest.approx(nx.degree_assortativity_coefficient(KARATE))
    assert (ratio.null_model, assortativity.null_model) == ("configuration", "degree-correlated")


def test_group_assortativity_equals_networkx():
    club = np.array([KARATE.nodes[node]["club"] for node in KARATE])
    (finding,) = diagnose_groups(PLAIN, club, "club")
    assert finding.value == pytest.approx(nx.attribute_assortativity_coefficient(KARATE, "club"))
    assert finding.null_model == "dcsbm"
    inside = np.mean([club[u] == club[v] for u, v in KARATE.edges])
    assert f"{inside:.0%} of the edges are within groups" in finding.meaning


def test_u1_random_labels_on_small_random_graphs_have_no_recommended_null_model():
    # The assortativity is often above 0.05 by chance, but a recommendation needs p < 0.01.
    findings = []
    for seed in range(60):
        graph = as_graph(nx.gnm_random_graph(40, 100, seed=seed))
        labels = np.random.default_rng(seed).integers(0, 3, 40)
        findings += diagnose_groups(graph, labels, "coin", random_state=seed)
    assert sum(abs(finding.value) > 0.05 for finding in findings) > 15
    assert sum(finding.null_model is not None for finding in findings) <= 2
    p_values = np.array([finding.p_value for finding in findings])
    assert np.mean(p_values < 0.5) == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize("directed", [True, False])
def test_u1_the_tested_statistic_is_the_assortativity(directed):
    graph = as_graph([(0, 1), (2, 3)], directed=directed)
    (finding,) = diagnose_groups(graph, ["a", "a", "b", "b"], "side")
    assert finding.value == pytest.approx(1.0)
    # Undirected, all labelings have an assortativity of 1 or −1; directed, two of six have 0 (a → b and a → b).
    assert finding.p_value == pytest.approx(2 / 3 if directed else 1.0, abs=0.05)
    assert finding.null_model is None


def test_u1_degree_correlation_by_chance_has_no_recommended_null_model():
    findings = [diagnose_degree(as_graph(nx.gnm_random_graph(30, 60, seed=seed)))[1] for seed in range(100)]
    assert sum(abs(finding.value) > 0.1 for finding in findings) > 20
    assert sum(finding.null_model is not None for finding in findings) <= 4


def test_random_labels_have_no_recommended_null_model():
    graph = datasets.planted_groups(800, 1, average_degree=30, random_state=0)
    labels = np.random.default_rng(0).integers(0, 2, 800)
    assert diagnose_groups(graph, labels, "coin")[0].null_model is None


@pytest.mark.parametrize(
    ("graph", "null_model"),
    [(nx.complete_bipartite_graph(5, 7), "bipartite"), (nx.complete_graph(6), None)],
    ids=["bipartite", "complete"],
)
def test_only_a_bipartite_graph_has_bipartivity_one(graph, null_model):
    (finding,) = diagnose_sides(as_graph(graph))
    assert finding.null_model == null_model
    assert (finding.value == pytest.approx(1.0)) == (null_model is not None)


def test_distance_decay_is_detected_on_a_lattice():
    lattice = nx.convert_node_labels_to_integers(nx.grid_2d_graph(12, 12))
    points = np.array([(k // 12, k % 12) for k in range(144)], dtype=float)

    def distance(i, j):
        return np.linalg.norm(points[i] - points[j], axis=1)

    (finding,) = diagnose_distance(as_graph(lattice), distance, np.random.default_rng(0))
    assert finding.null_model == "spatial"
    (finding,) = diagnose_distance(as_graph(lattice), lambda i, j: (i * 7 + j * 3) % 11, np.random.default_rng(0))
    assert finding.null_model is None


def test_degree_findings_of_a_weighted_directed_graph_computed_by_hand():
    # Out-strengths 3, 3, 1, 4 and in-strengths 1, 2, 8, 0; the last node has no edge.
    weights = np.zeros((5, 5))
    weights[[0, 0, 1, 2, 3], [1, 2, 2, 0, 2]] = [2, 1, 3, 1, 4]
    ratio, assortativity = diagnose_degree(Graph(weights, directed=True))
    assert ratio.value == pytest.approx((69 / 4) / (11 / 4) ** 2)
    # Of 11 units of weight: Σ w x = 35, Σ w y = 69, Σ w xy = 237, Σ w x² = 119, Σ w y² = 521.
    covariance, variances = 11 * 237 - 35 * 69, (11 * 119 - 35**2) * (11 * 521 - 69**2)
    assert assortativity.value == pytest.approx(covariance / np.sqrt(variances))


def test_distance_decay_is_the_rank_correlation_of_edges_and_random_pairs():
    ring = as_graph(nx.cycle_graph(40))
    points = np.random.default_rng(1).random(40)
    (finding,) = diagnose_distance(ring, lambda i, j: np.abs(points[i] - points[j]), np.random.default_rng(5))
    rng = np.random.default_rng(5)
    rows, columns = ring.adjacency.nonzero()
    rng.choice(80, 80, replace=False)
    i, j = rng.choice(40, (2, 80))
    distances = np.abs(np.r_[points[rows] - points[columns], points[i] - points[j]])
    assert finding.value == pytest.approx(-spearmanr(distances, np.repeat([1, 0], 80))[0])


@pytest.mark.parametrize("missing_value", [None, np.nan, ""], ids=["None", "NaN", "empty"])
@pytest.mark.parametrize("directed", [True, False])
def test_nodes_with_a_missing_group_are_ignored_with_their_edges(missing_value, directed):
    graph = Graph(PLAIN.adjacency.toarray() * (np.tri(34) if directed else 1.0), directed=directed)
    club = np.array([KARATE.nodes[node]["club"] for node in KARATE], dtype=object)
    missing = np.arange(34) % 5 == 0
    (expected,) = diagnose_groups(graph.subgraph(~missing), club[~missing], "club")
    club[missing] = missing_value
    (finding,) = diagnose_groups(graph, club, "club")
    assert finding.value == pytest.approx(expected.value)
    assert finding.meaning == expected.meaning


def test_groups_of_the_wrong_length_or_without_labels_are_rejected():
    with pytest.raises(InvalidParameterError, match=r"each of the 34 nodes; got 35"):
        diagnose_groups(PLAIN, np.zeros(35), "club")
    with pytest.raises(InvalidParameterError, match="must label both ends of at least one edge"):
        diagnose_groups(PLAIN, np.full(34, np.nan), "club")


@pytest.mark.parametrize(
    ("graph", "value", "null_model"),
    [
        # The smallest eigenvalue of a walk on the complete graph of six nodes is −1/5; it has 15 edges.
        (nx.disjoint_union(nx.complete_graph(6), nx.path_graph(2)), (15 / 5 + 1) / 16, None),
        (nx.disjoint_union(nx.star_graph(4), nx.cycle_graph(6)), 1.0, "bipartite"),
        (nx.disjoint_union(nx.star_graph(4), nx.cycle_graph(3)), (4 + 3 / 2) / 7, None),
        (nx.path_graph(400), 1.0, "bipartite"),
        (nx.Graph([(0, 1), (1, 1)]), 1 / 2, None),
    ],
    ids=["complete and pair", "star and ring", "star and triangle", "long path", "self-loop"],
)
def test_a_graph_is_bipartite_if_all_connected_components_are(graph, value, null_model):
    (finding,) = diagnose_sides(as_graph(graph))
    assert finding.value == pytest.approx(value, abs=1e-6)
    assert finding.null_model == null_model


@pytest.mark.parametrize("weight", [1.0, 0.1, 1e6 / 3])
@pytest.mark.parametrize("graph", [nx.cycle_graph(10), nx.complete_graph(7)], ids=["ring", "complete"])
def test_equal_degrees_are_not_assortative(graph, weight):
    adjacency = weight * nx.to_numpy_array(graph)
    for directed in (True, False):
        ratio, assortativity = diagnose_degree(Graph(adjacency, directed=directed))
        assert ratio.value == pytest.approx(1.0)
        assert (assortativity.value, assortativity.null_model) == (0.0, None)


@pytest.mark.parametrize("unit", [1e-200, 1e300])
def test_findings_do_not_depend_on_the_unit_of_the_weights(unit):
    path = np.eye(6, k=1) + np.eye(6, k=-1)
    labels = ["a", "a", "a", "b", "b", "b"]
    for diagnose in (diagnose_degree, diagnose_sides, lambda graph: diagnose_groups(graph, labels, "label")):
        plain, scaled = ([finding.value for finding in diagnose(Graph(c * path))] for c in (1.0, unit))
        np.testing.assert_allclose(scaled, plain, rtol=1e-9)
