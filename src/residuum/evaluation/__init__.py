"""How good, how biased: tasks that grade any vectors, ours or not."""

from residuum.evaluation.bias import Predictability, label_predictability, similarity_dependence
from residuum.evaluation.diagnosis import (
    Finding,
    diagnose_degree,
    diagnose_distance,
    diagnose_groups,
    diagnose_sides,
)
from residuum.evaluation.link_prediction import LinkTask, auc_roc, link_task
from residuum.evaluation.pairs import degree_matched_non_edges, uniform_non_edges
from residuum.evaluation.splits import EdgeSplit, hide_edges

__all__ = [
    "EdgeSplit",
    "Finding",
    "LinkTask",
    "Predictability",
    "auc_roc",
    "degree_matched_non_edges",
    "diagnose_degree",
    "diagnose_distance",
    "diagnose_groups",
    "diagnose_sides",
    "hide_edges",
    "label_predictability",
    "link_task",
    "similarity_dependence",
    "uniform_non_edges",
]
