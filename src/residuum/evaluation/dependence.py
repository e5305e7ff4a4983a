"""Dependence of similarity on an attribute, with a confidence interval and the value expected from degrees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._random import as_generator
from residuum.evaluation.bias import similarity_dependence
from residuum.evaluation.values import Kind, Values, of_kind, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Bins

__all__ = ["Dependence", "dependence_test"]

_REPEATS = 20
_PAIRS = 20_000
_DEGREE_BINS = 10


@dataclass(frozen=True)
class Dependence:
    """R² of similarity on an attribute.

    Attributes
    ----------
    r_squared : float
        R² of :func:`similarity_dependence`.
    margin : float
        Half the width of its 95 % confidence interval, from random halves of the nodes.
    expected : float
        Mean R² if the values are permuted among nodes of similar degree.
    low, high : float
        Interval that contains 95 % of the R² of permuted values.

    Examples
    --------
    >>> Dependence(r_squared=0.12, margin=0.02, expected=0.0, low=-0.001, high=0.001).excess
    0.12
    """

    r_squared: float
    margin: float
    expected: float
    low: float
    high: float

    @property
    def excess(self) -> float:
        """``r_squared − expected``: 0 if similarity depends on the attribute only through degree."""
        return self.r_squared - self.expected

    @property
    def is_dependent(self) -> bool:
        """Whether the confidence interval is above the interval of permuted values."""
        return self.r_squared - self.margin > self.high


def dependence_test(
    vectors: Vectors,
    attribute: Values,
    *,
    degree: NDArray[np.float64] | None = None,
    kind: Kind | None = None,
    random_state: int | None = 0,
) -> Dependence:
    """Return the R² of similarity on an attribute, and the R² expected if the attribute matters only through degree.

    The R² is that of :func:`similarity_dependence`. Its confidence interval comes from 20 random halves of the nodes,
    and the expected value from 20 permutations of the attribute among nodes in the same of ten bins of degree.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    attribute : array of shape (N,), or mapping of node id to value
        An array follows the order of the vectors; a mapping requires an Embedding.
    degree : array of shape (N,), optional
        Degree of each node; without it, values are permuted among all nodes.
    kind : {"number", "label"}, optional
        Type of the attribute. By default floating-point values are numbers and all others are labels.
    random_state : int or None
        Seed of the pairs, the halves and the permutations.

    Returns
    -------
    Dependence
        R² with its interval, and the expected R² with its interval.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> side = np.arange(200) % 2
    >>> vectors = np.stack([np.where(side, 1.0, -1.0), rng.standard_normal(200)], axis=1)
    >>> dependence_test(vectors, side).is_dependent
    True
    """
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    values, _ = of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute")
    n_nodes = len(u)
    bins = np.zeros(n_nodes, dtype=np.int64)
    if degree is not None:
        bins = np.asarray(Bins.equal_counts(np.asarray(degree, dtype=np.float64), _DEGREE_BINS).codes(degree))

    def r_squared(rows: NDArray[np.int64], of_rows: NDArray[Any]) -> float:
        seed = int(rng.integers(2**31))
        return similarity_dependence(u[rows], of_rows, kind=kind, n_pairs=_PAIRS, random_state=seed)

    halves = [rng.permutation(n_nodes)[: n_nodes // 2] for _ in range(_REPEATS)]
    half_values = [r_squared(half, values[half]) for half in halves]
    everyone = np.arange(n_nodes)
    permuted = [r_squared(everyone, values[_permuted_within(bins, rng)]) for _ in range(_REPEATS)]
    expected, width = float(np.mean(permuted)), 1.96 * float(np.std(permuted, ddof=1))
    return Dependence(
        similarity_dependence(u, values, kind=kind, random_state=random_state),
        # The variance of random halves around the whole is that of the whole around the truth.
        1.96 * float(np.std(half_values, ddof=1)),
        expected,
        expected - width,
        expected + width,
    )


def _permuted_within(bins: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random permutation that keeps every position within its bin."""
    order = np.empty(len(bins), dtype=np.int64)
    order[np.argsort(bins, kind="stable")] = np.lexsort((rng.random(len(bins)), bins))
    return order
