"""Relations between null models, and of their groups."""

from typing import Any

import numpy as np

from metamorphic.relation import NULLS, ROUNDING, SAME_BITS, UNDIRECTED_ONLY, Case, only, rebuilt, relation
from residuum.nulls import (
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    FittedNull,
    Multilayer,
    Spatial,
    Temporal,
)

ORDERED = {"skipgram": "draws negatives group by group, in the order of the groups"}
GROUPED = "bipartite dcsbm degree-correlated multilayer temporal"
BY_GROUPS = only(GROUPED, "has no groups that the user names or multiplies")


def probabilities(null: FittedNull, n_nodes: int) -> Any:
    """Return P_0 of all pairs."""
    return np.exp(null.log_rows(np.arange(n_nodes)))


@relation(
    "put all nodes into one group",
    "the null model is the configuration model",
    ROUNDING,
    only("dcsbm degree-correlated multilayer spatial temporal", "always has two sides, or no groups"),
)
def one_group(case: Case) -> tuple[Any, Any]:
    same = np.zeros(case.graph.n_nodes)
    null = {
        "dcsbm": DegreeCorrectedSBM(same),
        "degree-correlated": DegreeCorrelated(ratio=1e6),
        "multilayer": Multilayer(same),
        "spatial": Spatial(["x", "y"], n_places=1),
        "temporal": Temporal(same),
    }[case.null]
    return case.changed(null_model=null), case.changed(null_model=Configuration())


@relation(
    "rename the groups in reverse order",
    "P_0 depends on who shares a group, not on its name",
    ROUNDING,
    ORDERED,
)
def renamed_groups(case: Case) -> tuple[Any, Any]:
    old = case.graph.node_attributes
    names = {name: -np.unique(old[name], return_inverse=True)[1] for name in ("side", "group", "layer", "time")}
    return case.changed(rebuilt(case.graph, case.graph.adjacency, **names)), case.scores


@relation(
    "shift and stretch times and coordinates",
    "bins follow the order of times, and of distances",
    ROUNDING,
    ORDERED,
)
def affine_attributes(case: Case) -> tuple[Any, Any]:
    old = case.graph.node_attributes
    # A rotation by 90 degrees and a change of units.
    new = {"time": 12.0 * old["time"] - 5.0, "x": 4.0 - 8.0 * old["y"], "y": 8.0 * old["x"] + 1.0}
    return case.changed(rebuilt(case.graph, case.graph.adjacency, **new)), case.scores


@relation("write a null model as the dcSBM of its groups", "the same groups, so the same bits", SAME_BITS, BY_GROUPS)
def dcsbm_of_the_groups(case: Case) -> tuple[Any, Any]:
    codes = NULLS[case.null].groups_of(case.graph)[0]
    return case.changed(null_model=DegreeCorrectedSBM(codes)), case.scores


@relation("multiply a null model by itself", "pairs of equal groups are the groups", SAME_BITS, BY_GROUPS)
def squared_null(case: Case) -> tuple[Any, Any]:
    return case.changed(null_model=NULLS[case.null] * NULLS[case.null]), case.scores


@relation("multiply by a null model with merged groups", "the finer groups remain", SAME_BITS, BY_GROUPS)
def coarser_factor(case: Case) -> tuple[Any, Any]:
    coarse = DegreeCorrectedSBM(NULLS[case.null].groups_of(case.graph)[0] // 2)
    return case.changed(null_model=coarse * NULLS[case.null]), case.scores


@relation("swap the factors of a product", "pairs of groups have no order", ROUNDING, ORDERED | BY_GROUPS)
def commuting_factors(case: Case) -> tuple[Any, Any]:
    first, second = NULLS[case.null], DegreeCorrectedSBM(np.arange(case.graph.n_nodes) // 12)
    return case.changed(null_model=first * second), case.changed(null_model=second * first)


@relation("merge groups", "at window 1 as many steps lead from one merged group to another", 1e-12, BY_GROUPS)
def merged_groups(case: Case) -> tuple[Any, Any]:
    graph = case.graph
    fine = NULLS[case.null].groups_of(graph)[0]
    coarse = fine // 2
    member = np.eye(coarse.max() + 1)[coarse]
    flows = [
        member.T @ (graph.out_strength[:, None] * probabilities(null.fit(graph, 1), graph.n_nodes)) @ member
        for null in (DegreeCorrectedSBM(fine), DegreeCorrectedSBM(coarse))
    ]
    return flows[0] / flows[1].sum(), flows[1] / flows[1].sum()


@relation(
    "set the exponent of the degree to 0",
    "the configuration model is the Erdős–Rényi model",
    ROUNDING,
    only("erdos-renyi", "a statement about Erdős–Rényi"),
)
def exponent_zero(case: Case) -> tuple[Any, Any]:
    return case.changed(null_model=Configuration(0.0)), case.scores


@relation("sum P_0 over all contexts", "a walker is somewhere: rows sum to 1", 1e-5)
def rows_sum_to_one(case: Case) -> tuple[Any, Any]:
    total = probabilities(case.base.null_, case.graph.n_nodes).sum(axis=1)
    return total, np.ones_like(total)


@relation("average P_0 over centers", "the marginal is exp z", 1e-6)
def marginal(case: Case) -> tuple[Any, Any]:
    null = case.base.null_
    return np.exp(null.source_offset) @ probabilities(null, case.graph.n_nodes), np.exp(null.offset)


@relation(
    "reverse the walks of P_0",
    "d_i P_0(j | i) is symmetric: null graphs are undirected, too",
    1e-6,
    UNDIRECTED_ONLY
    | {
        "rewired": "swaps keep the strengths of a weighted graph on average only",
    },
)
def null_detailed_balance(case: Case) -> tuple[Any, Any]:
    null = case.base.null_
    flow = np.exp(null.source_offset)[:, None] * probabilities(null, case.graph.n_nodes)
    return flow, flow.T
