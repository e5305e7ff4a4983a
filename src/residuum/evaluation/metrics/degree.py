"""Metrics of the dependence on degree."""

import numpy as np

from residuum.evaluation.bias import similarity_dependence
from residuum.evaluation.diagnosis import Finding, mean_margin
from residuum.evaluation.neighborhoods import hub_shares
from residuum.evaluation.subjects import DegreeSubject, metric

__all__ = ["HUBS", "dependence_on_degree", "hubs_among_neighbors"]

# Fraction of the nodes that count as hubs.
HUBS = 0.1


@metric(DegreeSubject)
def dependence_on_degree(subject: DegreeSubject) -> Finding:
    """Return the R² of similarity on the log degrees of a pair."""
    return Finding(
        "R² of similarity on degree",
        similarity_dependence(subject.vectors, np.log1p(subject.degree), random_state=subject.random_state),
        "0 = similarity does not depend on degree",
    )


@metric(DegreeSubject)
def hubs_among_neighbors(subject: DegreeSubject) -> Finding:
    """Return the fraction of hubs among nearest neighbors."""
    shares = hub_shares(subject.vectors, subject.degree, subject.n_neighbors, HUBS, subject.nearest)
    return Finding(
        "hubs among neighbors",
        float(shares.mean()),
        f"top {HUBS:.0%} of degrees among {subject.n_neighbors} nearest neighbors; {HUBS:g} = no preference for hubs",
        margin=mean_margin(shares),
    )
