"""The likelihood of skip-gram on a partitioned graph: gradients and losses of some rows, as tasks compute them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.likelihood import add_pulls
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.pieces import Piece
from residuum.distributed.products import Walks
from residuum.distributed.stripes import Stripes, build_stripes
from residuum.distributed.walkers import PairFiles, WalkBatch
from residuum.nulls import BlockForm
from residuum.residual import N_COLUMNS, ResidualMatrix, chunk_rows
from residuum.residual.contexts import Pairs, WalkPlan
from residuum.residual.likelihood import Side
from residuum.residual.linalg import tall_product
from residuum.residual.newton import NewtonStep
from residuum.residual.null_columns import NodeSample, NullColumns, add_column_pushes

__all__ = ["LikelihoodPart", "prepare_likelihood"]

_no_weights = np.empty(0, dtype=np.float32)


@dataclass(frozen=True)
class LikelihoodPart:
    """:class:`residuum.residual.Likelihood` as tasks see it; what has the size of the nodes is on shared storage.

    Sums over the other side run over its parts one after the other, so that a task holds the vectors of one part.

    Attributes
    ----------
    walks : Walks
        Graph and window.
    stripes : Stripes
        Rows of the graph that walkers move on.
    pieces : tuple of Piece
        Rows of each task.
    keep, last : arrays
        As in :class:`residuum.residual.contexts.WalkPlan`.
    stride : int
        As there.
    n_contexts : int
        Mean number of sampled contexts per node.
    """

    walks: Walks
    stripes: Stripes
    pieces: tuple[Piece, ...]
    keep: NDArray[np.float64]
    last: NDArray[np.int64]
    stride: int
    n_contexts: int

    def vector(self, name: str, nodes: slice) -> NDArray[Any]:
        """Return some entries of a vector on shared storage.

        Parameters
        ----------
        name : str
            Name of the vector.
        nodes : slice
            Range of nodes.

        Returns
        -------
        array
            The entries, in memory.
        """
        return np.array(self.walks.grid.stages.load(name)[nodes])

    @property
    def columns(self) -> NullColumns:
        """Samples of columns of the null model."""
        load = self.walks.grid.stages.load
        form = BlockForm(load("groups"), load("theta"), np.array(load("group-weights")))
        samples: dict[Side, NodeSample] = {
            "centers": NodeSample(load("sampled-contexts"), load("sums-contexts"), int(load("count-contexts"))),
            "contexts": NodeSample(load("sampled-centers"), load("sums-centers"), int(load("count-centers"))),
        }
        return NullColumns(form, load("shares"), load("mass"), samples)

    def batch(self, files: str, nodes: Any, seed: int, *, transposed: bool = False) -> WalkBatch:
        """Return walks from some nodes.

        Parameters
        ----------
        files : str
            Name of the files of pairs.
        nodes : int array or (int, int)
            Nodes, ascending, or their range.
        seed : int
            Seed.
        transposed : bool, default False
            Whether to group pairs by context.

        Returns
        -------
        WalkBatch
            The walks.
        """
        pairs = PairFiles(self.stripes, files)
        return WalkBatch(pairs, nodes, seed, self.keep, self.last, self.stride, transposed)

    def batches(self, side: Side, name: str, seed: int) -> list[WalkBatch]:
        """Return the walks of half a sweep, one batch for each piece.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Whose vectors move.
        name : str
            Name of the files of pairs.
        seed : int
            Seed.

        Returns
        -------
        list of WalkBatch
            Walks; from centers to the contexts of a directed graph.
        """
        transposed = side == "contexts" and self.walks.grid.directed
        return [
            self.batch(f"{name}-{piece.begin}", (piece.begin, piece.end), seed, transposed=transposed)
            for piece in self.pieces
        ]

    def edges(self, side: Side, piece: Piece, column: int) -> Pairs:
        """Return the pairs that one step along an edge joins, with others counted from the first node of their part.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Side of the rows.
        piece : Piece
            Rows.
        column : int
            Part of the others.

        Returns
        -------
        Pairs
            Pairs with their exact weights.
        """
        grid, rows = self.walks.grid, slice(piece.begin, piece.end)
        first = grid.bounds[piece.part]
        inside = slice(piece.begin - first, piece.end - first)
        backward = side == "contexts"
        indptr, indices, weights = grid.block_rows(inside, piece.part, column, reverse=backward)
        weights = self.walks.in_unit(weights)
        if not backward:
            return Pairs(indptr, indices, weights, self.vector("first-step", rows))
        others = grid.nodes(column)
        leaving = self.vector("first-step", others) * self.vector("shares", others).astype(np.float32)
        return Pairs(indptr, indices, weights * leaving[indices], _inverse(self.vector("mass", rows)))

    def contexts(self, side: Side, piece: Piece, column: int, name: str) -> list[Pairs]:
        """Return the pairs that walks sampled, as :meth:`edges`.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Side of the rows.
        piece : Piece
            Rows.
        column : int
            Part of the others.
        name : str
            Name of the files of pairs.

        Returns
        -------
        list of Pairs
            Pairs.
        """
        grid, rows = self.walks.grid, slice(piece.begin, piece.end)
        if side == "centers" or not grid.directed:
            borders, others = PairFiles(self.stripes, f"{name}-{piece.begin}").load(column)
            scale = self.vector("walk-scale", rows)
            if side == "contexts":
                # On an undirected graph a_i P_d(j | i) is symmetric, so that walks from a context find its centers.
                scale = (scale * self.vector("shares", rows) * _inverse(self.vector("mass", rows))).astype(np.float32)
            return [Pairs(borders, others, _no_weights, scale)]
        first, scale = grid.bounds[piece.part], _inverse(self.vector("mass", rows))
        found = []
        for source in (other for other in self.pieces if other.part == column):
            files = PairFiles(self.stripes, f"{name}-{source.begin}")
            borders, others = files.load(piece.part, slice(piece.begin - first, piece.end - first))
            nodes = slice(source.begin, source.end)
            weights = (self.vector("walk-scale", nodes) * self.vector("shares", nodes)).astype(np.float32)[others]
            found.append(Pairs(borders, others + np.int32(source.begin - grid.bounds[column]), weights, scale))
        return found

    def moved(
        self, side: Side, piece: Piece, names: tuple[str, str, str], seed: int, step: NewtonStep, regularization: float
    ) -> NDArray[np.float32]:
        """Return the vectors of some rows after a damped Newton step.

        Parameters
        ----------
        side : {"centers", "contexts"}
            Side of the rows.
        piece : Piece
            Rows.
        names : tuple of str
            Names of the vectors of this side, of the other side, and of the files of pairs.
        seed : int
            Seed of half the sweep.
        step : NewtonStep
            Curvature.
        regularization : float
            Weight of the prior, in edges.

        Returns
        -------
        float32 array of shape (n, K)
            New vectors.
        """
        grid, first = self.walks.grid, self.walks.grid.bounds[piece.part]
        own, other, files = names
        x = np.array(grid.stages.load(f"{own}-{piece.part}")[piece.begin - first : piece.end - first])
        gradient = np.zeros_like(x)
        sampled = self._columns(side, piece, seed)
        for column in range(grid.n_parts):
            Y = np.array(grid.stages.load(f"{other}-{column}"))
            for pairs in (self.edges(side, piece, column), *self.contexts(side, piece, column, files)):
                add_pulls(pairs.borders, pairs.others, pairs.weights, pairs.scale, x, Y, gradient)
            inside = grid.nodes(column)
            for rows, nodes, weights in sampled:
                here = slice(*np.searchsorted(nodes, [inside.start, inside.stop]))
                add_column_pushes(x[rows], Y[nodes[here] - inside.start], weights.of_columns(here), gradient[rows])
        degrees = grid.home.load(f"{'in' if side == 'contexts' and grid.directed else 'out'}-degrees-{piece.part}")
        prior = (regularization / degrees[piece.begin - first : piece.end - first]).astype(np.float32)[:, None]
        return step.move(x, gradient, prior)

    def _columns(self, side: Side, piece: Piece, seed: int) -> list[tuple[slice, NDArray[np.int64], Any]]:
        """Return the rows, the sampled columns and their weights of each chunk, the same as on one machine."""
        columns, size = self.columns, chunk_rows(self.walks.grid.n_nodes)
        found = []
        for chunk in range(piece.begin // size * size, piece.end, size):
            rows = slice(max(chunk, piece.begin), min(chunk + size, piece.end))
            nodes, weights = columns.draw(side, rows, np.random.default_rng([seed, chunk]))
            found.append((slice(rows.start - piece.begin, rows.stop - piece.begin), nodes, weights))
        return found

    def moments(self, part: int, name: str, weights: str) -> NDArray[np.float64]:
        """Return ``½ Σ_j b_j y_j y_jᵀ`` of a part and, in the last row, the sum of squared lengths.

        Parameters
        ----------
        part : int
            Number of the part.
        name : str
            Name of the vectors.
        weights : str
            Name of b.

        Returns
        -------
        array of shape (K + 1, K)
            Both.
        """
        Y = np.array(self.walks.grid.stages.load(f"{name}-{part}"))
        root = np.sqrt(self.vector(weights, self.walks.grid.nodes(part))).astype(np.float32)[:, None]
        squares = np.full((1, Y.shape[1]), np.einsum("nk,nk->", Y, Y, dtype=np.float64))
        return np.concatenate([tall_product(root * Y, root * Y) / 2, squares])


def prepare_likelihood(matrix: PartitionedMatrix, n_contexts: int, pieces: tuple[Piece, ...]) -> LikelihoodPart:
    """Write what has the size of the nodes to shared storage, and return the likelihood as tasks see it.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Graph, window and null model.
    n_contexts : int
        Mean number of sampled contexts per node.
    pieces : tuple of Piece
        Rows of each task.

    Returns
    -------
    LikelihoodPart
        The likelihood.
    """
    probabilities, form = matrix.probabilities, matrix.null.block_form
    assert form is not None
    graph, stages = probabilities.graph, probabilities.graph.grid.stages
    weighted = ResidualMatrix(probabilities, matrix.null, matrix.floor, weighting=1.0)
    shares = weighted.row_scale.astype(np.float64) ** 2
    shares /= shares.sum()
    marginal = form.marginal(shares)
    spread = stages.array("spread", lambda: probabilities.spread(shares))
    mass = np.where(weighted.column_scale > 0, (spread + marginal) / 2, 0.0)
    columns = NullColumns.of(form, shares, marginal, mass, N_COLUMNS)
    inverse = probabilities.inverse_completed
    plan = WalkPlan.of(probabilities.window, graph.of_nodes("out-entries"), shares > 0, n_contexts, inverse)
    first = np.float32(probabilities.window[0]) * probabilities.leaving
    vectors = {
        "shares": shares,
        "mass": mass,
        "marginal": marginal,
        "first-step": first if inverse is None else first * inverse,
        "n-walks": plan.n_walks,
        "walk-scale": plan.scale,
    }
    for name, sample in (("contexts", columns.samples["centers"]), ("centers", columns.samples["contexts"])):
        vectors[f"sampled-{name}"], vectors[f"sums-{name}"] = sample.probability, sample.cumulative
        vectors[f"count-{name}"] = np.array(sample.n_present)
    for name, vector in vectors.items():
        stages.save(name, vector)
    return LikelihoodPart(
        probabilities.walks, build_stripes(graph), pieces, plan.keep, plan.last, plan.stride, n_contexts
    )


def _inverse(values: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0).astype(np.float32)
