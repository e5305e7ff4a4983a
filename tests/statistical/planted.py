"""Random graphs whose only structure is a bias."""

import numpy as np

from residuum import Graph


def poisson_graph(expected, rng):
    """Return a simple graph with these expected weights and no isolated nodes."""
    upper = np.triu(rng.random(expected.shape) < 1 - np.exp(-expected), k=1)
    A = upper | upper.T
    for node in np.flatnonzero(~A.any(axis=1)):
        neighbor = int(np.argmax(np.where(np.arange(len(A)) == node, -1, expected[node])))
        A[node, neighbor] = A[neighbor, node] = True
    return A.astype(float)


def citations(n=600, n_years=12, n_references=12, seed=0):
    """Return a directed graph whose only structure is time, and the year of each node: papers cite recent papers."""
    rng = np.random.default_rng(seed)
    year = np.repeat(np.arange(2000.0, 2000.0 + n_years), n // n_years)
    age = year[:, None] - year
    affinity = np.where(age > 0, np.exp(-age / 2.0), 0.0) * degrees(n, rng)
    expected = n_references * affinity / np.maximum(affinity.sum(axis=1, keepdims=True), 1e-300)
    return Graph((rng.random((n, n)) < 1 - np.exp(-expected)).astype(float), directed=True), year


def uneven_citations(n=1200, seed=0):
    """Return a directed graph where few papers get most citations, and the year of each paper."""
    rng = np.random.default_rng(seed)
    year = 2000.0 + np.arange(n) * 12 // n
    topic, quality = rng.integers(8, size=n), rng.exponential(1.0, n) ** 3
    age = year[:, None] - year
    affinity = np.where(age > 0, np.exp(-age / 6.0), 0.0) * quality * np.where(topic[:, None] == topic, 1.0, 0.1)
    shares = affinity / np.maximum(affinity.sum(axis=1, keepdims=True), 1e-300)
    expected = rng.exponential(6.0, n)[:, None] * shares
    return Graph((rng.random((n, n)) < 1 - np.exp(-expected)).astype(float), directed=True), year


def degrees(n, rng):
    return np.minimum((1 - rng.random(n)) ** (-1 / 2), 8.0)


def planted(kind, n=600, mean_degree=16.0, seed=0):
    """Return a graph and its attribute: labels, numbers or coordinates."""
    rng = np.random.default_rng(seed)
    d = degrees(n, rng)
    if kind in {"dcsbm", "multilayer"}:
        attribute = np.arange(n) % 4
        affinity = np.where(attribute[:, None] == attribute, 1.0, 0.12)
    elif kind == "bipartite":
        mean_degree = 60.0
        attribute = np.arange(n) % 2
        affinity = (attribute[:, None] != attribute).astype(float)
    elif kind == "temporal":
        attribute = np.repeat(np.arange(2000.0, 2012.0), n // 12)
        affinity = np.exp(-np.abs(attribute[:, None] - attribute) / 1.2)
    elif kind == "spatial":
        attribute = rng.random((n, 2))
        distance = np.linalg.norm(attribute[:, None] - attribute[None], axis=2)
        affinity = np.exp(-distance / 0.12)
    elif kind == "degree-correlated":
        # Similar degrees, because pairs of low-degree nodes are rare and mostly add noise.
        mean_degree = 30.0
        d = np.repeat([1.0, 2.5], [n // 2, n - n // 2]) * rng.uniform(0.9, 1.1, n)
        attribute = (d > 1.5).astype(int)
        affinity = np.where(attribute[:, None] == attribute, 1.0, 0.1)
    else:
        attribute = None
        affinity = np.ones((n, n))
    expected = np.outer(d, d) * affinity
    expected *= mean_degree * n / expected.sum()
    return Graph(poisson_graph(expected, rng)), attribute
