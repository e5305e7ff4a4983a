"""The residual matrix, erasure of attributes, and factorization."""

from residuum.residual.cells import Cells, build_cells, label_cells
from residuum.residual.erasure import Erasure, build_erasure
from residuum.residual.krylov import OVERSAMPLING, Operator, factorize, is_small, krylov_bytes
from residuum.residual.left_out import leave_out, read_scale, read_shrinkage
from residuum.residual.likelihood import Likelihood, refine, refinement_bytes
from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.out_of_sample import LogisticRows, OutOfSample, ProjectedRows
from residuum.residual.projector import ErasedOperator, Projector, factorize_erased, factorize_operator
from residuum.residual.spectrum import Spectrum, reweighted
from residuum.residual.tiles import TiledMatrix, working_bytes
from residuum.residual.transport import Transport, TransportedRows, equalize

__all__ = [
    "OVERSAMPLING",
    "Cells",
    "ErasedOperator",
    "Erasure",
    "Factors",
    "Likelihood",
    "LogisticRows",
    "Operator",
    "OutOfSample",
    "ProjectedRows",
    "Projector",
    "ResidualMatrix",
    "Spectrum",
    "TiledMatrix",
    "Transport",
    "TransportedRows",
    "build_cells",
    "build_erasure",
    "equalize",
    "factorize",
    "factorize_erased",
    "factorize_operator",
    "is_small",
    "krylov_bytes",
    "label_cells",
    "leave_out",
    "read_scale",
    "read_shrinkage",
    "refine",
    "refinement_bytes",
    "reweighted",
    "unscaled",
    "working_bytes",
]
