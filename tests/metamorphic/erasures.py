"""Relations of erasure."""

from typing import Any

import numpy as np

from metamorphic.nodes import with_rows
from metamorphic.relation import NULLS, ROUNDING, SWAPS, Case, only, relation

NOT_ERASED = {
    "likelihood": "erases at level distribution only",
    "skipgram": "erases at level distribution only",
}


@relation("erase with strength 0", "nothing is erased", ROUNDING, NOT_ERASED)
def no_strength(case: Case) -> tuple[Any, Any]:
    return case.changed(erase="group", erase_strength=0.0), case.scores


@relation("erase an attribute twice", "once is enough", ROUNDING, NOT_ERASED)
def erased_twice(case: Case) -> tuple[Any, Any]:
    return case.changed(erase=["group", "group"]), case.changed(erase="group")


@relation("swap two erased attributes", "the span of their columns is the same", ROUNDING, NOT_ERASED)
def order_of_erasure(case: Case) -> tuple[Any, Any]:
    return case.changed(erase=["group", "layer"]), case.changed(erase=["layer", "group"])


@relation("rename the labels to erase", "erasure depends on who shares a label", ROUNDING, NOT_ERASED)
def renamed_labels(case: Case) -> tuple[Any, Any]:
    codes = -np.unique(case.graph.node_attributes["group"], return_inverse=True)[1]
    return case.changed(erase=codes), case.changed(erase="group")


@relation("erase a constant label as well", "the indicators of any label sum to it", ROUNDING, NOT_ERASED)
def constant_label(case: Case) -> tuple[Any, Any]:
    constant = np.zeros(case.graph.n_nodes)
    return case.changed(erase={"group": "group", "constant": constant}), case.changed(erase="group")


@relation("erase a merged label as well", "its indicators are sums of those that are erased", ROUNDING, NOT_ERASED)
def merged_label(case: Case) -> tuple[Any, Any]:
    merged = case.graph.node_attributes["group"] == "red"
    return case.changed(erase={"group": "group", "is red": merged}), case.changed(erase="group")


@relation("average the vectors of an erased group", "all groups have the mean 0", 1e-5, NOT_ERASED)
def means_of_groups(case: Case) -> tuple[Any, Any]:
    group = case.graph.node_attributes["group"]
    vectors = case.fit(erase="group").embedding_
    means = [vectors[group == label].mean(axis=0) for label in np.unique(group)]
    return means, np.zeros_like(means)


@relation(
    "erase the groups of the null model by name",
    "erase='null' is the label of the groups",
    ROUNDING,
    NOT_ERASED | only("bipartite dcsbm degree-correlated multilayer temporal", "has no groups"),
)
def groups_of_the_null(case: Case) -> tuple[Any, Any]:
    codes = NULLS[case.null].groups_of(case.graph)[0]
    return case.changed(erase="null"), case.changed(erase=codes)


@relation("permute the nodes and erase", "erasure follows the nodes", ROUNDING, NOT_ERASED | SWAPS)
def permuted_and_erased(case: Case) -> tuple[Any, Any]:
    graph = case.graph
    order = np.random.default_rng(0).permutation(graph.n_nodes)
    permuted = with_rows(graph, graph.adjacency[order][:, order], order)
    return case.changed(permuted, erase="group"), case.changed(erase="group")[np.ix_(order, order)]
