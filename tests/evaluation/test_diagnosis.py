import networkx as nx
import numpy as np
import pytest

from residuum import Graph, as_graph, datasets
from residuum.evaluation import diagnose_degree, diagnose_distance, diagnose_groups, diagnose_sides

KARATE = nx.karate_club_graph()
PLAIN = Graph((nx.to_numpy_array(KARATE) > 0).astype(float))


def test_degree_findings_are_networkx_and_the_formula():
    ratio, assortativity = diagnose_degree(PLAIN)
    degree = PLAIN.out_strength
    assert ratio.value == pytest.approx(np.mean(degree**2) / np.mean(degree) ** 2)
    assert assortativity.value == pytest.approx(nx.degree_assortativity_coefficient(KARATE))
    assert (ratio.null_model, assortativity.null_model) == ("configuration", "degree-correlated")


def test_group_findings_are_networkx():
    club = np.array([KARATE.nodes[node]["club"] for node in KARATE])
    (finding,) = diagnose_groups(PLAIN, club, "club")
    assert finding.value == pytest.approx(nx.attribute_assortativity_coefficient(KARATE, "club"))
    assert finding.null_model == "dcsbm"
    inside = np.mean([club[u] == club[v] for u, v in KARATE.edges])
    assert f"{inside:.0%} of the edges stay within" in finding.meaning


def test_random_labels_are_no_bias():
    graph = datasets.planted_groups(800, 1, average_degree=30, random_state=0)
    labels = np.random.default_rng(0).integers(0, 2, 800)
    assert diagnose_groups(graph, labels, "coin")[0].null_model is None


@pytest.mark.parametrize(
    ("graph", "null_model"),
    [(nx.complete_bipartite_graph(5, 7), "bipartite"), (nx.complete_graph(6), None)],
    ids=["bipartite", "complete"],
)
def test_bipartivity(graph, null_model):
    (finding,) = diagnose_sides(as_graph(graph))
    assert finding.null_model == null_model
    assert (finding.value == pytest.approx(1.0)) == (null_model is not None)


def test_distance_decay_is_seen_on_a_lattice():
    lattice = nx.convert_node_labels_to_integers(nx.grid_2d_graph(12, 12))
    points = np.array([(k // 12, k % 12) for k in range(144)], dtype=float)

    def distance(i, j):
        return np.linalg.norm(points[i] - points[j], axis=1)

    (finding,) = diagnose_distance(as_graph(lattice), distance, np.random.default_rng(0))
    assert finding.null_model == "spatial"
    (finding,) = diagnose_distance(as_graph(lattice), lambda i, j: (i * 7 + j * 3) % 11, np.random.default_rng(0))
    assert finding.null_model is None
