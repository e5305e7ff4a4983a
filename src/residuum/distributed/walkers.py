"""Contexts sampled by random walks on a partitioned graph: walkers pass from stripe to stripe, pairs go to files."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.rows import stable_order
from residuum._kernels.walkers import WALKER, start_walkers, walk_inside
from residuum._validation import import_extra
from residuum.distributed.cluster import alone, new_token
from residuum.distributed.stripes import Stripes

__all__ = ["PairFiles", "WalkBatch"]

Recorded = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True)
class PairFiles:
    """Sampled pairs of rows and nodes in files, one for each part of the nodes.

    Attributes
    ----------
    stripes : Stripes
        Rows of the graph.
    name : str
        First part of the file names.
    """

    stripes: Stripes
    name: str

    def save(self, part: int, rows: NDArray[Any], others: NDArray[Any], n_rows: int) -> None:
        """Write pairs, grouped by row.

        Parameters
        ----------
        part : int
            Part of the nodes.
        rows, others : int arrays
            Row and node of each pair, in any order.
        n_rows : int
            Number of rows.
        """
        order = stable_order(rows, n_rows, np.arange(len(rows)))
        borders = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]).astype(np.int64)
        stages = self.stripes.grid.stages
        stages.save(f"{self.name}-{part}-others", others[order].astype(np.int32))
        stages.save(f"{self.name}-{part}-borders", borders)

    def load(self, part: int, rows: slice | None = None) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return pairs of some rows.

        Parameters
        ----------
        part : int
            Part of the nodes.
        rows : slice, optional
            Range of rows; all by default.

        Returns
        -------
        borders, others : int arrays
            The pairs of row r are ``borders[r]:borders[r + 1]``.
        """
        load = self.stripes.grid.stages.load
        borders = np.array(load(f"{self.name}-{part}-borders"))
        if rows is not None:
            borders = borders[rows.start : rows.stop + 1]
        others = np.array(load(f"{self.name}-{part}-others")[borders[0] : borders[-1]])
        return borders - borders[0], others

    @property
    def is_complete(self) -> bool:
        """Whether all files are there."""
        grid = self.stripes.grid
        return all(grid.stages.path(f"{self.name}-{part}-borders.npy").exists() for part in range(grid.n_parts))


@dataclass(frozen=True)
class WalkBatch:
    """Walks from some nodes, as tasks see them.

    Attributes
    ----------
    files : PairFiles
        Where the pairs go: rows are the positions in ``nodes`` and others the contexts, or, transposed, rows are the
        nodes of a part and others the positions.
    nodes : int array of shape (n,), or (int, int)
        Nodes that walks start from, ascending, or their range.
    seed : int
        Seed of the walks.
    keep, last : tuples of numbers
        As in :class:`residuum.residual.contexts.WalkPlan`.
    stride : int
        As there.
    transposed : bool
        Whether pairs are grouped by context.
    """

    files: PairFiles
    nodes: NDArray[np.int64] | tuple[int, int]
    seed: int
    keep: NDArray[np.float64]
    last: NDArray[np.int64]
    stride: int
    transposed: bool

    def tasks(self) -> list[Any]:
        """Return the tasks that walk and write the pairs.

        Returns
        -------
        list of delayed
            One per stripe.
        """
        dask: Any = import_extra("dask", "distributed")
        token, stripes = new_token(), range(self.files.stripes.count)

        def task(name: str, place: tuple[int, ...], *call: Any) -> Any:
            return dask.delayed(alone, pure=False, traverse=False)(*call, dask_key_name=(f"{name}-{token}", *place))

        if len(stripes) == 1:
            return [task("walk-contexts", (0,), walk_and_save, self)]
        walked = [[task("walk-contexts", (0, stripe), walk_stripe, self, stripe, True) for stripe in stripes]]
        # A walk takes a step in every round, so it has ended after as many as the window has.
        for number in range(1, len(self.keep) + 1):
            turn = []
            for stripe in stripes:
                others = [other for other in stripes if other != stripe]
                passing = [(arrivals, walked[-1][other], stripe) for other in others]
                arriving = [task("pass-walkers", (number, stripe, k), *call) for k, call in enumerate(passing)]
                turn.append(task("walk-contexts", (number, stripe), walk_stripe, self, stripe, False, *arriving))
            walked.append(turn)
        return [
            task("save-contexts", (stripe,), save_recorded, self, stripe, *(turn[stripe] for turn in walked))
            for stripe in stripes
        ]

    def start(self, stripe: int, arrays: tuple[NDArray[Any], ...]) -> NDArray[Any]:
        """Return the walkers from the nodes of a stripe after their first steps.

        Parameters
        ----------
        stripe : int
            Number of the stripe.
        arrays : tuple of arrays
            Its rows.

        Returns
        -------
        array of WALKER
            Walkers anywhere in the graph.
        """
        stripes = self.files.stripes
        first, end = stripes.bounds[stripe], stripes.bounds[stripe + 1]
        nodes = np.arange(*self.nodes) if isinstance(self.nodes, tuple) else self.nodes
        inside = slice(*np.searchsorted(nodes, [first, end]))
        n_walks = np.array(stripes.grid.stages.load("n-walks")[nodes[inside]])
        walkers = np.empty(int(n_walks.sum()), dtype=WALKER)
        rows = np.arange(inside.start, inside.stop)
        count = start_walkers(
            nodes[inside],
            rows,
            first,
            n_walks,
            self.keep,
            self.last,
            self.stride,
            np.uint64(self.seed),
            *arrays,
            walkers,
        )
        return walkers[:count]

    def save(self, stripe: int, recorded: Recorded) -> None:
        """Write the pairs that were recorded in a stripe.

        Parameters
        ----------
        stripe : int
            Number of the stripe.
        recorded : (rows, contexts)
            Pairs.
        """
        rows, contexts = recorded
        grid = self.files.stripes.grid
        n_nodes = self.nodes[1] - self.nodes[0] if isinstance(self.nodes, tuple) else len(self.nodes)
        parts = range(*self.files.stripes.parts[stripe : stripe + 2])
        home = np.searchsorted(np.asarray(grid.bounds), contexts, side="right") - 1
        for part in parts:
            inside = home == part if len(parts) > 1 else slice(None)
            here = contexts[inside] - grid.bounds[part]
            if self.transposed:
                self.files.save(part, here, rows[inside], grid.size(part))
            else:
                self.files.save(part, rows[inside], here, n_nodes)


