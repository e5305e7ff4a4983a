import pytest

from residuum.evaluation import (
    THRESHOLDS,
    Attack,
    AttackReport,
    AttributeAudit,
    DegreeAudit,
    Dependence,
    Finding,
    NeighborFairness,
    attribute_checks,
    degree_checks,
    worst_level,
)

FLAT = Dependence(0.0, 0.01, 0.0, -0.01, 0.01)


def attacked(accuracy, low=0.47, high=0.53, kind="label"):
    report = AttackReport((Attack("boosted trees", accuracy, 0.02, 0.5, low, high),), 2000, 2)
    (check, _) = attribute_checks(AttributeAudit("gender", kind, 2000, FLAT, report))
    return check


@pytest.mark.parametrize(
    ("accuracy", "level", "words"),
    [
        (0.52, "green", "No attacker does better than guessing"),
        (0.545, "amber", "The two intervals overlap"),
        (0.549, "amber", "The two intervals overlap"),
        (0.70, "red", "The vectors reveal gender"),
        (0.40, "red", "worse than guessing, which is a leak"),
    ],
)
def test_levels_of_attackers(accuracy, level, words):
    check = attacked(accuracy)
    assert check.level == level
    assert words in check.text


def test_a_large_difference_whose_interval_overlaps_that_of_chance_is_not_red():
    report = AttackReport((Attack("linear SVM", 0.35, 0.085, 0.5, 0.374, 0.627),), 120, 2)
    check, _ = attribute_checks(AttributeAudit("side", "label", 120, FLAT, report))
    assert check.level == "amber"
    assert "may be chance" in check.text


def test_an_interval_of_chance_that_is_too_wide_decides_nothing():
    check = attacked(0.55, low=0.35, high=0.65)
    assert check.level == "amber"
    assert "too few nodes" in check.text


def test_the_sentence_has_the_numbers():
    text = attacked(0.701).text
    for part in ("boosted trees", "70.1% ± 2.0%", "guessing gives 50.0% (47.0% to 53.0%)"):
        assert part in text
    assert "of five" in attacked(0.7, kind="number").text


@pytest.mark.parametrize(
    ("r_squared", "margin", "level"),
    [(0.005, 0.001, "green"), (0.5, 0.6, "green"), (0.03, 0.005, "amber"), (0.2, 0.01, "red")],
)
def test_levels_of_similarity(r_squared, margin, level):
    dependence = Dependence(r_squared, margin, 0.0, -0.001, 0.001)
    (check,) = attribute_checks(AttributeAudit("year", "number", 2000, dependence))
    assert check.level == level
    assert (check.value, check.margin, check.high) == (r_squared, margin, 0.001)


@pytest.mark.parametrize(
    ("share", "margin", "level"),
    [(0.51, 0.001, "green"), (0.6, 0.2, "green"), (0.54, 0.01, "amber"), (0.46, 0.01, "amber"), (0.7, 0.01, "red")],
)
def test_levels_of_neighbors(share, margin, level):
    fairness = NeighborFairness(share, margin, 0.5, 0.1, 0.1)
    *_, check = attribute_checks(AttributeAudit("gender", "label", 2000, FLAT, fairness=fairness))
    assert check.name == "neighbors"
    assert check.level == level


@pytest.mark.parametrize(("share", "level"), [(0.12, "green"), (0.05, "green"), (0.25, "amber"), (0.31, "red")])
def test_levels_of_hubs(share, level):
    *_, check = degree_checks(DegreeAudit(FLAT, Finding("hubs among neighbors", share, ""), 0.0))
    assert check.name == "hubs"
    assert check.level == level


def test_the_worst_level_counts():
    green, amber, red = attacked(0.52), attacked(0.545), attacked(0.7)
    assert worst_level([green]) == "green"
    assert worst_level([green, amber]) == "amber"
    assert worst_level([red, green, amber]) == "red"


def test_every_check_has_its_thresholds_stated():
    fairness = NeighborFairness(0.5, 0.01, 0.5, 0.1, 0.1)
    report = AttackReport((Attack("linear SVM", 0.5, 0.02, 0.5, 0.47, 0.53),), 2000, 2)
    checks = attribute_checks(AttributeAudit("gender", "label", 2000, FLAT, report, fairness=fairness))
    checks += degree_checks(DegreeAudit(FLAT, Finding("hubs among neighbors", 0.1, ""), 0.0))
    assert {check.name for check in checks} == set(THRESHOLDS)
