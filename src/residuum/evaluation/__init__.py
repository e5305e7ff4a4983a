"""Measures of the quality and the bias of node vectors, from residuum or any other tool."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.evaluation.approximation import log_probability_correlation
    from residuum.evaluation.attackers import ATTACKERS, Attack, AttackReport, attack
    from residuum.evaluation.auditing import AttributeAudit, Audit, DegreeAudit, EmbeddingAudit, audit
    from residuum.evaluation.bias import Predictability, attribute_auc, label_predictability, similarity_dependence
    from residuum.evaluation.communities import (
        Recovery,
        community_auc,
        community_recovery,
        detectability_limit,
        element_centric_similarity,
        partition_recovery,
    )
    from residuum.evaluation.comparison import Comparison, Interval, mean_interval, paired_comparison
    from residuum.evaluation.dependence import Dependence, dependence_test
    from residuum.evaluation.diagnosis import (
        Finding,
        diagnose_degree,
        diagnose_distance,
        diagnose_groups,
        diagnose_sides,
    )
    from residuum.evaluation.disparity import (
        Disparity,
        RecommendationDisparity,
        recommendation_disparity,
        similarity_disparity,
    )
    from residuum.evaluation.edge_fold import EdgeFold
    from residuum.evaluation.fairness import NeighborFairness, neighbor_fairness
    from residuum.evaluation.grading import grade_degree, grade_labels, grade_links, grade_numbers
    from residuum.evaluation.linear_classes import classify_nodes
    from residuum.evaluation.link_prediction import LinkTask, auc_interval, auc_roc, average_precision, link_task
    from residuum.evaluation.link_ranking import MissingLinks, missing_links
    from residuum.evaluation.neighborhoods import GroupMix, Hubness, group_mix, hub_share, hubness
    from residuum.evaluation.node_prediction import ClassPrediction, predict_classes, predict_numbers
    from residuum.evaluation.pairs import degree_matched_non_edges, non_edges_at_distance, uniform_non_edges
    from residuum.evaluation.parity import DistanceParity, distance_parity
    from residuum.evaluation.recommendation import Recommendation, recommend
    from residuum.evaluation.splits import EdgeSplit, hide_edges, with_edges
    from residuum.evaluation.subjects import (
        DegreeSubject,
        LabelSubject,
        LinkGroupsSubject,
        LinkSubject,
        NumberSubject,
        metric,
        metrics_of,
    )
    from residuum.evaluation.vectors import as_vectors, pair_scores
    from residuum.evaluation.verdicts import THRESHOLDS, Check, attribute_checks, degree_checks, worst_level
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "ATTACKERS",
    "THRESHOLDS",
    "Attack",
    "AttackReport",
    "AttributeAudit",
    "Audit",
    "Check",
    "ClassPrediction",
    "Comparison",
    "DegreeAudit",
    "DegreeSubject",
    "Dependence",
    "Disparity",
    "DistanceParity",
    "EdgeFold",
    "EdgeSplit",
    "EmbeddingAudit",
    "Finding",
    "GroupMix",
    "Hubness",
    "Interval",
    "LabelSubject",
    "LinkGroupsSubject",
    "LinkSubject",
    "LinkTask",
    "MissingLinks",
    "NeighborFairness",
    "NumberSubject",
    "Predictability",
    "Recommendation",
    "RecommendationDisparity",
    "Recovery",
    "as_vectors",
    "attack",
    "attribute_auc",
    "attribute_checks",
    "auc_interval",
    "auc_roc",
    "audit",
    "average_precision",
    "classify_nodes",
    "community_auc",
    "community_recovery",
    "degree_checks",
    "degree_matched_non_edges",
    "dependence_test",
    "detectability_limit",
    "diagnose_degree",
    "diagnose_distance",
    "diagnose_groups",
    "diagnose_sides",
    "distance_parity",
    "element_centric_similarity",
    "grade_degree",
    "grade_labels",
    "grade_links",
    "grade_numbers",
    "group_mix",
    "hide_edges",
    "hub_share",
    "hubness",
    "label_predictability",
    "link_task",
    "log_probability_correlation",
    "mean_interval",
    "metric",
    "metrics_of",
    "missing_links",
    "neighbor_fairness",
    "non_edges_at_distance",
    "pair_scores",
    "paired_comparison",
    "partition_recovery",
    "predict_classes",
    "predict_numbers",
    "recommend",
    "recommendation_disparity",
    "similarity_dependence",
    "similarity_disparity",
    "uniform_non_edges",
    "with_edges",
    "worst_level",
]
