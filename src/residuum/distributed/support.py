"""What the estimator on a cluster does not support, refused before any work."""

from typing import Any

from residuum.errors import InvalidParameterError, NullModelError
from residuum.models.null_embedding import Settings
from residuum.solvers import Landmark

__all__ = ["check_support"]

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
    if not isinstance(settings.solver, Landmark):
        raise InvalidParameterError(
            f"solver must be 'landmark' or a Landmark object on a cluster; got {solver!r}. Use solver='landmark', "
            f"{_LOCAL}."
        )
    if settings.to_read:
        name = sorted(settings.to_read)[0]
        raise InvalidParameterError(
            f"{name} must be a number on a cluster, where it is not read from left-out edges; got None. Use "
            f"shrinkage=0 and scale=1, {_LOCAL}."
        )
    if settings.refine:
        raise InvalidParameterError(f"refine must be 0 on a cluster; got {settings.refine}. Use refine=0, {_LOCAL}.")
    if settings.erase is not None and settings.erase_level != "linear":
        raise InvalidParameterError(
            f"erase_level must be 'linear' on a cluster; got {settings.erase_level!r}. Use erase_level='linear', "
            f"{_LOCAL}."
        )
    if not getattr(settings.null_model, "in_block_form", True):
        raise NullModelError(
            f"{type(settings.null_model).__name__} is sampled, which a cluster does not support; use a null model with "
            f"degrees or groups, such as 'configuration', {_LOCAL}."
        )
