"""Verdicts of an audit in words, with a level by stated thresholds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from residuum.evaluation.attackers import Attack
from residuum.evaluation.auditing import AttributeAudit, DegreeAudit
from residuum.evaluation.dependence import Dependence
from residuum.evaluation.metrics.degree import HUBS

__all__ = ["THRESHOLDS", "Check", "Level", "attribute_checks", "degree_checks", "worst_level"]

Level = Literal["green", "amber", "red"]

# Leak of an attacker: amber up to here, red above.
_SMALL_LEAK = 0.05
# A wider interval of chance decides nothing.
_WIDE_CHANCE = 0.1
# Excess R² of similarity, and excess share of neighbors: green up to the first, amber up to the second.
_R_SQUARED = (0.01, 0.05)
_NEIGHBORS = (0.02, 0.05)
_HUBS = (0.05, 0.2)

#: What the levels mean, by name of the check.
THRESHOLDS = {
    "attackers": "Green: no attacker differs from chance. "
    f"Amber: the strongest differs by at most {_SMALL_LEAK:g}, its interval overlaps that of chance, or there are too "
    f"few nodes to tell (chance varies by more than {_WIDE_CHANCE:g}). "
    "Red: it differs by more, and the intervals do not overlap.",
    "similarity": f"Green: the R² of similarity is at most {_R_SQUARED[0]:g} above the value expected from degrees, or "
    f"within its interval. Amber: at most {_R_SQUARED[1]:g} above. Red: more.",
    "neighbors": f"Green: the share of neighbors in the same group is within {_NEIGHBORS[0]:g} of the value expected "
    f"from degrees, or its interval contains this value. Amber: within {_NEIGHBORS[1]:g}. Red: beyond.",
    "hubs": f"Green: the share of hubs among neighbors is within {_HUBS[0]:g} of {HUBS:g}. Amber: within {_HUBS[1]:g}. "
    "Red: beyond.",
}


@dataclass(frozen=True)
class Check:
    """One measured value, the value expected without bias, and the verdict.

    Attributes
    ----------
    name : str
        Key of :data:`THRESHOLDS`.
    level : {"green", "amber", "red"}
        Verdict by the thresholds.
    text : str
        The verdict as a sentence.
    value, margin : float
        Measured value and half the width of its 95 % confidence interval.
    expected, low, high : float
        Value expected without bias, and its interval.

    Examples
    --------
    >>> Check("hubs", "green", "Hubs are not preferred.", 0.11, 0.0, 0.1, 0.1, 0.1).level
    'green'
    """

    name: str
    level: Level
    text: str
    value: float
    margin: float
    expected: float
    low: float
    high: float


def worst_level(checks: Iterable[Check]) -> Level:
    """Return the worst level of some checks.

    Parameters
    ----------
    checks : iterable of Check
        Checks of one attribute.

    Returns
    -------
    {"green", "amber", "red"}
        Red if any check is red, else amber if any is amber, else green.

    Examples
    --------
    >>> worst_level([])
    'green'
    """
    levels = {check.level for check in checks}
    return "red" if "red" in levels else "amber" if "amber" in levels else "green"


def attribute_checks(attribute: AttributeAudit) -> list[Check]:
    """Return the checks of an attribute: attackers, similarity and, for labels, neighbors.

    Parameters
    ----------
    attribute : AttributeAudit
        Measured values.

    Returns
    -------
    list of Check
        Attackers are missing if too few nodes have a value.

    Examples
    --------
    >>> from residuum.evaluation import Dependence
    >>> flat = AttributeAudit("year", "number", 2000, Dependence(0.0, 0.01, 0.0, -0.01, 0.01))
    >>> [check.text for check in attribute_checks(flat)]
    ['0.0% ± 1.0% of the variance of similarity is explained by year; 0.0% is expected from degrees alone.']
    """
    checks = []
    if attribute.attacks is not None:
        n_attackers = len(attribute.attacks.attacks)
        checks.append(_attack_check(attribute.name, attribute.kind, attribute.attacks.strongest, n_attackers))
    checks.append(_similarity_check(attribute.name, attribute.dependence))
    fairness = attribute.fairness
    if fairness is not None:
        distance = abs(fairness.excess)
        level = "green" if distance <= fairness.margin else _graded(distance, _NEIGHBORS)
        text = (
            f"{_percent(fairness.same_group)} ± {_percent(fairness.margin)} of the nearest neighbors of a node have "
            f"the same {attribute.name}; {_percent(fairness.expected)} is expected from degrees alone."
        )
        expected = fairness.expected
        checks.append(
            Check("neighbors", level, text, fairness.same_group, fairness.margin, expected, expected, expected)
        )
    return checks


def degree_checks(degree: DegreeAudit) -> list[Check]:
    """Return the checks of degree: similarity, and hubs among neighbors.

    Parameters
    ----------
    degree : DegreeAudit
        Measured values.

    Returns
    -------
    list of Check
        Two checks.

    Examples
    --------
    >>> from residuum.evaluation import Dependence, Finding
    >>> flat = Dependence(0.0, 0.01, 0.0, -0.01, 0.01)
    >>> [check.level for check in degree_checks(DegreeAudit(flat, Finding("hubs", 0.5, ""), 0.9))]
    ['green', 'red']
    """
    share, margin = degree.hubs.value, degree.hubs.margin or 0.0
    text = (
        f"{_percent(share)} ± {_percent(margin)} of the nearest neighbors are hubs (the {HUBS:.0%} of the nodes with "
        f"the highest degree); {_percent(HUBS)} is expected without a preference for hubs."
    )
    return [
        _similarity_check("degree", degree.dependence, "by chance"),
        Check("hubs", _graded(abs(share - HUBS), _HUBS), text, share, margin, HUBS, HUBS, HUBS),
    ]


def _attack_check(name: str, kind: str, strongest: Attack, n_attackers: int) -> Check:
    wide = strongest.high - strongest.chance > _WIDE_CHANCE
    # The interval of chance alone is too narrow: it holds the predictions fixed, which depend on the labels.
    apart = strongest.leak - strongest.margin > strongest.high - strongest.chance
    level: Level = "green"
    if strongest.is_leak:
        level = "red" if apart and strongest.leak > _SMALL_LEAK else "amber"
    elif wide:
        level = "amber"
    target = f"which of five bins of {name} a node is in" if kind == "number" else name
    text = (
        f"The strongest of {n_attackers} attackers ({strongest.name}) predicts {target} with a balanced accuracy of "
        f"{_percent(strongest.accuracy)} ± {_percent(strongest.margin)}; guessing gives {_percent(strongest.chance)} "
        f"({_percent(strongest.low)} to {_percent(strongest.high)}). {_conclusion(name, strongest, wide, apart)}"
    )
    return Check(
        "attackers", level, text, strongest.accuracy, strongest.margin, strongest.chance, strongest.low, strongest.high
    )


def _conclusion(name: str, strongest: Attack, wide: bool, apart: bool) -> str:
    if not strongest.is_leak:
        if wide:
            return "The audit has too few nodes to tell the two apart."
        return f"No attacker does better than guessing: the vectors do not reveal {name} to them."
    if not apart:
        return "The two intervals overlap, so the difference may be chance."
    if strongest.accuracy < strongest.chance:
        return f"It is worse than guessing, which is a leak: the opposite of its prediction tells {name}."
    return f"The vectors reveal {name}."


def _similarity_check(name: str, dependence: Dependence, source: str = "from degrees alone") -> Check:
    level = _graded(dependence.excess, _R_SQUARED) if dependence.is_dependent else "green"
    text = (
        f"{_percent(dependence.r_squared)} ± {_percent(dependence.margin)} of the variance of similarity is explained "
        f"by {name}; {_percent(dependence.expected)} is expected {source}."
    )
    d = dependence
    return Check("similarity", level, text, d.r_squared, d.margin, d.expected, d.low, d.high)


def _graded(distance: float, thresholds: tuple[float, float]) -> Level:
    green, amber = thresholds
    return "green" if distance <= green else "amber" if distance <= amber else "red"


def _percent(share: float) -> str:
    # Adding 0.0 turns "-0.0" into "0.0".
    return f"{round(100 * share, 1) + 0.0:.1f}%"
