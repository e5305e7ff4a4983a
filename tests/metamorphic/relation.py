"""What a metamorphic relation is, the registry of all of them, and the solvers and null models they run with.

A relation says how the result changes if the input changes: not at all if edges are written in another order, by ln 2
in the offsets if the graph is doubled. It needs no reference result, so it also holds the combinations that have none.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum import Graph, Residual2Vec
from residuum.nulls import (
    Bipartite,
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    ErdosRenyi,
    Multilayer,
    SampledNull,
    Spatial,
    Temporal,
)
from residuum.solvers import Block, Exact, Landmark, Likelihood, SkipGram

N_NODES = 24
N_COMPONENTS = 6
# All nodes are landmarks, and each node is a cluster: the solvers then differ in their arithmetic only.
SOLVERS: dict[str, Any] = {
    "exact": Exact(),
    "landmark": Landmark(),
    "block": Block(n_clusters=2 * N_NODES + 2),
    "likelihood": Likelihood(n_sweeps=2, n_contexts=64),
    "skipgram": SkipGram(n_walks=2, walk_length=10, epochs=1),
}
# Attributes by name, so that a null model follows the nodes of any graph that has them.
NULLS: dict[str, Any] = {
    "configuration": Configuration(),
    "bipartite": Bipartite("side"),
    "dcsbm": DegreeCorrectedSBM("group"),
    "degree-correlated": DegreeCorrelated(),
    "erdos-renyi": ErdosRenyi(),
    "multilayer": Multilayer("layer"),
    "rewired": SampledNull(n_samples=2),
    "spatial": Spatial(["x", "y"], n_bins=4),
    "temporal": Temporal("time"),
}
KINDS = ("undirected", "directed")
REFUSED = {("block", "rewired"): "the block solver needs a null model in block form"}

# Bits must not change if the arrays that the solver gets are the same, or differ by a power of two.
SAME_BITS = 0.0
# Entries of the matrix are float32 numbers of size 1, and 6 of 24 dimensions amplify their rounding errors.
ROUNDING = 1e-4


@dataclass(frozen=True)
class Case:
    """A solver and a null model on a graph."""

    solver: str
    null: str
    kind: str

    @property
    def directed(self) -> bool:
        """Whether the graph is directed."""
        return self.kind == "directed"

    @cached_property
    def graph(self) -> Graph:
        """The graph, the same for all solvers and null models."""
        return base_graph(self.directed)

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """Associations of all pairs in the fit that others are compared with."""
        return associations(self.base)

    @property
    def base(self) -> Residual2Vec:
        """The fit that others are compared with."""
        return _base_fit(self)

    def fit(self, graph: Any = None, **changes: Any) -> Residual2Vec:
        """Return a fit with changed parameters, or of another graph."""
        parameters: dict[str, Any] = {
            "n_components": N_COMPONENTS,
            "null_model": NULLS[self.null],
            "solver": SOLVERS[self.solver],
            "window": 3,
            "floor": -1.0,
            "shrinkage": 0.0,
            "scale": 1.0,
            "n_jobs": 1,
            "random_state": 0,
        }
        return Residual2Vec(**(parameters | changes)).fit(self.graph if graph is None else graph)

    def changed(self, graph: Any = None, **changes: Any) -> NDArray[np.float64]:
        """Return the associations of a fit with changed parameters, or of another graph."""
        return associations(self.fit(graph, **changes))


@cache
def _base_fit(case: Case) -> Residual2Vec:
    return case.fit()


@cache
def base_graph(directed: bool) -> Graph:
    """Return a connected graph with weights that are multiples of 1/4, and attributes for all null models."""
    rng = np.random.default_rng(7 + directed)
    A = (rng.random((N_NODES, N_NODES)) < 0.2) * rng.integers(1, 17, (N_NODES, N_NODES)) / 4
    np.fill_diagonal(A, 0)
    A += np.roll(np.eye(N_NODES), 1, axis=1)
    A[3, 3] = 2.5
    attributes = {
        "group": np.array(["red", "green", "blue"])[np.arange(N_NODES) % 3],
        "layer": np.array(["mail", "phone"])[np.arange(N_NODES) * 5 % 7 % 2],
        "side": np.arange(N_NODES) % 2,
        "time": 1990 + np.arange(N_NODES) * 7 % 5,
        "x": rng.random(N_NODES),
        "y": rng.random(N_NODES),
    }
    return Graph(A if directed else np.triu(A) + np.triu(A, 1).T, directed=directed, node_attributes=attributes)


def rebuilt(graph: Graph, adjacency: Any, node_ids: Any = None, **attributes: Any) -> Graph:
    """Return a graph with another matrix, ids or attributes."""
    ids = graph.node_ids if node_ids is None else node_ids
    return Graph(adjacency, ids, directed=graph.directed, node_attributes=graph.node_attributes | attributes)


def associations(model: Residual2Vec, ids: Any = None) -> NDArray[np.float64]:
    """Return ``u_i · v_j`` of all pairs, in the order of the ids."""
    rows = slice(None) if ids is None else model.graph_.positions(ids)
    u, v = model.embedding_[rows].astype(np.float64), model.context_embedding_[rows].astype(np.float64)
    return np.asarray(u @ v.T)


Check = Callable[[Case], tuple[Any, Any]]


@dataclass(frozen=True)
class Relation:
    """How the result changes with the input.

    Attributes
    ----------
    name : str
        What is done to the input.
    effect : str
        What the result must be, and why.
    tolerance : float
        Largest absolute difference between the two sides.
    check : callable
        Returns the two sides for a case.
    fails : mapping of str to str
        Solvers, null models and kinds of graphs for which the relation does not hold, and why.
    """

    name: str
    effect: str
    tolerance: float
    check: Check
    fails: Mapping[str, str]

    def cases(self, solver: str) -> Iterator[Case]:
        """Yield the cases of a solver for which the relation holds."""
        for case in all_cases(solver):
            if not {case.solver, case.null, case.kind} & self.fails.keys():
                yield case

    def difference(self, case: Case) -> float:
        """Return the largest difference between the two sides."""
        left, right = (np.asarray(side, dtype=np.float64) for side in self.check(case))
        assert left.shape == right.shape
        assert left.size
        # Offsets of isolated nodes are −inf on both sides.
        with np.errstate(invalid="ignore"):
            return float(np.where(left == right, 0.0, np.abs(left - right)).max())

    def exceptions(self, reason: str) -> Iterator[Case]:
        """Yield the cases for which the relation does not hold for one reason alone."""
        for solver in SOLVERS:
            for case in all_cases(solver):
                if {case.solver, case.null, case.kind} & self.fails.keys() == {reason}:
                    yield case


def all_cases(solver: str) -> Iterator[Case]:
    """Yield all cases of a solver that it does not refuse."""
    for null in NULLS:
        for kind in KINDS:
            if (solver, null) not in REFUSED:
                yield Case(solver, null, kind)


RELATIONS: dict[str, Relation] = {}


def relation(
    name: str, effect: str, tolerance: float, fails: Mapping[str, str] | None = None
) -> Callable[[Check], Check]:
    """Register a function as a relation."""

    def register(check: Check) -> Check:
        assert name not in RELATIONS
        RELATIONS[name] = Relation(name, effect, tolerance, check, dict(fails or {}))
        return check

    return register


# Reasons that many relations share.
SAMPLED = {
    "likelihood": "samples contexts, and other bits of the input give other samples",
    "skipgram": "samples walks, and other bits of the input give other walks",
}
SWAPS = {"rewired": "edge swaps follow the order of the edges"}
UNDIRECTED_ONLY = {"directed": "a statement about undirected graphs"}
DIRECTED_ONLY = {"undirected": "a statement about directed graphs"}


def only(nulls: str, why: str) -> dict[str, str]:
    """Return the reason why a relation does not hold for any other null model."""
    return {name: why for name in NULLS if name not in nulls.split()}
