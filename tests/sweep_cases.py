"""Random graphs of difficult shapes, each solver on them, and the dense reference that judges the result."""

import warnings
from dataclasses import dataclass

import numpy as np

import dense_reference as dense
from residuum import Graph, Residual2Vec
from residuum.nulls import DegreeCorrectedSBM
from residuum.residual import krylov
from residuum.solvers import Block, Exact, Landmark

SOLVERS = ("exact", "landmark", "block")
KINDS = ("configuration", "erdos-renyi", "dcsbm")
# Rounding error of an entry of R̃ in float32.
ROUNDING = 1e-5


def _grid(n, rng):
    side = max(int(np.sqrt(n)), 2)
    path = np.eye(side, k=1) + np.eye(side, k=-1)
    return np.kron(path, np.eye(side)) + np.kron(np.eye(side), path)


def _star(n, rng):
    A = np.zeros((n, n))
    A[0, 1:] = A[1:, 0] = 1
    return A


def _bipartite(n, rng):
    side = np.arange(n) < max(1, int(n * rng.uniform(0.1, 0.6)))
    return (side[:, None] != side[None, :]).astype(float)


def _path(n, rng):
    return np.eye(n, k=1) + np.eye(n, k=-1)


def _matching(n, rng):
    return np.kron(np.eye(max(n // 2, 1)), [[0, 1], [1, 0]])


def _sparse(n, rng):
    A = np.triu(rng.random((n, n)) < 2.5 / n, 1)
    A[0, -1] = True
    return (A | A.T).astype(float)


def _isolated(n, rng):
    A = np.zeros((n, n))
    A[0, 1] = A[1, 0] = 1
    few = min(n, 8)
    A[:few, :few] += _sparse(few, rng)
    return A


def _groups(n, rng):
    label = rng.integers(4, size=n)
    A = np.triu(rng.random((n, n)) < np.where(label[:, None] == label, 0.4, 0.03), 1)
    A[0, -1] = True
    return (A | A.T).astype(float)


def _low_rank(n, rng):
    n_items = max(n // 10, 1)
    A = np.zeros((n, n))
    A[np.arange(n_items, n), rng.integers(n_items, size=n - n_items)] = 1
    return A + A.T


SHAPES = (_grid, _star, _bipartite, _path, _matching, _sparse, _isolated, _groups, _low_rank)


@dataclass
class Case:
    """One graph with parameters; everything follows from the seed."""

    seed: int

    def __post_init__(self):
        rng = np.random.default_rng(self.seed)
        self.shape = SHAPES[self.seed % len(SHAPES)]
        self.solver = SOLVERS[self.seed // len(SHAPES) % 3]
        self.kind = KINDS[int(rng.integers(3))]
        self.directed = bool(rng.random() < 0.4)
        self.dense = bool(rng.random() < 0.4)
        A = self.shape(int(rng.choice([2, 3, 6, 20, 60, 120])), rng)
        if rng.random() < 0.5:
            weight = 10 ** rng.uniform(-2, 2, A.shape)
            A = A * (weight + weight.T)
        if self.directed:
            A = A * (rng.random(A.shape) < 0.7)
            A[0, -1] = max(A.max(), 1.0)
        self.adjacency = A
        # Powers of two keep all bits, so that even the ties of clustering are the same.
        units = [2.0**-996, 2.0**-66, 2.0**130, 2.0**996] if self.solver == "block" else [1e-300, 1e-20, 1e39, 1e300]
        self.unit = float(rng.choice(units))
        self.n_components = int(rng.integers(1, min(len(A), 17)))
        self.window = int(rng.choice([1, 2, 3, 10]))
        self.floor = float(rng.choice([0.0, -1.0, -3.0, -10.0, -100.0]))
        self.weighting = float(rng.choice([0.0, 0.5]))
        self.groups = rng.integers(2, size=len(A)) if self.kind == "dcsbm" else None
        # 1 MiB keeps no tile of the larger graphs.
        self.memory_limit = "1GiB" if self.solver != "exact" or rng.random() < 0.7 else "1MiB"
        self.size = int(rng.integers(self.n_components, 2 * len(A)))

    def fit(self, unit=1.0):
        """Return the fitted model and the messages of its warnings."""
        null = self.kind if self.groups is None else DegreeCorrectedSBM(self.groups)
        solver = {"exact": Exact(), "landmark": Landmark(self.size), "block": Block(self.size)}[self.solver]
        model = Residual2Vec(
            self.n_components,
            null_model=null,
            window=self.window,
            floor=self.floor,
            weighting=self.weighting,
            shrinkage=0.0,
            scale=1.0,
            solver=solver,
            memory_limit=self.memory_limit,
            random_state=self.seed,
        )
        small = krylov._DENSE_SIZE, krylov._DENSE_BLOCKS
        try:
            if not self.dense:
                # The iterative factorization also of small graphs.
                krylov._DENSE_SIZE = krylov._DENSE_BLOCKS = 0
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                model.fit(Graph(unit * self.adjacency, directed=self.directed))
        finally:
            krylov._DENSE_SIZE, krylov._DENSE_BLOCKS = small
        return model, [str(warning.message) for warning in caught]

    def reference(self):
        """Return the dense matrix and the scales of its rows and columns."""
        return dense.residual_matrix(
            self.adjacency,
            directed=self.directed,
            kind=self.kind,
            window=self.window,
            floor=self.floor,
            weighting=self.weighting,
            groups=self.groups,
        )


def check(case):
    """Return what is wrong with a case, as a list of texts, and how far each measured value is from the reference."""
    model, messages = case.fit()
    problems, K, N = [], case.n_components, len(case.adjacency)
    u, v = model.embedding_.astype(float), model.context_embedding_.astype(float)
    if u.shape != (N, K) or v.shape != (N, K) or model.singular_values_.shape != (K,):
        return [f"shape {u.shape}"], np.nan
    if not (np.isfinite(u).all() and np.isfinite(v).all() and np.isfinite(model.singular_values_).all()):
        return ["not finite"], np.nan
    matrix, *scales = case.reference()
    fitted = (u @ v.T) * np.outer(*scales)
    rounding = ROUNDING * max(np.linalg.norm(scales[0]) * np.linalg.norm(scales[1]), np.linalg.norm(matrix))
    values = np.linalg.svd(matrix, compute_uv=False)
    best = np.sqrt(np.sum(values[K:] ** 2))
    missed = np.linalg.norm(matrix - fitted)
    whole = dense.variation(matrix, *scales)
    captured = np.sqrt(max(whole**2 - best**2, 0.0))
    excess = np.sqrt(max(missed**2 - best**2, 0.0))
    error = model.approximation_error_
    # Another solver that was used instead is no excuse; a failed check, or a fit that nothing could replace, is.
    excuses = ("miss sampled rows", "accurate to", "no other solver is affordable", "solver is worse")
    warned = any(excuse in message for message in messages for excuse in excuses)
    if model.solver_ == "exact":
        wrong = np.abs(model.singular_values_ - values[:K])
        if (wrong > 1e-4 * values[:K] + rounding).any() and not warned:
            problems.append(f"singular values wrong by {np.max(wrong / np.maximum(values[:K], rounding)):.1e}")
        if excess > 0.03 * np.linalg.norm(values[:K]) + 3 * np.sqrt(rounding * max(missed, rounding)) and not warned:
            problems.append(f"factors lose {excess:.2e} of {np.linalg.norm(values[:K]):.2e}")
    elif model.solver_ == "landmark":
        allowed = (3 * error + 0.1) * max(captured, rounding) + 3 * np.sqrt(rounding * (missed + rounding))
        if excess > allowed and not warned:
            problems.append(f"loss {excess / max(captured, rounding):.2f}, reported {error:.2f}")
    elif missed > best + (4 * error + 0.05) * max(whole, rounding) + 3 * rounding and not warned:
        problems.append(f"misses {missed:.2e} of {whole:.2e}, best {best:.2e}, reported {error:.2f}")
    scaled, _ = case.fit(case.unit)
    drift = np.abs(scaled.singular_values_ - model.singular_values_).max()
    if drift > 1e-3 * values[0] + rounding:
        problems.append(f"in units of {case.unit:g} singular values change by {drift:.1e}")
    return problems, excess / max(captured, rounding)
