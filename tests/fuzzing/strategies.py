"""Graphs, weights, labels, ids and parameters, from valid to absurd."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

# Sound weights, weights at the ends of the range of floats, and weights that are refused.
SOUND = st.sampled_from([1.0, 2.0, 0.5, 3.0, 1e-3, 100.0])
EXTREME = st.sampled_from([5e-324, 1e-300, 1e-20, 1e20, 1e300, 1.7e308, float(2**53)])
INVALID = st.sampled_from([-1.0, float("nan"), float("inf"), -0.0, -1e-300])
IDS = st.one_of(
    st.integers(-3, 9), st.sampled_from(["a", "b", "é", "", "1", "\0", "x y"]), st.tuples(st.integers(0, 2))
)
LABELS = st.sampled_from([0, 1, 2, "a", "b", "", None, 1.5, float("nan"), True, (1, 2), "1"])
NUMBERS = st.sampled_from(
    [0, 1, -1, 2.5, 1e308, -1e308, 1e-320, float("nan"), float("inf"), None, "3", "x", True, 2**70]
)
ODD: Any = st.sampled_from(
    [None, True, 0, -1, 1, 2, 0.5, -0.5, 1e308, "", "x", "auto", (), [], [1], {}, b"x", 2**70, 1j]
)


def rarely(strategy: Any, other: Any) -> Any:
    """Return a strategy that is the other one in one of eight cases."""
    return st.integers(0, 7).flatmap(lambda number: other if number == 7 else strategy)


@st.composite
def matrices(draw: Any, smallest: int = 1, largest: int = 9, weights: Any = None) -> Any:
    """Draw an adjacency matrix, mostly symmetric."""
    n_nodes = draw(st.integers(smallest, largest))
    weight = (
        draw(st.sampled_from([SOUND, SOUND, SOUND, EXTREME, st.one_of(SOUND, EXTREME)])) if weights is None else weights
    )
    pairs = draw(st.lists(st.tuples(st.integers(0, n_nodes - 1), st.integers(0, n_nodes - 1), weight), max_size=24))
    matrix = np.zeros((n_nodes, n_nodes))
    both = draw(rarely(st.just(True), st.just(False)))
    for i, j, value in pairs:
        matrix[i, j] = value
        if both:
            matrix[j, i] = value
    return matrix


@st.composite
def labels_of(draw: Any, n_nodes: int) -> Any:
    """Draw labels of all nodes: mostly sound, in any container."""
    sound = st.lists(st.sampled_from(["a", "b", "c"]), min_size=n_nodes, max_size=n_nodes)
    absurd = st.lists(LABELS, min_size=max(n_nodes - 1, 0), max_size=n_nodes + 1)
    values = draw(rarely(sound, absurd))
    form = draw(st.sampled_from([list, np.array, lambda v: dict(enumerate(v)), lambda v: np.array(v, dtype=object)]))
    try:
        return form(values)
    except ValueError:  # tuples among numbers are no array
        return values


@st.composite
def numbers_of(draw: Any, n_nodes: int) -> Any:
    """Draw numbers of all nodes, mostly sound."""
    sound = st.lists(st.sampled_from([1990.0, 1991.0, 2000.5, -3.0, 0.0]), min_size=n_nodes, max_size=n_nodes)
    return draw(rarely(sound, st.lists(NUMBERS, min_size=max(n_nodes - 1, 0), max_size=n_nodes + 1)))


def containers(matrix: Any) -> Any:
    """Draw a container of a matrix that ``as_graph`` takes."""
    rows, columns = np.nonzero(matrix)
    with np.errstate(over="ignore"):
        single = matrix.astype(np.float32)
    edges = list(zip(rows.tolist(), columns.tolist(), matrix[rows, columns].tolist(), strict=True))
    forms = [matrix, sparse.csr_array(matrix), sparse.coo_matrix(matrix), matrix.tolist(), edges, single]
    return st.sampled_from(
        [*forms, [edge[:2] for edge in edges], {"source": rows, "target": columns}, matrix.astype(complex)]
    )
