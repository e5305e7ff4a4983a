"""Parameter checks: each function returns the checked value, or raises an error with the name, rule and value."""

import importlib
import math
from collections.abc import Iterable
from numbers import Integral, Real
from types import ModuleType
from typing import TYPE_CHECKING, Any

from residuum.errors import InvalidParameterError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["check_choice", "check_integer", "check_real", "import_extra", "window_weights"]

_LONGEST_WINDOW = 10_000


def check_integer(name: str, value: Any, *, minimum: int, maximum: int | None = None) -> int:
    """Return ``value`` as int if it is an integer from ``minimum`` to ``maximum``."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidParameterError(f"{name} must be an integer of at least {minimum}; got {value!r}.")
    number = int(value)
    if number < minimum:
        raise InvalidParameterError(f"{name} must be at least {minimum}; got {value}.")
    if maximum is not None and number > maximum:
        raise InvalidParameterError(f"{name} must be at most {maximum:,}; got {value}.")
    return number


def check_positive(name: str, value: Any) -> float:
    """Return ``value`` as float if it is a finite number above 0."""
    number = check_real(name, value, minimum=0.0)
    if number == 0:
        raise InvalidParameterError(f"{name} must be above 0; got {value!r}.")
    return number


def check_real(name: str, value: Any, *, minimum: float = -math.inf, maximum: float = math.inf, why: str = "") -> float:
    """Return ``value`` as float if it is a finite number in [``minimum``, ``maximum``]; ``why`` explains the bounds."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not minimum <= value <= maximum:
        bounds = {
            (False, False): "",
            (True, False): f" of at least {minimum:g}",
            (False, True): f" of at most {maximum:g}",
            (True, True): f" between {minimum:g} and {maximum:g}",
        }[math.isfinite(minimum), math.isfinite(maximum)]
        reason = f" ({why})" if why else ""
        raise InvalidParameterError(f"{name} must be a finite number{bounds}{reason}; got {value!r}.")
    return float(value)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``choices``."""
    options = list(choices)
    if value not in options:
        raise InvalidParameterError(f"{name} must be one of {', '.join(map(repr, options))}; got {value!r}.")
    return str(value)


def window_weights(window: "int | ArrayLike") -> "NDArray[np.float64]":
    """Return the weights ``w_1, …, w_T`` of the window, which sum to 1.

    Parameters
    ----------
    window : int or array of shape (T,)
        Number of steps T, for equal weights, or a non-negative weight for each step.

    Returns
    -------
    array of shape (T,)
        Normalized weights.

    Examples
    --------
    >>> window_weights(4)
    array([0.25, 0.25, 0.25, 0.25])
    >>> window_weights([3, 1])
    array([0.75, 0.25])
    """
    import numpy as np  # not needed to show the help of a command

    if np.ndim(window) == 0:
        steps = check_integer("window", window, minimum=1)
        if steps > _LONGEST_WINDOW:
            raise InvalidParameterError(f"window must be at most {_LONGEST_WINDOW} steps; got {steps}.")
        return np.full(steps, 1.0 / steps)
    try:
        if np.iscomplexobj(window):  # numpy would drop the imaginary part
            raise TypeError
        weights = np.array(window, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameterError(f"window must be a number of steps or a list of weights; got {window!r}.") from None
    if weights.ndim != 1 or weights.size == 0:
        raise InvalidParameterError(
            f"window must be a number of steps or a list of weights; got an array of shape {weights.shape}."
        )
    if not np.all(np.isfinite(weights)) or weights.min() < 0 or weights[-1] == 0:
        raise InvalidParameterError(
            "window weights must be finite and non-negative, and the last weight positive "
            f"(drop trailing zeros); got {weights.tolist()}."
        )
    return np.asarray(weights / weights.sum())


def import_extra(module: str, extra: str) -> ModuleType:
    """Import an optional dependency, or raise an error that names the extra to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise MissingExtraError(
            f"this needs {package}, which is not installed: pip install 'residuum[{extra}]'."
        ) from error
