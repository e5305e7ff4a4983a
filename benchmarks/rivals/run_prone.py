"""ProNE of nodevectors, with its defaults."""

import numpy as np
from measure import measure
from nodevectors import ProNE


def embed(adjacency, parameters):
    model = ProNE(n_components=parameters["n_components"], verbose=False)
    return np.asarray(model.fit_transform(adjacency.astype(np.float32)))


measure(embed)
