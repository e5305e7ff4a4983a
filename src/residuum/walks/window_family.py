"""Window probabilities for several windows at the same nodes, computed in one pass and remembered."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.graph import Graph
from residuum.walks.window import WindowProbabilities

__all__ = ["WindowFamily"]

Side = Literal["rows", "columns"]


class WindowFamily:
    """Windows that share their walks: t steps of a walker serve every window of at least t steps.

    Columns and rows are computed for all windows at once when they are first needed for one of them, and remembered
    within the budget. Fits that differ only in floor, weighting or window then walk once.

    Parameters
    ----------
    graph : Graph
        The graph.
    windows : sequence of window
        Numbers of steps, or weights of the steps.
    budget : int
        Bytes of columns and rows to remember. Beyond it, they are computed again for each window.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> family = WindowFamily(graph, [2, 5], budget=1 << 20)
    >>> walks = family.probabilities(5)
    >>> bool(np.allclose(walks.columns([0, 3]), WindowProbabilities(graph, 5).columns([0, 3]), atol=1e-7))
    True
    """

    def __init__(self, graph: Graph, windows: Sequence[Any], budget: int) -> None:
        self._graph = graph
        self._members = {walks.window.tobytes(): walks for walks in (self._walks(window) for window in windows)}
        self._longest = max(self._members.values(), key=lambda walks: len(walks.window))
        self._left = budget
        self._kept: dict[tuple[Side, bytes], dict[bytes, NDArray[np.float32]]] = {}

    def _walks(self, window: Any) -> "_SharedProbabilities":
        return _SharedProbabilities(self._graph, window, self)

    def probabilities(self, window: Any) -> WindowProbabilities:
        """Return the window probabilities for a window; a window outside the family walks alone.

        Parameters
        ----------
        window : int or array
            Number of steps, or weights of the steps.

        Returns
        -------
        WindowProbabilities
            Probabilities that share their walks with the family.
        """
        walks = self._walks(window)
        return self._members.setdefault(walks.window.tobytes(), walks)

    def compute(self, walks: WindowProbabilities, nodes: NDArray[np.int64], side: Side) -> NDArray[np.float32]:
        """Return columns, or transposed rows, of a member, and remember those of all members.

        Parameters
        ----------
        walks : WindowProbabilities
            Member of the family.
        nodes : int array of shape (m,)
            Contexts of the columns, or centers of the rows.
        side : {"rows", "columns"}
            Which of the two.

        Returns
        -------
        float32 array of shape (N, m)
            Not to be changed.
        """
        key = (side, nodes.tobytes())
        kept = self._kept.setdefault(key, {})
        member = walks.window.tobytes()
        if member not in kept:
            missing = [other for other in self._members if other not in kept]
            size = len(missing) * 4 * self._graph.n_nodes * len(nodes)
            if size > self._left or member not in missing:
                return self._pass([walks], nodes, side)[0]
            self._left -= size
            results = self._pass([self._members[other] for other in missing], nodes, side)
            kept.update(zip(missing, results, strict=True))
        return kept[member]

    def _pass(
        self, members: Sequence[WindowProbabilities], nodes: NDArray[np.int64], side: Side
    ) -> list[NDArray[np.float32]]:
        """Return columns ``Σ_t w_t Pᵗ e_s`` over s_i, or transposed rows, for each member."""
        from scipy.linalg.blas import saxpy

        tile = np.zeros((self._graph.n_nodes, len(nodes)), dtype=np.float32)
        tile[nodes, np.arange(len(nodes))] = 1.0
        spare = np.empty_like(tile)
        windows = [member.window for member in members]
        totals = [np.zeros_like(tile) for _ in windows]
        for step in range(max(len(window) for window in windows)):
            self._longest.step(tile, spare, transposed=side == "rows")
            tile, spare = spare, tile
            for window, total in zip(windows, totals, strict=True):
                if step < len(window):
                    saxpy(tile.reshape(-1), total.reshape(-1), a=window[step])
        for member, total in zip(members, totals, strict=True):
            if member.inverse_completed is not None:
                total *= member.inverse_completed[nodes] if side == "rows" else member.inverse_completed[:, None]
        return totals


class _SharedProbabilities(WindowProbabilities):
    """Window probabilities whose columns and rows come from their family."""

    def __init__(self, graph: Graph, window: Any, family: WindowFamily) -> None:
        super().__init__(graph, window)
        self._family = family

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        return self._family.compute(self, np.asarray(columns, dtype=np.int64), "columns").copy()

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        return self._family.compute(self, np.asarray(rows, dtype=np.int64), "rows").T.copy()
