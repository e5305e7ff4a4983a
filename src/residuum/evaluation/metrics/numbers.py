"""Metrics of a number: dependence of similarity, and predictors."""

from residuum.evaluation.bias import attribute_auc, auc_meaning, similarity_dependence
from residuum.evaluation.diagnosis import Finding
from residuum.evaluation.metrics.labels import attack_finding
from residuum.evaluation.node_prediction import predict_numbers
from residuum.evaluation.subjects import NumberSubject, metric

__all__ = ["dependence_on_number", "linear_auc_of_number", "r_squared_of_number", "strongest_attacker_of_number"]


@metric(NumberSubject)
def dependence_on_number(subject: NumberSubject) -> Finding:
    """Return the R² of similarity on the numbers of a pair."""
    return Finding(
        f"R² of similarity on {subject.name}",
        similarity_dependence(subject.vectors, subject.numbers, random_state=subject.random_state),
        f"0 = similarity does not depend on {subject.name}",
    )


@metric(NumberSubject)
def linear_auc_of_number(subject: NumberSubject) -> Finding:
    """Return the AUC of a linear predictor of being above the median."""
    auc = attribute_auc(subject.vectors, subject.numbers, random_state=subject.random_state)["linear"]
    meaning = auc_meaning(auc, "linear predictor of being above the median", len(subject.numbers))
    return Finding(f"AUC of high {subject.name}, linear", auc, meaning)


@metric(NumberSubject)
def strongest_attacker_of_number(subject: NumberSubject) -> Finding:
    """Return the balanced accuracy of the predictor of the number's bin that is farthest from chance."""
    return attack_finding(subject)


@metric(NumberSubject)
def r_squared_of_number(subject: NumberSubject) -> Finding:
    """Return the R² of the number predicted from nearest neighbors."""
    r_squared = predict_numbers(subject.vectors, subject.numbers, n_neighbors=10, random_state=subject.random_state)
    return Finding(
        f"R² of {subject.name}",
        float(r_squared.mean()),
        "predicted from 10 nearest neighbors, five folds; 1 = perfect",
    )
