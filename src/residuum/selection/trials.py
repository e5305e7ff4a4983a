"""Trials: fits on graphs with held-out edges, scored on these edges."""

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.embedding import PairScores
from residuum.errors import ResiduumWarning
from residuum.evaluation import LinkTask, auc_roc
from residuum.residual import reweighted
from residuum.selection.tunables import Tunable, as_parameters, shown

__all__ = ["SCORINGS", "Trial", "run_trial"]

_log = logging.getLogger("residuum")
SCORINGS = ("residual", "full", "both")
_MATCHED, _UNIFORM = "degree-matched", "uniform"
# More pairs of each kind do not discriminate better between values.
_MAX_PAIRS = 5_000
_MIN_SHARE = 1e-9
_NEUTRAL = {"power": 1.0, "shrinkage": 0.0, "scale": 1.0}
# Positions in _NEUTRAL, in the order of the climb: the scale has the largest effect.
_ORDER = (2, 1, 0)


@dataclass(frozen=True)
class Trial:
    """Parameter values and their AUCs on held-out edges.

    Attributes
    ----------
    parameters : dict of str to value
        Values of the tuned parameters.
    auc : float
        AUC of the residual score, held-out edges against degree-matched pairs.
    auc_full : float
        AUC of the full score, held-out edges against uniform pairs.

    Examples
    --------
    >>> from residuum.selection import Trial
    >>> trial = Trial({"window": 5}, auc=0.8, auc_full=0.9)
    >>> round(trial.loss("both"), 3)
    0.02
    """

    parameters: dict[str, Any]
    auc: float
    auc_full: float

    def loss(self, scoring: str) -> float:
        """Return ``1 − auc``, ``1 − auc_full`` or their product: the loss that the search minimizes.

        Parameters
        ----------
        scoring : {"residual", "full", "both"}
            Which of the three; the product does not allow one AUC to fall for a small gain in the other.

        Returns
        -------
        float
            Share of misranked pairs of held-out edge and negative, or the product of both shares.
        """
        return _loss(1.0 - self.auc, 1.0 - self.auc_full, scoring)


def _loss(residual: float, full: float, scoring: str) -> float:
    if scoring == "both":
        return max(residual, _MIN_SHARE) * max(full, _MIN_SHARE)
    return residual if scoring == "residual" else full


def run_trial(
    make_model: Callable[[Mapping[str, Any], LinkTask], Any],
    tasks: Sequence[LinkTask],
    values: Mapping[str, Any],
    tuned: Mapping[str, Tunable],
    scoring: str,
) -> Trial:
    """Embed the training graph of each split, and score its held-out edges.

    Parameters
    ----------
    make_model : callable
        Function from parameters by name and a split to an unfitted estimator.
    tasks : sequence of LinkTask
        The splits.
    values : mapping of name to value
        Values of the parameters that need a fit.
    tuned : mapping of name to Tunable
        All tuned parameters; those with ``read_off`` are optimized within the trial.
    scoring : str
        See :meth:`Trial.loss`.

    Returns
    -------
    Trial
        Values and AUCs, averaged over the splits.
    """
    splits = []
    for task in tasks:
        model = make_model({**_NEUTRAL, "alpha": 0.5, **as_parameters(values)}, task)
        with warnings.catch_warnings():
            # The final fit warns once, about the full graph.
            warnings.simplefilter("ignore", ResiduumWarning)
            model.fit(task.train)
        splits.append(_Split(model, task))
    grid = [tuned[name].values if name in tuned else (neutral,) for name, neutral in _NEUTRAL.items()]
    read_off, shares = _read_off(splits, grid, scoring)
    auc = float(np.mean([split.auc(read_off["power"], read_off["shrinkage"]) for split in splits]))
    parameters = {name: values[name] if name in values else read_off[name] for name in tuned}
    trial = Trial(parameters, auc, 1.0 - float(shares[1]))
    text = ", ".join(f"{name} {shown(value)}" for name, value in parameters.items())
    _log.info("%s: AUC %.4f (residual, degree-matched), %.4f (full, uniform)", text, auc, trial.auc_full)
    return trial


