from residual_matrices import dense_matrix, general_matrix, matrix, symmetric_matrix

__all__ = ["dense_matrix", "general_matrix", "matrix", "symmetric_matrix"]
