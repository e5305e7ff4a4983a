"""Coordinate search: parameters are tuned one at a time."""

from collections.abc import Callable, Mapping
from typing import Any

from residuum.selection.trials import Trial
from residuum.selection.tunables import Tunable

__all__ = ["coordinate_search"]


def coordinate_search(
    try_values: Callable[[Mapping[str, Any]], Trial], tuned: Mapping[str, Tunable], scoring: str
) -> tuple[list[Trial], Trial]:
    """Tune parameters one at a time, each with the best values of those before it.

    For each parameter, larger values are tried as long as the loss falls, or else smaller values; then its variants are
    tried. If a parameter after the first ends at a value other than its start, the variants of the first parameter are
    tried again, and if a variant is better, the parameters between the two are searched again.

    Parameters
    ----------
    try_values : callable
        Function from values by name, for the parameters that need a fit, to a :class:`Trial`.
    tuned : mapping of name to Tunable
        Parameters to tune, in order.
    scoring : str
        See :meth:`Trial.loss`.

    Returns
    -------
    trials : list of Trial
        All trials, in the order of the search.
    best : Trial
        The trial with the lowest loss.
    """
    fitted = [tunable for tunable in tuned.values() if not tunable.read_off]
    search = _Search(try_values, {tunable.name: tunable.start for tunable in fitted}, scoring)
    for number, tunable in enumerate(fitted):
        search.climb(tunable)
        search.try_variants(tunable)
        if number > 0 and search.value(tunable) != tunable.start and search.try_variants(fitted[0]):
            for between in fitted[1:number]:
                search.climb(between)
    return search.trials, search.best


class _Search:
    """State of the search: the best trial and all trials so far."""

    def __init__(
        self, try_values: Callable[[Mapping[str, Any]], Trial], start: Mapping[str, Any], scoring: str
    ) -> None:
        self._try_values, self._scoring = try_values, scoring
        self._values = dict(start)
        self.best = try_values(self._values)
        self.trials = [self.best]

    def value(self, tunable: Tunable) -> Any:
        return self._values[tunable.name]

    def climb(self, tunable: Tunable) -> None:
        """Try increasing values until the loss stops falling; if none is better, try decreasing values."""
        start = self.value(tunable)
        if start not in tunable.values:
            return
        position = tunable.values.index(start)
        for side in (tunable.values[position + 1 :], tunable.values[:position][::-1]):
            for value in side:
                if not self._is_better(tunable.name, value):
                    break
            if self.value(tunable) != start:
                return

    def try_variants(self, tunable: Tunable) -> bool:
        """Try the variants of the best value; return whether a variant is better."""
        start = self.value(tunable)
        for value in [] if tunable.variants is None else tunable.variants(start):
            self._is_better(tunable.name, value)
        return bool(self.value(tunable) != start)

    def _is_better(self, name: str, value: Any) -> bool:
        values = self._values | {name: value}
        trial = self._try_values(values)
        self.trials.append(trial)
        if trial.loss(self._scoring) >= self.best.loss(self._scoring):
            return False
        self.best, self._values = trial, values
        return True
