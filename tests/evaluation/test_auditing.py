import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, PERFECT, RANDOM, SPLIT
from residuum import Embedding, ProgressEvent
from residuum.errors import InvalidParameterError
from residuum.evaluation import attack, audit, grade_links, hub_share, hubness, neighbor_fairness

LABELS = {"group": GROUP.astype(str)}


def embedding(vectors, context=None):
    return Embedding(GRAPH.node_ids, vectors, context)


@pytest.fixture(scope="module")
def of_random():
    """Return the audit of random vectors."""
    return audit(GRAPH, {"random": embedding(RANDOM)}, labels=LABELS).embeddings["random"]


def test_each_measure_is_that_of_its_own_function(of_random):
    result = of_random
    vectors = RANDOM.astype(np.float32)
    expected = attack(vectors, LABELS["group"], kind="label")
    assert result.attributes["group"].attacks == expected
    assert result.attributes["group"].fairness == neighbor_fairness(vectors, LABELS["group"], GRAPH)
    assert result.degree.hubs.value == hub_share(vectors, GRAPH.out_strength)
    np.testing.assert_array_equal(result.hubness.occurrence, hubness(vectors).occurrence)


def test_perfect_vectors_leak_random_ones_do_not_and_progress_counts_the_measures():
    events: list[ProgressEvent] = []
    vectors = {"perfect": embedding(PERFECT), "random": embedding(RANDOM)}
    result = audit(GRAPH, vectors, labels=LABELS, progress=events.append)
    assert [(event.done, event.total) for event in events] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    perfect, random = (result.embeddings[name].attributes["group"] for name in ("perfect", "random"))
    assert perfect.attacks.strongest.accuracy == 1.0
    assert not random.attacks.strongest.is_leak
    assert perfect.dependence.is_dependent
    assert not random.dependence.is_dependent
    assert perfect.fairness.excess > 0.5
    assert abs(random.fairness.excess) < 0.1


def test_context_vectors_are_attacked_as_well():
    hidden_in_contexts = embedding(RANDOM[:, :4], PERFECT)
    attacked = audit(GRAPH, {"x": hidden_in_contexts}, labels=LABELS).embeddings["x"].attributes["group"]
    assert attacked.attacks.strongest.accuracy > 0.9


def test_nodes_without_a_value_are_left_out():
    labels = LABELS["group"].astype(object)
    labels[:50] = None
    result = audit(GRAPH, {"x": embedding(PERFECT)}, labels={"group": labels}).embeddings["x"].attributes["group"]
    assert result.n_nodes == 150
    assert result.attacks.n_nodes <= 150


def test_too_few_values_are_not_attacked_and_the_reason_is_given():
    labels = np.where(np.arange(200) < 5, "rare", "usual")
    result = audit(GRAPH, {"x": embedding(RANDOM)}, labels={"kind": labels}).embeddings["x"].attributes["kind"]
    assert result.attacks is None
    assert "at least two labels" in result.not_attacked


def test_held_out_edges_are_predicted_and_otherwise_the_edges_are_told_apart():
    x = embedding(PERFECT)
    with_hidden = audit(SPLIT.train, {"x": x}, hidden=SPLIT.hidden)
    assert list(with_hidden.embeddings["x"].links) == grade_links(x, SPLIT.train, SPLIT.hidden)
    assert with_hidden.held_out == len(SPLIT.hidden)
    without = audit(GRAPH, {"x": x})
    assert [finding.name for finding in without.embeddings["x"].links] == ["edge AUC, beyond degree", "edge AUC"]
    assert all("seen in training" in finding.meaning for finding in without.embeddings["x"].links)
    assert without.embeddings["x"].links[0].value > 0.8
    assert without.held_out == 0


def test_the_length_of_vectors_is_compared_with_degree():
    long_hubs = np.abs(RANDOM) * GRAPH.out_strength[:, None]
    result = audit(GRAPH, {"long": embedding(long_hubs), "unit": embedding(PERFECT)})
    assert result.embeddings["long"].degree.norm_correlation > 0.7
    assert result.embeddings["unit"].degree.norm_correlation == 0.0


def test_numbers_are_attacked_in_bins():
    year = GROUP * 10.0 + RANDOM[:, 0]
    result = audit(GRAPH, {"x": embedding(PERFECT)}, numbers={"year": year}).embeddings["x"].attributes["year"]
    assert result.kind == "number"
    assert result.attacks.n_labels == 5
    assert result.attacks.strongest.is_leak
    assert result.fairness is None


def test_the_order_of_ids_does_not_matter(of_random):
    order = np.random.default_rng(3).permutation(200)
    shuffled = Embedding(GRAPH.node_ids[order], RANDOM[order])
    result = audit(GRAPH, {"x": shuffled}, labels=LABELS).embeddings["x"]
    assert result.attributes["group"].attacks == of_random.attributes["group"].attacks
    np.testing.assert_array_equal(result.vectors, of_random.vectors)


def test_no_embeddings_and_an_attribute_of_two_kinds_are_refused():
    with pytest.raises(InvalidParameterError, match="at least one embedding"):
        audit(GRAPH, {})
    with pytest.raises(InvalidParameterError, match="both a label and a number"):
        audit(GRAPH, {"x": embedding(RANDOM)}, labels=LABELS, numbers={"group": GROUP})
