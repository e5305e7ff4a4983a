"""What the estimator on a cluster does not support, refused before any work."""

from typing import Any

from residuum.errors import InvalidParameterError, NullModelError
from residuum.models.null_embedding import Settings
from residuum.solvers import Block, Landmark, Likelihood

__all__ = ["check_support"]

_SOLVERS = (Landmark, Block, Likelihood)
_LOCAL = "or use Residual2Vec on one machine"


def check_support(settings: Settings, solver: Any) -> None:
    """Raise an error if parameters need more than a cluster can do.

    Parameters
    ----------
    settings : Settings
        Checked parameters.
    solver : str or Solver
        Solver as the user named it.

    Raises
    ------
    InvalidParameterError
        If a parameter has a value that is supported on one machine only.
    NullModelError
        If the null model is sampled.
    """
    if settings.solver is not None and not isinstance(settings.solver, _SOLVERS):
        names = [f"{supported.name!r}" for supported in _SOLVERS]
        raise InvalidParameterError(
            f"solver must be 'auto', {', '.join(names[:-1])} or {names[-1]}, or an object of these, on a cluster; got "
            f"{solver!r}. Use solver='landmark', {_LOCAL}."
        )
    if not getattr(settings.null_model, "in_block_form", True):
        raise NullModelError(
            f"{type(settings.null_model).__name__} is sampled, which a cluster does not support; use a null model with "
            f"degrees or groups, such as 'configuration', {_LOCAL}."
        )
