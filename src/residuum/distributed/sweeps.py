"""Newton sweeps on a cluster: rows of one side move given the other side, piece by piece."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.distributed.likelihood import LikelihoodPart, prepare_likelihood
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.measured import Measured
from residuum.distributed.pieces import Piece, by_pieces, pieces_of
from residuum.residual.likelihood import Side
from residuum.residual.newton import NewtonStep, averaging_share, has_settled, step_length, sweep_seeds

__all__ = ["CONTEXT_BYTES", "PartitionedSweeps"]

#: Bytes per sampled context, its walk and the pair, of five tasks in the memory of a thread.
CONTEXT_BYTES = 5 * 64
# Batches of walks on the cluster at a time for each thread of the workers.
_BATCHES_PER_THREAD = 2


@dataclass(frozen=True)
class PartitionedSweeps:
    """:class:`residuum.residual.Sweeps` on vectors on shared storage; the samples are those of one machine.

    Attributes
    ----------
    matrix : PartitionedMatrix
        Graph, window and null model.
    n_contexts : int
        Mean number of sampled contexts per node in half a sweep.
    n_sweeps : int
        Maximum number of sweeps.
    regularization : float
        Weight of the prior, in edges.
    tolerance : float
        Smallest relative improvement of a sweep.
    first_steps : tuple of float
        Lengths of the first steps, in Newton steps.
    """

    matrix: PartitionedMatrix
    n_contexts: int
    n_sweeps: int
    regularization: float
    tolerance: float = 0.0
    first_steps: tuple[float, ...] = ()

    @property
    def cluster(self) -> Cluster:
        """Workers."""
        return self.matrix.probabilities.graph.cluster

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        return self.matrix.part.grid

    def run(self, u: str, v: str, seed: int, progress: ProgressCallback | None) -> tuple[tuple[str, str], list[float]]:
        """Sweep from a starting point.

        Parameters
        ----------
        u, v : str
            Names of the starting point on shared storage.
        seed : int
            Seed of the samples.
        progress : callable or None
            Called after each sweep with the loss.

        Returns
        -------
        names : (str, str)
            Names of the averaged vectors of the nodes as centers and as contexts.
        losses : list of float
            Loss of the starting point and after each sweep.
        """
        pieces = pieces_of(self.cluster, self.grid, CONTEXT_BYTES * self.n_contexts)
        likelihood = prepare_likelihood(self.matrix, self.n_contexts, pieces)
        measured = Measured.of(self.cluster, likelihood)
        stages = self.grid.stages
        losses = [float(stages.record("sweep-0", lambda: {"loss": measured.loss(u, v)})["loss"])]
        stage = Stage("sweeps", self.n_sweeps, progress)
        names = {"u": u, "v": v, "mean-u": u, "mean-v": v}
        while len(losses) <= self.n_sweeps and not has_settled(losses, self.tolerance):
            number = len(losses)
            sweep = partial(self._sweep, likelihood, measured, names, number, seed)
            losses.append(float(stages.record(f"sweep-{number}", sweep)["loss"]))
            names = {name: f"{name}-{number}" for name in names}
            for name in names:
                stages.forget(f"{name}-{number - 1}-")
            stage.advance(loss=losses[-1])
        stage.finish()
        improved = losses[-1] < losses[0]
        return ((names["mean-u"], names["mean-v"]) if improved else (u, v)), losses

    def _sweep(
        self, likelihood: LikelihoodPart, measured: Measured, names: dict[str, str], number: int, seed: int
    ) -> dict[str, Any]:
        """Run a sweep over centers, then contexts, and return the loss of the averages."""
        first, second = sweep_seeds(seed, number)
        u, v = f"u-{number}", f"v-{number}"
        self._half_sweep(likelihood, "centers", (names["u"], names["v"], u), number, first)
        self._half_sweep(likelihood, "contexts", (names["v"], u, v), number, second)
        share = averaging_share(number)
        items = [
            (self.grid, part, names[f"mean-{side}"], f"{side}-{number}", share)
            for side in ("u", "v")
            for part in range(self.grid.n_parts)
        ]
        self.cluster.map("average", average_part, items)
        return {"loss": measured.loss(f"mean-{u}", f"mean-{v}")}

    def _half_sweep(
        self, likelihood: LikelihoodPart, side: Side, names: tuple[str, str, str], number: int, seed: int
    ) -> None:
        """Write the vectors of one side after a damped Newton step."""
        own, other, target = names
        parts, stages = range(self.grid.n_parts), self.grid.stages
        if all(stages.path(f"{target}-{part}.npy").exists() for part in parts):
            return
        files = f"pairs-{side}-{number}"
        batches = [batch for batch in likelihood.batches(side, files, seed) if not batch.files.is_complete]
        in_flight = max(_BATCHES_PER_THREAD * self.cluster.n_threads // likelihood.stripes.count, 2)
        self.cluster.compute("walk-contexts", [batch.tasks for batch in batches], in_flight)
        weights = "marginal" if side == "centers" else "shares"
        curvature, squares = (
            self.cluster.total(
                "curvature", LikelihoodPart.moments, [(likelihood, part, name, weights) for part in parts]
            )
            for name in (other, own)
        )
        step = NewtonStep.of(
            curvature[:-1], float(squares[-1, 0]) / self.grid.n_nodes, step_length(number, self.first_steps)
        )
        settings = (side, (own, other, files), seed, step, self.regularization)
        by_pieces(
            self.cluster, self.grid, likelihood.pieces, f"sweep-{side}", target, moved_piece, likelihood, *settings
        )
        stages.forget(f"{files}-")


def moved_piece(
    piece: Piece,
    likelihood: LikelihoodPart,
    side: Side,
    names: tuple[str, str, str],
    seed: int,
    step: NewtonStep,
    regularization: float,
) -> NDArray[np.float32]:
    """Return the vectors of a piece after a step; see :meth:`LikelihoodPart.moved`.

    Parameters
    ----------
    piece : Piece
        Rows.
    likelihood : LikelihoodPart
        The likelihood as tasks see it.
    side : {"centers", "contexts"}
        Side of the rows.
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
    return likelihood.moved(side, piece, names, seed, step, regularization)


def average_part(grid: Grid, part: int, mean: str, name: str, share: NDArray[np.float32]) -> None:
    """Write the average of the vectors of a part over sweeps.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    mean, name : str
        Names of the average before, and of the new vectors.
    share : float32
        Share of the new vectors.
    """

    def compute() -> NDArray[np.float32]:
        before = grid.stages.load(f"{mean}-{part}")
        return np.asarray(before + share * (grid.stages.load(f"{name}-{part}") - before))

    grid.stages.array(f"mean-{name}-{part}", compute)
