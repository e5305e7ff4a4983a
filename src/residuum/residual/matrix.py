"""The residual matrix, computed a few rows or columns at a time."""

from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._kernels.ratios import floor_and_scale
from residuum._threads import even_ranges, log_in_place, run_ranges
from residuum.errors import NullModelError
from residuum.nulls import FittedNull
from residuum.residual.erasure import Erasure
from residuum.residual.projector import Projector
from residuum.walks import WindowProbabilities

__all__ = ["ResidualMatrix", "degree_scale", "log_ratios", "unscaled"]

# Rows that estimate the common level of the matrix, and check the factors.
_SAMPLED_ROWS = 16

# Absolute rounding error of ln P_d − ln P_0, computed from float32 probabilities.
_ROUNDING = 3e-6
# Below the logarithm of the smallest float32: ratios at a lower floor are zero.
_LOWEST_LOG = -87.0
# Share of the total strength below which P_d / P_0 can exceed the largest float32.
_FAINT = 1e-36


class ResidualMatrix:
    """``S max(ln P_d − ln P_0, floor) T`` with diagonal scales S and T, which are 1 unless pairs are weighted.

    A pair that no walk within the window joins has the value ``floor``. Rows of nodes without out-edges and columns of
    nodes without in-edges are zero.

    With ``weighting = κ`` the scales are ``S_i = (d_i / mean d)^(κ/2)``, so that a least-squares fit weights the pair
    (i, j) by ``(d_i d_j)^κ``; κ = 1 is its frequency in skip-gram.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Window probabilities P_d.
    null : FittedNull
        Fitted null model P_0.
    floor : float
        Associations below this value are clipped.
    weighting : float, default 0
        Exponent κ of the pair weights.
    erasure : Erasure, optional
        Attributes that solvers project out of both sides.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> matrix.columns([0, 33])[:2].round(2)
    array([[ 0.38, -0.97],
           [ 0.37, -0.66]], dtype=float32)
    """

    def __init__(
        self,
        probabilities: WindowProbabilities,
        null: FittedNull,
        floor: float,
        weighting: float = 0.0,
        erasure: Erasure | None = None,
    ) -> None:
        graph = probabilities.graph
        self.probabilities = probabilities
        self.null = null
        self.floor = float(floor)
        self.weighting = float(weighting)
        self.n_nodes = graph.n_nodes
        self.row_scale = degree_scale(graph.out_strength, weighting)
        self.column_scale = degree_scale(graph.in_strength, weighting)
        strength = graph.in_strength[graph.in_strength > 0]
        self.may_overflow = bool(strength.min() < _FAINT * strength.sum())
        self.symmetric = not graph.directed and null.symmetric
        self.erasure = erasure

    @cached_property
    def projector(self) -> Projector | None:
        """Erasure as a projection on both sides of the matrix; None if nothing is erased."""
        if self.erasure is None:
            return None
        across = None if self.symmetric else self.column_scale
        return Projector(self.erasure.columns(), self.row_scale, across, self.erasure.strength)

    def columns(self, contexts: ArrayLike) -> NDArray[np.float32]:
        """Return the columns of some contexts.

        Parameters
        ----------
        contexts : int array of shape (m,)
            Positions of the contexts in the graph.

        Returns
        -------
        array of shape (N, m)
            Columns of the matrix in float32.
        """
        nodes = np.asarray(contexts, dtype=np.int64)
        return self.residual(self.probabilities.columns(nodes), nodes, "columns")

    def rows(self, centers: ArrayLike) -> NDArray[np.float32]:
        """Return the rows of some centers.

        Parameters
        ----------
        centers : int array of shape (m,)
            Positions of the centers in the graph.

        Returns
        -------
        array of shape (m, N)
            Rows of the matrix in float32.
        """
        nodes = np.asarray(centers, dtype=np.int64)
        if self.symmetric:
            return self.columns(nodes).T
        return self.residual(np.ascontiguousarray(self.probabilities.rows(nodes).T), nodes, "rows").T

    def residual(
        self, observed: NDArray[np.float32], nodes: NDArray[np.int64], side: Literal["rows", "columns"]
    ) -> NDArray[np.float32]:
        """Turn P_d into columns, or transposed rows, of the matrix.

        Parameters
        ----------
        observed : float32 array of shape (N, m)
            P_d from all centers to some contexts, or of all contexts for some centers; overwritten.
        nodes : int array of shape (m,)
            Positions of these contexts or centers.
        side : {"rows", "columns"}
            Whether the nodes are centers or contexts.

        Returns
        -------
        array of shape (N, m)
            Entries of the matrix, in the memory of ``observed``.
        """
        scales = self.row_scale, self.column_scale
        if side == "columns":
            self.null.divide_columns(observed, nodes, self.lowest)
        else:
            self.null.divide_rows(observed, nodes, self.lowest)
            scales = scales[::-1]
        return log_ratios(observed, scales[0], scales[1][nodes], self.floor, may_overflow=self.may_overflow)

    def ratios(self, contexts: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d / P_0`` in the columns of some contexts, and 0 where P_0 is zero.

        Parameters
        ----------
        contexts : int array of shape (m,)
            Positions of the contexts in the graph.

        Returns
        -------
        array of shape (N, m)
            Ratios in float32, without floor and scales.
        """
        nodes = np.asarray(contexts, dtype=np.int64)
        values = self.probabilities.columns(nodes)
        self.null.divide_columns(values, nodes, 0.0)
        return values

    def new_rows(
        self, edges: "sparse.csr_array[Any]", groups: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return P_d and P_0 of out-of-sample centers.

        Parameters
        ----------
        edges : sparse array of shape (m, N)
            Edge weights to the nodes of the graph.
        groups : int array of shape (m,)
            Groups of the centers in the block form of the null model.

        Returns
        -------
        observed, expected : arrays of shape (m, N)
            P_d and P_0; zero for a center without edges.

        Raises
        ------
        NullModelError
            If the null model has no block form.
        """
        form = self.null.block_form
        if form is None:
            raise NullModelError(
                "out-of-sample nodes need a null model in block form, and this one is sampled; "
                "use a null model with degrees or groups, such as 'configuration'."
            )
        observed = self.probabilities.rows_from(edges)
        expected = form.rows_of_groups(groups)
        return observed, np.where(np.asarray(edges.sum(axis=1)).ravel()[:, None] > 0, expected, 0.0)

    @property
    def resolution(self) -> float:
        """Rounding error of the matrix in single precision: smaller singular values cannot be told from zero."""
        scales = (scale.astype(np.float64) for scale in (self.row_scale, self.column_scale))
        return _ROUNDING * float(np.prod([np.linalg.norm(scale) for scale in scales]))

    @property
    def sampled_nodes(self) -> NDArray[np.int64]:
        """Positions of 16 random centers, the same for every run."""
        active = np.flatnonzero(self.row_scale > 0)
        return np.random.default_rng(0).choice(active, min(_SAMPLED_ROWS, len(active)), replace=False)

    @cached_property
    def sampled_rows(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Positions of 16 random centers, the same for every run, and their rows, shape (16, N); not pickled."""
        nodes = self.sampled_nodes
        return nodes, self.rows(nodes)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "sampled_rows"}

    @property
    def lowest(self) -> float:
        """Smallest ratio ``P_d / P_0``: slightly below ``exp(floor)``, so that clipped entries are at the floor."""
        return float(np.exp(self.floor) * (1 - 1e-6))


def log_ratios(
    ratios: NDArray[np.float32],
    down: NDArray[np.float32],
    across: NDArray[np.float32],
    floor: float,
    *,
    may_overflow: bool = False,
) -> NDArray[np.float32]:
    """Return ``s_i t_k max(ln ratio, floor)`` in the memory of the ratios.

    Parameters
    ----------
    ratios : float32 array of shape (n, m)
        ``P_d / P_0``, clipped slightly below ``exp(floor)``; overwritten.
    down, across : float32 arrays of shapes (n,) and (m,)
        Scales s of the rows and t of the columns.
    floor : float
        Minimum residual.
    may_overflow : bool, default False
        Whether ratios can exceed the largest float32.

    Returns
    -------
    float32 array of shape (n, m)
        Entries of the residual matrix.

    Examples
    --------
    >>> ones = np.ones(2, dtype=np.float32)
    >>> log_ratios(np.array([[1.0, 0.1], [1.0, 1.0]], dtype=np.float32), ones, ones, floor=-1.0)
    array([[ 0., -1.],
           [ 0.,  0.]], dtype=float32)
    """
    if may_overflow:
        np.minimum(ratios, np.finfo(np.float32).max, out=ratios)
    unreached = None
    if floor < _LOWEST_LOG:
        unreached = ratios <= np.finfo(np.float32).tiny
        ratios[unreached] = 1.0
    log_in_place(ratios)
    if unreached is not None:
        ratios[unreached] = floor
    scale = partial(floor_and_scale, ratios, down, across, np.float32(floor))
    run_ranges(scale, even_ranges(len(ratios), ratios.size))
    return ratios


def unscaled(vectors: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float32]:
    """Divide rows by their scales; rows with scale zero, which are excluded from the matrix, become zero.

    Parameters
    ----------
    vectors : array of shape (N, K)
        Vectors of the scaled matrix; overwritten.
    scale : array of shape (N,)
        Diagonal of S or T.

    Returns
    -------
    array of shape (N, K)
        Vectors of the matrix without scales, in the memory of ``vectors``.

    Examples
    --------
    >>> unscaled(np.ones((2, 2), dtype=np.float32), np.array([4.0, 0.0], dtype=np.float32))
    array([[0.25, 0.25],
           [0.  , 0.  ]], dtype=float32)
    """
    np.divide(vectors, scale[:, None], out=vectors, where=scale[:, None] > 0)
    vectors[scale == 0] = 0.0
    return vectors


def degree_scale(strength: NDArray[np.float64], weighting: float) -> NDArray[np.float32]:
    """Return ``(d / mean d)^(κ/2)``, and 0 where d is 0.

    Parameters
    ----------
    strength : array of shape (N,)
        Degrees d.
    weighting : float
        Exponent κ of the pair weights.

    Returns
    -------
    float32 array of shape (N,)
        Scale of each row or column.
    """
    present = strength > 0
    relative = np.divide(strength, strength[present].mean(), out=np.ones_like(strength), where=present)
    return np.where(present, relative ** (weighting / 2.0), 0.0).astype(np.float32)
