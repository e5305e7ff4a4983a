"""The residual matrix, erasure of attributes, and factorization."""

from residuum.residual.cells import Cells, build_cells, label_cells
from residuum.residual.erasure import Erasure, build_erasure
from residuum.residual.krylov import OVERSAMPLING, Operator, factorize, is_small, krylov_bytes
from residuum.residual.left_out import leave_out, read_scale, read_shrinkage
from residuum.residual.likelihood import N_COLUMNS, Likelihood, chunk_rows
from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.out_of_sample import LogisticRows, OutOfSample, ProjectedRows
from residuum.residual.projector import ErasedOperator, Projector, factorize_erased, factorize_operator
from residuum.residual.reachable import ReachablePairs, count_walks, sparse_product
from residuum.residual.signal import read_alpha
from residuum.residual.spectrum import Spectrum, reweighted
from residuum.residual.sweeps import (
    MOST_SWEEPS,
    REGULARIZATION,
    Sweeps,
    contexts_per_node,
    factors_of,
    random_start,
    vectors_of,
)
from residuum.residual.tiles import TiledMatrix, working_bytes
from residuum.residual.transport import Transport, TransportedRows, equalize
from residuum.residual.trend import DetrendedRows, erases_trend, subtract_trend

__all__ = [
    "MOST_SWEEPS",
    "N_COLUMNS",
    "OVERSAMPLING",
    "REGULARIZATION",
    "Cells",
    "DetrendedRows",
    "ErasedOperator",
    "Erasure",
    "Factors",
    "Likelihood",
    "LogisticRows",
    "Operator",
    "OutOfSample",
    "ProjectedRows",
    "Projector",
    "ReachablePairs",
    "ResidualMatrix",
    "Spectrum",
    "Sweeps",
    "TiledMatrix",
    "Transport",
    "TransportedRows",
    "build_cells",
    "build_erasure",
    "chunk_rows",
    "contexts_per_node",
    "count_walks",
    "equalize",
    "erases_trend",
    "factorize",
    "factorize_erased",
    "factorize_operator",
    "factors_of",
    "is_small",
    "krylov_bytes",
    "label_cells",
    "leave_out",
    "random_start",
    "read_alpha",
    "read_scale",
    "read_shrinkage",
    "reweighted",
    "sparse_product",
    "subtract_trend",
    "unscaled",
    "vectors_of",
    "working_bytes",
]
