"""Spectral of scikit-network, with its defaults."""

import numpy as np
from measure import measure
from sknetwork.embedding import Spectral


def embed(adjacency, parameters):
    return np.asarray(Spectral(parameters["n_components"]).fit_transform(adjacency))


measure(embed)
