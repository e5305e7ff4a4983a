import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, MIDDLING, values
from residuum.evaluation import (
    attack,
    attribute_auc,
    grade_numbers,
    predict_numbers,
    similarity_dependence,
)


def test_every_number_finding_equals_the_function_it_names():
    year = 2000.0 + GROUP + np.random.default_rng(4).random(200)
    measured = values(grade_numbers(MIDDLING, GRAPH, year, "year", random_state=7))
    expected = {
        "R² of similarity on year": similarity_dependence(MIDDLING, year, random_state=7),
        "AUC of high year, linear": attribute_auc(MIDDLING, year, random_state=7)["linear"],
        "strongest attacker on year": attack(MIDDLING, year, random_state=7).strongest.accuracy,
        "R² of year": predict_numbers(MIDDLING, year, n_neighbors=10, random_state=7).mean(),
    }
    assert measured == pytest.approx(expected)
    assert len({round(value, 4) for value in measured.values()}) == len(measured)
