"""Table of tunable parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from residuum._validation import window_weights
from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.models.defaults import geometric_window, read_window
from residuum.nulls import Configuration

__all__ = ["TUNABLES", "Tunable", "as_parameters", "resolve_search", "shown"]


@dataclass(frozen=True)
class Tunable:
    """A tunable parameter.

    Attributes
    ----------
    name : str
        Parameter of :class:`residuum.Residual2Vec`, or ``"exponent"`` of its configuration null model.
    values : tuple
        Candidate values, in the order of the search.
    start : value
        First value to try.
    read_off : bool
        Whether the value is optimized on the vectors of a trial, without an additional fit.
    of_factors : bool
        Whether the parameter applies only to solvers that factorize the matrix.
    by_default : bool
        Whether the parameter is tuned by default. Parameters that decide what is removed from the vectors are not.
    variants : callable, optional
        Function from the best value to further candidates.
    read : callable, optional
        Function from the graph to candidates and start that replace the default ones.

    Examples
    --------
    >>> from residuum.selection import TUNABLES
    >>> TUNABLES["weighting"].values, TUNABLES["weighting"].start
    ((0.0, 0.5, 1.0), 0.5)
    """

    name: str
    values: tuple[Any, ...]
    start: Any
    read_off: bool = False
    of_factors: bool = True
    by_default: bool = True
    variants: Callable[[Any], Sequence[Any]] | None = None
    read: Callable[[Graph], tuple[tuple[Any, ...], Any]] | None = None


def shown(value: Any) -> str:
    """Return a value of a parameter as text; weights of a window by their number.

    Parameters
    ----------
    value : number, tuple of float, or None
        Value of a tuned parameter.

    Returns
    -------
    str
        Text for logs and summaries.

    Examples
    --------
    >>> shown((0.75, 0.19, 0.06)), shown(0.5)
    ('3 (decreasing weights)', '0.5')
    """
    return f"{len(value)} (decreasing weights)" if isinstance(value, tuple) else f"{value:.3g}"


def _falling(mean_step: float) -> tuple[float, ...]:
    """Return geometrically decreasing weights."""
    return tuple(geometric_window(mean_step).tolist())


def _other_shape(window: Any) -> list[Any]:
    """Return the window of the other shape, equal or decreasing weights, with the same mean step."""
    if isinstance(window, int):
        return [_falling((window + 1) / 2)]
    weights = window_weights(window)
    return [max(round(2.0 * float(weights @ np.arange(1, len(weights) + 1)) - 1.0), 1)]


def _windows_near_the_default(graph: Graph) -> tuple[tuple[Any, ...], Any]:
    """Return a quarter to twice the mean step that is read off the graph, and the window itself as the start."""
    start = tuple(read_window(graph)[0].tolist())
    mean = 1.0 / (1.0 - start[1] / start[0])
    return tuple(dict.fromkeys((_falling(mean / 4), _falling(mean / 2), start, _falling(2 * mean)))), start


# In the order of tuning.
TUNABLES: dict[str, Tunable] = {
    tunable.name: tunable
    for tunable in (
        Tunable(
            "window",
            tuple(map(_falling, (1.5, 2.5, 4.0, 7.0, 14.0))),
            _falling(4.0),
            of_factors=False,
            variants=_other_shape,
            read=_windows_near_the_default,
        ),
        Tunable("weighting", (0.0, 0.5, 1.0), 0.5),
        Tunable("floor", (0.0, -1.0, -3.0, -6.0, -10.0), -3.0),
        Tunable("exponent", (0.25, 0.5, 0.75, 1.0), 1.0, by_default=False),
        Tunable("refine", (0, 10), 0),
        Tunable("power", (1.0, 1.1, 1.2, 1.3, 1.4), 1.0, read_off=True),
        Tunable("shrinkage", (0.0, 0.3, 0.6, 0.9, 1.5, 3.0), 0.0, read_off=True),
        Tunable("scale", tuple(2.0 ** (half / 2) for half in range(-2, 7)), 1.0, read_off=True, of_factors=False),
    )
}


def resolve_search(search: Mapping[str, Sequence[Any]] | None, graph: Graph, *, factorizes: bool) -> dict[str, Tunable]:
    """Return the parameters to tune.

    Parameters
    ----------
    search : mapping of name to values, or None
        Candidate values that replace the default candidates; a single value fixes the parameter.
    graph : Graph
        Graph from which default candidates are read.
    factorizes : bool
        Whether the solver factorizes the matrix.

    Returns
    -------
    dict of str to Tunable
        Parameters by name, in the order of tuning.

    Raises
    ------
    InvalidParameterError
        If a parameter cannot be tuned with this solver, or has no candidate values.
    """
    candidates = dict(search or {})
    for name, values in candidates.items():
        if name not in TUNABLES:
            raise InvalidParameterError(f"search: {name!r} cannot be tuned; use one of {', '.join(TUNABLES)}.")
        if isinstance(values, str) or not isinstance(values, Sequence) or len(values) == 0:
            raise InvalidParameterError(f"search: {name!r} must be a list of at least one value; got {values!r}.")
        if TUNABLES[name].of_factors and not factorizes:
            raise InvalidParameterError(
                f"search: {name!r} needs a solver that factorizes the matrix; leave it out, or use solver='auto'."
            )
    tuned = {}
    for name, tunable in TUNABLES.items():
        if name in candidates:
            values = tuple(candidates[name])
            start = tunable.start if tunable.start in values else values[len(values) // 2]
            variants = tunable.variants if len(values) > 1 else None
            tuned[name] = replace(tunable, values=values, start=start, variants=variants)
        elif tunable.by_default and (factorizes or not tunable.of_factors):
            values, start = (tunable.values, tunable.start) if tunable.read is None else tunable.read(graph)
            tuned[name] = replace(tunable, values=values, start=start)
    return tuned


def as_parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return tuned values as parameters of :class:`residuum.Residual2Vec`.

    Parameters
    ----------
    values : mapping of name to value
        Values of tuned parameters.

    Returns
    -------
    dict of str to value
        The same values, with the exponent replaced by a configuration null model.
    """
    parameters = dict(values)
    if "exponent" in parameters:
        parameters["null_model"] = Configuration(parameters.pop("exponent"))
    return parameters
