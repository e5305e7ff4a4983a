"""Erasure of a label from finished vectors: LEACE."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import import_extra
from residuum.graph import Labels

__all__ = ["leace"]


def leace(vectors: ArrayLike, labels: ArrayLike) -> NDArray[np.float32]:
    """Return vectors from which no linear model predicts a label, by the smallest change: ``x − W⁺ P W (x − μ)``.

    W whitens the vectors, and P projects on the whitened covariances of vectors and label. Residuum erases before the
    factorization instead, so that the dimensions that are lost are used for other structure. Requires ``pip install
    'residuum[benchmarks]'``.

    Parameters
    ----------
    vectors : array of shape (N, K)
        Finished vectors.
    labels : array of shape (N,)
        Label of each node; all nodes need one.

    Returns
    -------
    float32 array of shape (N, K)
        Vectors after erasure.

    References
    ----------
    Belrose, Schneider-Joseph, Ravfogel, Cotterell, Raff, Biderman: LEACE: Perfect linear concept erasure in closed
    form. NeurIPS 2023.

    Examples
    --------
    >>> leace([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0]], ["a", "a", "b", "b"]).round(3)
    array([[0.5, 1. ],
           [0.5, 2. ],
           [0.5, 1. ],
           [0.5, 2. ]], dtype=float32)
    """
    concept_erasure, torch = import_extra("concept_erasure", "benchmarks"), import_extra("torch", "benchmarks")
    names, codes = Labels.of(np.asarray(labels))
    X = torch.tensor(np.asarray(vectors), dtype=torch.float64)
    eraser = concept_erasure.LeaceEraser.fit(X, torch.tensor(np.eye(len(names))[codes]))
    return np.asarray(eraser(X).numpy(), dtype=np.float32)
