"""residual2vec 0.0.12, the authors' package of 2023, with its defaults (1000 clusters)."""

import warnings

from measure import measure
from residual2vec import residual2vec_matrix_factorization

warnings.filterwarnings("ignore")


def embed(adjacency, parameters):
    model = residual2vec_matrix_factorization(window_length=parameters["window"], group_membership=None)
    model.fit(adjacency.astype(float))
    return model.transform(dim=parameters["n_components"])


measure(embed)
