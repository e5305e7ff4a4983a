"""FastRP of the package fastrp (Rust), with its defaults."""

import numpy as np
from fastrp import FastRP
from measure import measure


def embed(adjacency, parameters):
    return np.asarray(FastRP(parameters["n_components"], seed=0).fit_transform(adjacency.astype(np.float64)))


measure(embed)
