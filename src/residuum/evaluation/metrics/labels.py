"""Metrics of a label: dependence of similarity, composition of neighborhoods, and predictors."""

import numpy as np
from numpy.typing import NDArray

from residuum.errors import InvalidParameterError
from residuum.evaluation.attackers import AttackReport
from residuum.evaluation.bias import auc_meaning, similarity_dependence
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.disparity import similarity_disparity
from residuum.evaluation.node_prediction import predict_classes
from residuum.evaluation.parity import distance_parity
from residuum.evaluation.subjects import LabelSubject, NumberSubject, metric

__all__ = [
    "attack_finding",
    "dependence_on_label",
    "linear_auc_of_label",
    "micro_f1_of_label",
    "neighbor_auc_of_label",
    "order_of_neighbors",
    "same_label_among_neighbors",
    "similarity_gap",
    "similarity_gap_by_distance",
    "strongest_attacker",
]


@metric(LabelSubject)
def dependence_on_label(subject: LabelSubject) -> Finding:
    """Return the R² of similarity on whether two nodes have the same label."""
    return Finding(
        f"R² of similarity on same {subject.name}",
        similarity_dependence(subject.vectors, subject.labels, random_state=subject.random_state),
        f"0 = similarity does not depend on a common {subject.name}",
    )


@metric(LabelSubject)
def similarity_gap(subject: LabelSubject) -> Finding:
    """Return the difference in mean cosine between pairs with the same label and other pairs."""
    return Finding(
        f"similarity gap by {subject.name}",
        similarity_disparity(subject.vectors, subject.labels).gap,
        f"mean cosine of nodes with the same {subject.name} minus that of other pairs",
    )


@metric(LabelSubject)
def similarity_gap_by_distance(subject: LabelSubject) -> Finding:
    """Return the difference in mean cosine between pairs with the same label and others at the same graph distance."""
    parity = distance_parity(subject.vectors, subject.labels, subject.graph, random_state=subject.random_state)
    gaps = [f"{d}: {gap:.3f}" for d, gap in zip(parity.distance, parity.gaps, strict=True) if not np.isnan(gap)]
    at = f"; by number of steps {', '.join(gaps)}" if gaps else ""
    return Finding(f"similarity gap by {subject.name}, same distance", parity.gap, f"pairs equally far apart{at}")


@metric(LabelSubject)
def same_label_among_neighbors(subject: LabelSubject) -> Finding:
    """Return the fraction of nearest neighbors with the same label."""
    mix = subject.mix
    neighbors, edges, expected = (
        _mean_within(matrix, subject.shares) for matrix in (mix.neighbors, mix.graph, mix.null)
    )
    return Finding(
        f"same {subject.name} among neighbors",
        neighbors,
        f"{subject.n_neighbors} nearest neighbors; {edges:.3f} along edges, {expected:.3f} expected from degrees",
    )


def _mean_within(mix: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    """Return the mean of the diagonal, weighted by group size; groups with NaN are ignored."""
    inside = np.diagonal(mix)
    defined = ~np.isnan(inside)
    return float(np.average(inside[defined], weights=shares[defined])) if defined.any() else float("nan")


@metric(LabelSubject)
def order_of_neighbors(subject: LabelSubject) -> Finding:
    """Return the divergence of ranked neighbors from the shares of the groups."""
    fairness = subject.fairness
    return Finding(
        f"NDKL of {subject.name} among neighbors",
        fairness.ndkl,
        f"{subject.n_neighbors} nearest neighbors, in order; {fairness.ndkl_chance:.3f} in random order",
    )


@metric(LabelSubject)
def strongest_attacker(subject: LabelSubject) -> Finding:
    """Return the balanced accuracy of the predictor of the label that is farthest from chance."""
    return attack_finding(subject)


def attack_finding(subject: LabelSubject | NumberSubject) -> Finding:
    """Return the balanced accuracy of the strongest attacker; NaN if there are too few nodes to measure it.

    Parameters
    ----------
    subject : LabelSubject or NumberSubject
        Vectors and the attribute; numbers are attacked in five bins.

    Returns
    -------
    Finding
        Accuracy, and the sentence on the strongest attacker, after and before erasure.
    """
    name = f"strongest attacker on {subject.name}"
    try:
        strongest = subject.attacks.strongest
    except InvalidParameterError as error:
        return Finding(name, float("nan"), f"not measured: {error}")
    bins = "five bins; " if isinstance(subject, NumberSubject) else ""
    return Finding(name, strongest.accuracy, f"{bins}{strongest}{_before(subject.attacks_before)}")


def _before(report: AttackReport | None) -> str:
    """Return what the strongest attacker finds before erasure."""
    if report is None:
        return ""
    strongest = report.strongest
    return f"; before erasure {strongest.name} {strongest.accuracy:.3f} ± {strongest.margin:.3f}"


@metric(LabelSubject)
def linear_auc_of_label(subject: LabelSubject) -> Finding:
    """Return the AUC of a linear predictor of the label."""
    return _auc(subject, "linear", "linear")


@metric(LabelSubject)
def neighbor_auc_of_label(subject: LabelSubject) -> Finding:
    """Return the AUC of a nearest-neighbor predictor of the label."""
    return _auc(subject, "nearest neighbors", "neighbors")


def _auc(subject: LabelSubject, predictor: str, short: str) -> Finding:
    auc = subject.auc[predictor]
    meaning = auc_meaning(auc, f"predictor from the vectors: {predictor}", len(subject.labels), subject.shares.max())
    return Finding(f"AUC of {subject.name}, {short}", auc, meaning)


@metric(LabelSubject)
def micro_f1_of_label(subject: LabelSubject) -> Finding:
    """Return the micro-F1 of the label predicted from nearest neighbors."""
    prediction = predict_classes(subject.vectors, subject.labels, n_neighbors=10, random_state=subject.random_state)
    return Finding(
        f"micro-F1 of {subject.name}",
        float(prediction.micro_f1.mean()),
        f"10 nearest neighbors, five folds; the largest group has {subject.shares.max():.3f} of the nodes",
    )
