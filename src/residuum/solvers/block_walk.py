"""Block approximation of the walk: a few exact steps, then steps of a degree-corrected cluster model."""

from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.clusters import cluster_profile
from residuum._kernels.products import row_chunks
from residuum._threads import run_ranges
from residuum.graph import weight_between
from residuum.residual.linalg import product
from residuum.walks import WindowProbabilities

__all__ = ["BlockWalk", "choose_exact_steps", "exact_steps"]

# Maximum multiply-adds of the exact steps: a few seconds on two cores.
_EXACT_WORK = 1.5e10
# Dense multiply-adds in the time of one sparse multiply-add.
_DENSE_SPEED = 20
_ROWS_AT_ONCE = 4096


def choose_exact_steps(probabilities: WindowProbabilities, n_clusters: int) -> int:
    """Return the number of exact steps: the first costs nnz, every other step nnz × B.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Window probabilities of the graph.
    n_clusters : int
        Number of clusters B.

    Returns
    -------
    int
        As many steps as are affordable, at least 1 and at most the window length.
    """
    return exact_steps(probabilities.graph.adjacency.nnz, n_clusters, len(probabilities.window))


def exact_steps(n_entries: int, n_clusters: int, window: int) -> int:
    """Return as many exact steps as are affordable.

    Parameters
    ----------
    n_entries, n_clusters, window : int
        Number of entries of the graph, number of clusters, and length of the window.

    Returns
    -------
    int
        At least 1 and at most the window length.

    Examples
    --------
    >>> exact_steps(100_000_000, 1000, 10)
    1
    """
    return min(max(int(_EXACT_WORK / (float(n_entries) * n_clusters)), 1), window)


