"""Trials: fits on graphs with held-out edges, scored on these edges."""

import itertools
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
from residuum.selection.tunables import Tunable, as_parameters

__all__ = ["SCORINGS", "Trial", "run_trial"]

_log = logging.getLogger("residuum")
SCORINGS = ("residual", "full", "both")
_MATCHED, _UNIFORM = "degree-matched", "uniform"
# More pairs of each kind do not discriminate better between values.
_MAX_PAIRS = 10_000
_MIN_SHARE = 1e-9
_NEUTRAL = {"power": 1.0, "shrinkage": 0.0, "scale": 1.0}


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
        return float(_loss(np.array(1.0 - self.auc), np.array(1.0 - self.auc_full), scoring))


def _loss(residual: NDArray[np.float64], full: NDArray[np.float64], scoring: str) -> NDArray[np.float64]:
    if scoring == "both":
        return np.maximum(residual, _MIN_SHARE) * np.maximum(full, _MIN_SHARE)
    return residual if scoring == "residual" else full


def run_trial(
    make_model: Callable[[Mapping[str, Any]], Any],
    tasks: Sequence[LinkTask],
    values: Mapping[str, Any],
    tuned: Mapping[str, Tunable],
    scoring: str,
) -> Trial:
    """Embed the training graph of each split, and score its held-out edges.

    Parameters
    ----------
    make_model : callable
        Function from parameters by name to an unfitted estimator.
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
        model = make_model({**_NEUTRAL, **as_parameters(values)})
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
    text = ", ".join(f"{name} {value}" for name, value in parameters.items())
    _log.info("%s: AUC %.4f (residual, degree-matched), %.4f (full, uniform)", text, auc, trial.auc_full)
    return trial


def _read_off(
    splits: "list[_Split]", grid: Sequence[Sequence[float]], scoring: str
) -> tuple[dict[str, float], NDArray[np.float64]]:
    """Return the best power, shrinkage and scale, and their shares of misranked pairs, shape (2,)."""
    powers, shrinkages, scales = grid
    lowest, best, best_shares = np.inf, dict(_NEUTRAL), np.full(2, np.nan)
    for power, shrinkage in itertools.product(powers, shrinkages):
        shares = np.mean([split.misranked(power, shrinkage, scales) for split in splits], axis=0)
        losses = _loss(shares[0], shares[1], scoring)
        if losses.min() < lowest:
            index = int(losses.argmin())
            lowest, best_shares = losses[index], shares[:, index]
            best = {"power": power, "shrinkage": shrinkage, "scale": scales[index]}
    return best, best_shares


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
        self._null = {kind: self._scores.null(*self._pairs[kind].T) for kind in ("held out", _UNIFORM)}

    def auc(self, power: float, shrinkage: float) -> float:
        """Return the AUC of the residual score on all pairs, held-out edges against degree-matched pairs."""
        factors = self._factors(power, shrinkage).astype(np.float32)
        model = self._model
        scores = PairScores(model.embedding_ * factors, model.context_embedding_, directed=model.graph_.directed)
        return self._task.auc(scores.residual, _MATCHED)

    def misranked(self, power: float, shrinkage: float, scales: Sequence[float]) -> NDArray[np.float64]:
        """Return the shares of misranked pairs by residual and full score, shape (2, S) for S scales."""
        factors = self._factors(power, shrinkage)
        held_out, matched, uniform = (self._products[kind] @ factors for kind in ("held out", _MATCHED, _UNIFORM))
        full = [
            auc_roc(scale * held_out + self._null["held out"], scale * uniform + self._null[_UNIFORM])
            for scale in scales
        ]
        return 1.0 - np.stack([np.full(len(full), auc_roc(held_out, matched)), full])

    def _factors(self, power: float, shrinkage: float) -> NDArray[np.float64]:
        """Return the factor of each dimension, shape (K,)."""
        values = self._model.singular_values_
        if power == 1.0 and shrinkage == 0.0:
            return np.ones(len(values))
        new_values = reweighted(values, power, shrinkage)
        return np.asarray(np.divide(new_values, values, out=np.zeros_like(values), where=values > 0.0))
