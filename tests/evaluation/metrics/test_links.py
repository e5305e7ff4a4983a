import numpy as np
import pytest

from metric_cases import GRAPH, MIDDLING, SPLIT, values
from residuum import Embedding
from residuum.evaluation import (
    auc_roc,
    average_precision,
    degree_matched_non_edges,
    grade_links,
    pair_scores,
    recommend,
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
