import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, MIDDLING, values
from residuum.evaluation import (
    attack,
    attribute_auc,
    distance_parity,
    grade_labels,
    group_mix,
    neighbor_fairness,
    predict_classes,
    similarity_dependence,
    similarity_disparity,
)


def test_every_label_finding_equals_the_function_it_names():
    label = np.array(["a", "b", "c", "c"])[GROUP]
    measured = values(grade_labels(MIDDLING, GRAPH, label, "club", random_state=7))
    auc = attribute_auc(MIDDLING, label, random_state=7)
    same = np.diagonal(group_mix(MIDDLING, label, GRAPH, n_neighbors=10).neighbors)
    expected = {
        "R² of similarity on same club": similarity_dependence(MIDDLING, label, random_state=7),
        "similarity gap by club": similarity_disparity(MIDDLING, label).gap,
        "similarity gap by club, same distance": distance_parity(MIDDLING, label, GRAPH, random_state=7).gap,
        "same club among neighbors": np.average(same, weights=np.unique(label, return_counts=True)[1]),
        "NDKL of club among neighbors": neighbor_fairness(MIDDLING, label, GRAPH).ndkl,
        "strongest attacker on club": attack(MIDDLING, label, random_state=7).strongest.accuracy,
        "AUC of club, linear": auc["linear"],
        "AUC of club, neighbors": auc["nearest neighbors"],
        "micro-F1 of club": predict_classes(MIDDLING, label, n_neighbors=10, random_state=7).micro_f1.mean(),
    }
    assert measured == pytest.approx(expected)
    assert len({round(value, 4) for value in measured.values()}) == len(measured)


def test_a_group_without_vectors_is_ignored_in_the_mean_over_groups():
    label = np.array(list("abcd"))[GROUP]
    vectors = np.where((label == "d")[:, None], 0.0, MIDDLING)
    measured = values(grade_labels(vectors, GRAPH, label, "club"))["same club among neighbors"]
    same = np.diagonal(group_mix(vectors, label, GRAPH, n_neighbors=10).neighbors)
    assert np.isnan(same[3])
    assert measured == pytest.approx(np.average(same[:3], weights=np.bincount(GROUP)[:3]))
