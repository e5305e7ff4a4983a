import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, MIDDLING, SPLIT, values
from residuum import Embedding
from residuum.evaluation import (
    auc_roc,
    average_precision,
    degree_matched_non_edges,
    grade_links,
    pair_scores,
    recommend,
    recommendation_disparity,
    uniform_non_edges,
)


@pytest.mark.parametrize("with_offsets", [True, False], ids=["offsets", "degrees"])
def test_every_link_finding_equals_the_function_it_names(with_offsets):
    train, hidden = SPLIT.train, SPLIT.hidden
    offsets = np.random.default_rng(3).normal(size=200) if with_offsets else np.log(train.out_strength)
    vectors = Embedding(GRAPH.node_ids, MIDDLING, offsets=offsets) if with_offsets else MIDDLING
    measured = values(grade_links(vectors, train, hidden, random_state=7))
    rng = np.random.default_rng(7)
    negatives = [draw(GRAPH, len(hidden), rng) for draw in (uniform_non_edges, degree_matched_non_edges)]
    scores = pair_scores(vectors.vectors if with_offsets else MIDDLING, offsets=offsets)
    full, other_full = (scores.full(*pairs.T) for pairs in (hidden, negatives[0]))
    lists = recommend(train, hidden, scores.full, 10, random_state=7)
    expected = {
        "link AUC, beyond degree": auc_roc(*(scores.residual(*pairs.T) for pairs in (hidden, negatives[1]))),
        "link AUC": auc_roc(full, other_full),
        "link average precision": average_precision(full, other_full),
        "precision at 10": lists.precision.mean(),
        "recall at 10": lists.recall.mean(),
    }
    assert measured == pytest.approx(expected)
    assert len({round(value, 4) for value in measured.values()}) == len(measured)


def test_the_recall_gap_of_each_label_follows_the_links():
    train, hidden = SPLIT.train, SPLIT.hidden
    labels = {"club": np.array(list("abcd"))[GROUP], "rare": np.array(["x"] * 199 + ["y"])}
    gap, rare = grade_links(MIDDLING, train, hidden, labels=labels, random_state=7)[-2:]
    offsets = np.log(train.out_strength)
    lists = recommend(train, hidden, pair_scores(MIDDLING, offsets=offsets).full, 10, random_state=7)
    disparity = recommendation_disparity(lists, labels["club"], random_state=7)
    assert gap.name == "recall gap by club"
    assert gap.value == pytest.approx(disparity.gap)
    assert f"{disparity.groups[disparity.recall.argmin()]} {disparity.recall.min():.3f}" in gap.meaning
    assert rare.name == "recall gap by rare"
    assert np.isnan(rare.value)
    assert "not measured" in rare.meaning
