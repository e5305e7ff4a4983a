"""Functions compiled by numba; all inputs and outputs are plain arrays and numbers."""

__all__: list[str] = []
