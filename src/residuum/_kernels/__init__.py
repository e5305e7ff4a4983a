"""Functions compiled by numba; all inputs and outputs are plain arrays and numbers."""

from residuum._kernels.cache import ensure_cache, log_compilation

__all__: list[str] = []

ensure_cache()
log_compilation()