class BlockWalk:
    """``P_d(j | i) ≈ w_1 P_ij / s_i + θ̂_j Q[i, b_j]``: the first step is exact, later steps go between clusters.

    After k exact steps only the cluster b of the walker is known, and the next step is that of a degree-corrected
    model: the walker is at node i of b with probability θ̂_i, the share of i in the in-strength of b. With the
    membership Z and the mixing of clusters M = Θ̂ᵀ P Z,
    ``Q = S⁻¹ (Σ_{2≤t≤k} w_t Pᵗ Z + Pᵏ Z Σ_{t>k} w_t Mᵗ⁻ᵏ)``, by Horner's rule. The diagonal matrix S of the s_i makes
    rows of P_d sum to 1; it is the identity if no walk ends.
    Within a cluster, the last step always lands in proportion to in-strength. ``k = 1`` is the paper's block
    approximation; it is exact if every node is a separate cluster.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Window probabilities of the graph.
    labels : int array of shape (N,)
        Cluster of each node, numbered from 0 without gaps.
    exact_steps : int
        Number of exact steps k, from 1 to the window length.

    Attributes
    ----------
    n_clusters : int
        Number of clusters B.
    share : array of shape (N,)
        Share θ̂ of each node in its cluster.
    core : float32 array of shape (B, B) or None
        ``Σ_{t>k} w_t Mᵗ⁻ᵏ``; None if all steps are exact.
    inverse_completed : float32 array of shape (N,) or None
        1 / s_i, and 0 for nodes without out-edges; None if no walk ends.
    """

    def __init__(self, probabilities: WindowProbabilities, labels: NDArray[np.int32], exact_steps: int) -> None:
        self.probabilities = probabilities
        self.labels = labels
        self.exact_steps = exact_steps
        self.n_clusters = int(labels.max()) + 1
        self.share = self._shares()
        self.core = self._later_steps()
        self.inverse_completed = None if probabilities.completed is None else self._inverse_completed()

    @cached_property
    def _dense(self) -> bool:
        """Whether profiles are dense enough to multiply them instead of the graph."""
        graph = self.probabilities.graph
        return self.exact_steps == 1 and graph.adjacency.nnz * _DENSE_SPEED > graph.n_nodes * self.n_clusters

    def sum_by_cluster(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of ``values`` over each cluster, shape (B,)."""
        return np.bincount(self.labels, weights=values, minlength=self.n_clusters).astype(np.float64)

    def _shares(self) -> NDArray[np.float64]:
        """Return θ̂: by in-strength, uniform in clusters without in-edges."""
        graph = self.probabilities.graph
        mass = self.sum_by_cluster(graph.in_strength)[self.labels]
        weight = np.where(mass > 0, graph.in_strength, 1.0)
        return np.asarray(weight / self.sum_by_cluster(weight)[self.labels])

    def _later_steps(self) -> NDArray[np.float32] | None:
        """Return ``Σ_{t>k} w_t Mᵗ⁻ᵏ``, shape (B, B), or None if all steps are exact."""
        window = self.probabilities.window
        if self.exact_steps == len(window):
            return None
        graph = self.probabilities.graph
        leaving = self.share * self.probabilities.leaving / self.probabilities.unit
        step = weight_between(graph, self.labels, self.n_clusters, leaving).astype(np.float32)
        total = np.float32(window[-1]) * step
        for weight in window[-2 : self.exact_steps - 1 : -1]:
            total = product(step, total) + np.float32(weight) * step
        return total

    def _inverse_completed(self) -> NDArray[np.float32]:
        leaves = (self.probabilities.graph.out_strength > 0).astype(np.float32)[:, None]
        completed = np.float32(self.probabilities.window[0]) * leaves
        core = None if self.core is None else self.core.sum(axis=1, keepdims=True)
        if self.exact_steps > 1 or core is not None:
            completed += self._walk(leaves if self.exact_steps > 1 else None, core)
        return np.asarray(np.divide(1.0, completed, out=np.zeros_like(completed), where=completed > 0)[:, 0])

    def columns(self, first: int, last: int) -> NDArray[np.float32]:
        """Return ``Q[:, first:last]``, shape (N, last − first)."""
        profile = self._profile(0, self.probabilities.n_nodes, first, last) if self.exact_steps > 1 else None
        core = None if self.core is None else np.ascontiguousarray(self.core[:, first:last])
        if profile is None and core is None:
            return np.zeros((self.probabilities.n_nodes, last - first), dtype=np.float32)
        columns = self._walk(profile, core)
        if self.inverse_completed is not None:
            columns *= self.inverse_completed[:, None]
        return columns

    def _walk(self, first: NDArray[np.float32] | None, core: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Return ``Σ_{2≤t≤k} w_t Pᵗ⁻¹ first + Pᵏ Z core``."""
        window, k = self.probabilities.window.astype(np.float32), self.exact_steps
        if core is not None:
            block = self._onward(core)
        else:
            assert first is not None
            block = np.zeros_like(first)
        if k > 1 and first is not None:
            block += window[k - 1] * first
            spare = np.empty_like(block)
            for number in range(k - 1, 0, -1):
                self.probabilities.step(block, spare)
                block, spare = spare, block
                if number > 1:
                    block += window[number - 1] * first
        return block

    def _onward(self, core: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``P Z core``: P times rows of the core, or the profile P Z times the core, whichever is cheaper."""
        n_nodes = self.probabilities.n_nodes
        result = np.empty((n_nodes, core.shape[1]), dtype=np.float32)
        if not self._dense:
            self.probabilities.step(core[self.labels], result)
            return result
        for begin in range(0, n_nodes, _ROWS_AT_ONCE):
            end = min(begin + _ROWS_AT_ONCE, n_nodes)
            result[begin:end] = product(self._profile(begin, end, 0, self.n_clusters), core)
        return result

    def _profile(self, begin: int, end: int, first: int, last: int) -> NDArray[np.float32]:
        """Return ``(P Z)[begin:end, first:last]``, the distribution of the edges of each node over clusters."""
        adjacency = self.probabilities.graph.adjacency
        out = np.empty((end - begin, last - first), dtype=np.float32)
        profile = partial(
            cluster_profile,
            adjacency.indptr,
            adjacency.indices,
            self.probabilities.edge_weights,
            self.probabilities.leaving,
            self.labels,
            begin,
            first,
            out,
        )
        run_ranges(profile, row_chunks(adjacency.indptr[begin : end + 1], 1))
        return out
