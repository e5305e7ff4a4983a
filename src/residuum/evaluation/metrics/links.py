"""Metrics of link prediction, for all nodes and by group."""

from residuum.errors import InvalidParameterError
from residuum.evaluation.diagnosis import Finding, mean_margin
from residuum.evaluation.disparity import recommendation_disparity
from residuum.evaluation.subjects import LinkGroupsSubject, LinkSubject, metric

__all__ = ["auc", "auc_beyond_degree", "average_precision", "precision_at_10", "recall_at_10", "recall_gap"]


@metric(LinkSubject)
def auc_beyond_degree(subject: LinkSubject) -> Finding:
    """Return the AUC of the residual score against degree-matched negatives."""
    value, margin = subject.task.auc_interval(subject.scores.residual, "degree-matched")
    return Finding(
        "link AUC, beyond degree",
        value,
        f"residual score: {len(subject.task.positive):,} held-out edges against degree-matched non-edges; 0.5 = chance",
        margin=margin,
    )


@metric(LinkSubject)
def auc(subject: LinkSubject) -> Finding:
    """Return the AUC of the full score against uniform negatives."""
    value, margin = subject.task.auc_interval(subject.full, "uniform")
    return Finding(
        "link AUC", value, "full score: held-out edges against uniform non-edges; 0.5 = chance", margin=margin
    )


@metric(LinkSubject)
def average_precision(subject: LinkSubject) -> Finding:
    """Return the average precision of the full score against uniform negatives."""
    return Finding(
        "link average precision",
        subject.task.average_precision(subject.full, "uniform"),
        "full score, same pairs as link AUC; 0.5 = chance",
    )


@metric(LinkSubject)
def precision_at_10(subject: LinkSubject) -> Finding:
    """Return the mean precision of ten recommendations per node."""
    return Finding(
        "precision at 10",
        float(subject.recommendation.precision.mean()),
        "fraction of a node's 10 highest-scoring non-neighbors that are held-out edges",
        margin=mean_margin(subject.recommendation.precision),
    )


@metric(LinkSubject)
def recall_at_10(subject: LinkSubject) -> Finding:
    """Return the mean recall of ten recommendations per node."""
    return Finding(
        "recall at 10",
        float(subject.recommendation.recall.mean()),
        "fraction of a node's held-out edges among its 10 highest-scoring non-neighbors",
        margin=mean_margin(subject.recommendation.recall),
    )


@metric(LinkGroupsSubject)
def recall_gap(subject: LinkGroupsSubject) -> Finding:
    """Return the difference in recall between the groups with the best and the worst recommendations."""
    name = f"recall gap by {subject.name}"
    try:
        disparity = recommendation_disparity(
            subject.links.recommendation, subject.labels, random_state=subject.links.random_state
        )
    except InvalidParameterError as error:
        return Finding(name, float("nan"), f"not measured: {error}")
    best, worst = int(disparity.recall.argmax()), int(disparity.recall.argmin())
    extremes = ", ".join(f"{disparity.groups[group]} {disparity.recall[group]:.3f}" for group in (best, worst))
    return Finding(
        name,
        disparity.gap,
        f"recall at 10, best and worst group: {extremes}; {disparity.chance:.3f} for permuted groups, up to "
        f"{disparity.high:.3f} by chance",
    )