def walk_stripe(batch: WalkBatch, stripe: int, starts: bool, *arriving: NDArray[Any]) -> tuple[list[Any], Recorded]:
    """Walk in a stripe until all walkers have ended or left it.

    Parameters
    ----------
    batch : WalkBatch
        Walks.
    stripe : int
        Number of the stripe.
    starts : bool
        Whether walks start from the nodes of the stripe.
    *arriving : arrays of WALKER
        Walkers from other stripes.

    Returns
    -------
    leaving : list of arrays of WALKER
        Walkers for each stripe.
    recorded : (rows, contexts)
        Pairs.
    """
    bounds, arrays = batch.files.stripes.bounds, batch.files.stripes.load(stripe)
    walkers = batch.start(stripe, arrays) if starts else np.concatenate(arriving)
    room = len(walkers) * -(-len(batch.keep) // batch.stride)
    rows, contexts = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
    leaving = np.empty_like(walkers)
    n_leaving, n_recorded = walk_inside(
        walkers, bounds[stripe], batch.keep, batch.stride, *arrays, leaving, rows, contexts
    )
    leaving = leaving[:n_leaving]
    place = np.searchsorted(bounds, leaving["here"], side="right") - 1
    parts = [leaving[place == other] for other in range(len(bounds) - 1)]
    return parts, (rows[:n_recorded].copy(), contexts[:n_recorded].copy())


def arrivals(walked: tuple[list[Any], Recorded], place: int) -> NDArray[Any]:
    """Return the walkers that go from one stripe to another.

    Parameters
    ----------
    walked : tuple
        Result of :func:`walk_stripe`.
    place : int
        Stripe that they go to.

    Returns
    -------
    array of WALKER
        Walkers.
    """
    return np.asarray(walked[0][place])


def save_recorded(batch: WalkBatch, stripe: int, *walked: tuple[list[Any], Recorded]) -> None:
    """Write the pairs of all rounds in a stripe.

    Parameters
    ----------
    batch : WalkBatch
        Walks.
    stripe : int
        Number of the stripe.
    *walked : tuples
        Results of :func:`walk_stripe`.
    """
    rows, contexts = (np.concatenate([turn[1][which] for turn in walked]) for which in (0, 1))
    batch.save(stripe, (rows, contexts))


def walk_and_save(batch: WalkBatch) -> None:
    """Walk on a graph that is one stripe, and write the pairs.

    Parameters
    ----------
    batch : WalkBatch
        Walks.
    """
    batch.save(0, walk_stripe(batch, 0, True)[1])
