"""The block solver on a cluster: clusters, their levels and corrections on shared storage, and a Krylov iteration."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.distributed.block_operator import PartitionedBlockOperator, missed_sums
from residuum.distributed.block_walk import PartitionedBlockWalk
from residuum.distributed.cluster import Cluster
from residuum.distributed.clusters import find_clusters
from residuum.distributed.erasure import PartitionedProjector
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.krylov import PartitionedGeneralSpace, PartitionedSymmetricSpace, random_part
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.tall import TallMatrix
from residuum.errors import InvalidGraphError
from residuum.residual import OVERSAMPLING
from residuum.residual.krylov import iterate
from residuum.solvers import Block
from residuum.solvers.block import CHECKS, TOLERANCE
from residuum.solvers.block_walk import exact_steps

__all__ = ["solve_block"]


def solve_block(
    matrix: PartitionedMatrix,
    n_components: int,
    solver: Block,
    rng: np.random.Generator,
    progress: ProgressCallback | None,
) -> PartitionedFactors:
    """Return the leading factors of the block approximation of the matrix.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix to factorize.
    n_components : int
        Number of dimensions K.
    solver : Block
        Number of clusters.
    rng : numpy Generator
        Source of randomness.
    progress : callable or None
        Called with the progress.

    Returns
    -------
    PartitionedFactors
        Factors on shared storage, those of the local solver with the same clusters.

    Raises
    ------
    InvalidGraphError
        If edge weights span too many orders of magnitude.
    """
    if matrix.may_overflow:
        raise InvalidGraphError(
            "solver='block' needs edge weights within 36 orders of magnitude, and these span more; use "
            "solver='landmark'."
        )
    form, graph, stages = matrix.null.block_form, matrix.probabilities.graph, matrix.part.grid.stages
    assert form is not None
    cluster_rng, start_rng, check_rng = rng.spawn(3)
    stage = Stage("finding clusters", 1, progress)
    wanted = solver.wanted(form.n_groups)
    labels = np.array(stages.array("labels", lambda: find_clusters(matrix, wanted, cluster_rng)))
    stage.finish()
    n_clusters, window = int(labels.max()) + 1, len(matrix.probabilities.window)
    walk = PartitionedBlockWalk(matrix.probabilities, labels, exact_steps(graph.n_entries, n_clusters, window))
    operator = PartitionedBlockOperator.of(matrix, walk)
    details = {"n_clusters": n_clusters, "exact_steps": walk.exact_steps}
    error = float(stages.array("block-error", lambda: np.array(_missed_share(matrix, operator, check_rng))))
    seed, width = int(start_rng.integers(2**63)), n_components + OVERSAMPLING
    parts = range(matrix.part.grid.n_parts)
    graph.cluster.map("random-vectors", random_part, [(matrix.part.grid, part, "start", seed, width) for part in parts])
    start = TallMatrix(graph.cluster, matrix.part.grid, "start", width)
    stage = Stage("factors", 1, progress)
    factors = _factorize(matrix, operator, start, n_components)
    stages.forget("krylov-")
    stage.finish()
    return replace(factors, error=error, details=details | factors.details)


def _factorize(
    matrix: PartitionedMatrix, operator: PartitionedBlockOperator, start: TallMatrix, n_components: int
) -> PartitionedFactors:
    kind = PartitionedSymmetricSpace if matrix.symmetric else PartitionedGeneralSpace
    if matrix.erasure is None:
        factors: PartitionedFactors = iterate(kind(operator), start, n_components, TOLERANCE, matrix.resolution)
        return factors
    projector = PartitionedProjector(matrix)
    erased = ErasedOperator(operator, projector)
    factors = iterate(kind(erased), projector.left.erase(start), n_components, TOLERANCE, matrix.resolution)
    left = projector.left.erase(factors.left)
    if not matrix.symmetric:
        return replace(factors, left=left, right=projector.right.erase(factors.right))
    readout = projector.left.erase_transposed(left)
    coefficients = projector.left.shares(operator.matmat(readout, "readout-image"))
    return replace(factors, left=left, right=left, readout=readout, erased=coefficients)


@dataclass(frozen=True)
class ErasedOperator:
    """``E_l R̃ E_rᵀ``, the matrix after erasure, as :class:`residuum.residual.ErasedOperator`.

    Attributes
    ----------
    operator : PartitionedBlockOperator
        R̃.
    projector : PartitionedProjector
        Erasure on both sides.
    """

    operator: PartitionedBlockOperator
    projector: PartitionedProjector

    @property
    def cluster(self) -> Cluster:
        """Workers."""
        return self.operator.cluster

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        return self.operator.grid

    def matmat(self, X: TallMatrix, name: str, *, transposed: bool = False) -> TallMatrix:
        """Return the product with the erased matrix, or with its transpose.

        Parameters
        ----------
        X : TallMatrix
            Vectors in columns.
        name : str
            First part of the name of the product.
        transposed : bool, default False
            Whether to multiply by the transpose.

        Returns
        -------
        TallMatrix
            The product.
        """
        inner, outer = self.projector.right, self.projector.left
        if transposed:
            inner, outer = outer, inner
        return outer.erase(self.operator.matmat(inner.erase_transposed(X), name, transposed=transposed))


def _missed_share(matrix: PartitionedMatrix, operator: PartitionedBlockOperator, rng: np.random.Generator) -> float:
    """Return the error of the approximation on random columns, as the local solver does."""
    candidates = np.flatnonzero(matrix.column_scale > 0)
    contexts = rng.choice(candidates, min(CHECKS, len(candidates)), replace=False)
    cluster, grid = operator.cluster, operator.grid
    parts = range(grid.n_parts)
    cluster.map("one-hot", one_hot_part, [(grid, part, contexts, "one-hot") for part in parts])
    operator.matmat(TallMatrix(cluster, grid, "one-hot", len(contexts)), "checked")
    tasks = matrix.part.tile(contexts, "columns", missed_sums, "checked")
    squares, overlap, level, missed = np.sum(cluster.compute("checked-columns", [lambda: tasks])[0], axis=0)
    for name in ("one-hot-", "checked-"):
        grid.stages.forget(name)
    share = np.linalg.norm(matrix.column_scale[contexts]) / np.linalg.norm(matrix.column_scale)
    rounding = 3.0 * matrix.resolution * float(share)
    variation = np.sqrt(max(squares - overlap**2 / level, 0.0))
    return 0.0 if np.sqrt(missed) <= rounding else float(np.sqrt(missed) / max(variation, rounding))


def one_hot_part(grid: Grid, part: int, nodes: NDArray[np.int64], name: str) -> None:
    """Write unit vectors of some nodes in a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    nodes : int array of shape (m,)
        Nodes.
    name : str
        Name of the matrix.
    """
    inside = grid.nodes(part)
    rows = np.zeros((grid.size(part), len(nodes)), dtype=np.float32)
    columns = np.flatnonzero((nodes >= inside.start) & (nodes < inside.stop))
    rows[nodes[columns] - inside.start, columns] = 1.0
    grid.stages.array(f"{name}-{part}", lambda: rows)