def _read_off(
    splits: "list[_Split]", grid: Sequence[Sequence[float]], scoring: str
) -> tuple[dict[str, float], NDArray[np.float64]]:
    """Return the best power, shrinkage and scale, and their shares of misranked pairs, shape (2,).

    Each is climbed from the neutral value with the best values of the others, in two rounds.
    """
    point = [_nearest(values, neutral) for values, neutral in zip(grid, _NEUTRAL.values(), strict=True)]
    known: dict[tuple[int, ...], NDArray[np.float64]] = {}

    def shares(at: list[int]) -> NDArray[np.float64]:
        power, shrinkage, scale = (values[index] for values, index in zip(grid, at, strict=True))
        if tuple(at) not in known:
            known[tuple(at)] = np.mean([split.misranked(power, shrinkage, scale) for split in splits], axis=0)
        return known[tuple(at)]

    def loss(at: list[int]) -> float:
        residual, full = shares(at)
        return _loss(float(residual), float(full), scoring)

    for axis in (*_ORDER, *_ORDER):
        for side in (1, -1):
            while 0 <= point[axis] + side < len(grid[axis]):
                further = [index + side * (axis == number) for number, index in enumerate(point)]
                if loss(further) >= loss(point):
                    break
                point = further
    return {name: grid[axis][point[axis]] for axis, name in enumerate(_NEUTRAL)}, shares(point)


def _nearest(values: Sequence[float], target: float) -> int:
    """Return the position of the value closest to a target."""
    return int(np.argmin(np.abs(np.asarray(values) - target)))


class _Split:
    """A fitted model and its scores of held-out edges and negatives."""

    def __init__(self, model: Any, task: LinkTask) -> None:
        self._model, self._task = model, task
        self._scores = PairScores(
            model.embedding_,
            model.context_embedding_,
            model.offset_,
            model.source_offset_,
            directed=model.graph_.directed,
            log_null=model.null_.log_probability,
        )
        all_pairs = {"held out": task.positive, **task.negatives}
        self._pairs = {kind: pairs[:: -(-len(pairs) // _MAX_PAIRS)] for kind, pairs in all_pairs.items()}
        self._products = {kind: self._scores.by_dimension(*pairs.T) for kind, pairs in self._pairs.items()}
        self._residual: dict[tuple[float, float], float] = {}
        self._null = {kind: self._scores.null(*self._pairs[kind].T) for kind in ("held out", _UNIFORM)}

    def auc(self, power: float, shrinkage: float) -> float:
        """Return the AUC of the residual score on all pairs, held-out edges against degree-matched pairs."""
        factors = self._factors(power, shrinkage).astype(np.float32)
        model = self._model
        scores = PairScores(model.embedding_ * factors, model.context_embedding_, directed=model.graph_.directed)
        return self._task.auc(scores.residual, _MATCHED)

    def misranked(self, power: float, shrinkage: float, scale: float) -> NDArray[np.float64]:
        """Return the shares of misranked pairs by residual and full score, shape (2,)."""
        factors = self._factors(power, shrinkage)
        held_out, matched, uniform = (self._products[kind] @ factors for kind in ("held out", _MATCHED, _UNIFORM))
        if (power, shrinkage) not in self._residual:
            self._residual[power, shrinkage] = auc_roc(held_out, matched)
        full = auc_roc(scale * held_out + self._null["held out"], scale * uniform + self._null[_UNIFORM])
        return 1.0 - np.array([self._residual[power, shrinkage], full])

    def _factors(self, power: float, shrinkage: float) -> NDArray[np.float64]:
        """Return the factor of each dimension, shape (K,)."""
        values = self._model.singular_values_
        if power == 1.0 and shrinkage == 0.0:
            return np.ones(len(values))
        new_values = reweighted(values, power, shrinkage)
        return np.asarray(np.divide(new_values, values, out=np.zeros_like(values), where=values > 0.0))
