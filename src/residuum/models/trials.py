"""One trial of a choice: a graph with hidden edges is embedded, and they are asked for."""

import copy
import itertools
import logging
import warnings
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from residuum.errors import ResiduumWarning
from residuum.evaluation import LinkTask, auc_roc
from residuum.nulls import Configuration
from residuum.residual import reweighted

__all__ = ["READ_OFF", "Trial", "as_parameters", "try_values"]

_log = logging.getLogger("residuum")
# What is read off the vectors of a trial, without a fit for each value.
READ_OFF: dict[str, Sequence[float]] = {
    "power": (1.0, 1.1, 1.2, 1.3, 1.4),
    "shrinkage": (0.0, 0.3, 0.6, 0.9),
    "scale": tuple(2.0 ** (half / 2) for half in range(-2, 7)),
}
_MATCHED, _UNIFORM = "degree-matched", "uniform"
_AS_IT_IS = {"power": 1.0, "shrinkage": 0.0, "scale": 1.0}
# More pairs of each kind tell these values apart no better.
_ASKED = 10_000
_SMALLEST_SHARE = 1e-9


@dataclass(frozen=True)
class Trial:
    """Values that were tried.

    Attributes
    ----------
    parameters : dict of str to value
    auc : float
        Of the association, for hidden edges against pairs of the same degrees.
    auc_full : float
        Of the full score, for hidden edges against pairs drawn uniformly.
    """

    parameters: dict[str, Any]
    auc: float
    auc_full: float

    @property
    def wrong(self) -> float:
        """The product of the shares of pairs in the wrong order in both tasks, so that neither pays for the other."""
        return (1.0 - self.auc) * (1.0 - self.auc_full)


def as_parameters(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return chosen values as parameters of the model: an exponent is that of its null model."""
    parameters = dict(chosen)
    if "exponent" in parameters:
        parameters["null_model"] = Configuration(parameters.pop("exponent"))
    return parameters


def try_values(
    model: BaseEstimator, tasks: Sequence[LinkTask], parameters: Mapping[str, Any], fixed: Mapping[str, Any]
) -> Trial:
    """Embed what each split leaves, with the values given; those of :data:`READ_OFF` are the best of all.

    The best are those with which the product of two shares is smallest (:attr:`Trial.wrong`, estimated on some of the
    pairs).

    Parameters
    ----------
    model : estimator
    tasks : sequence of LinkTask
    parameters : mapping
        What is chosen, by name; values of those that are read off are not looked at.
    fixed : mapping
        Parameters that differ from those of the model, but are not chosen.
    """
    given = as_parameters({name: value for name, value in parameters.items() if name not in READ_OFF})
    splits = []
    for task in tasks:
        fitted: Any = clone(model).set_params(**given | dict(fixed))
        with warnings.catch_warnings():
            # They are given once, for the graph itself.
            warnings.simplefilter("ignore", ResiduumWarning)
            fitted.fit(task.train)
        splits.append(_Split(fitted, task))
    found, auc_full = _read_off(splits, parameters)
    auc = float(np.mean([split.auc(found["power"], found["shrinkage"]) for split in splits]))
    trial = Trial({name: found.get(name, value) for name, value in parameters.items()}, auc, auc_full)
    told = ", ".join(f"{name} {value}" for name, value in trial.parameters.items())
    _log.info("%s: AUC %.4f, with what the null model explains %.4f", told, auc, auc_full)
    return trial


def _read_off(splits: "list[_Split]", names: Container[str]) -> tuple[dict[str, float], float]:
    """Return the best values of parameters that need no fit, those that leave all as it is for others, and an AUC."""
    powers, shrinkages, scales = (READ_OFF[name] if name in names else (_AS_IT_IS[name],) for name in READ_OFF)
    lowest, best, auc_full = np.inf, {}, np.nan
    for power, shrinkage in itertools.product(powers, shrinkages):
        shares = np.mean([split.wrong(power, shrinkage, scales) for split in splits], axis=0)
        products = np.maximum(shares, _SMALLEST_SHARE).prod(axis=0)
        if products.min() < lowest:
            place = int(products.argmin())
            lowest, auc_full = products[place], 1.0 - float(shares[1, place])
            best = {"power": power, "shrinkage": shrinkage, "scale": scales[place]}
    return best, auc_full


class _Split:
    """Hidden edges, and what the vectors of the rest say of them."""

    def __init__(self, fitted: Any, task: LinkTask) -> None:
        self._fitted, self._task = fitted, task
        pairs = {"hidden": task.positive, **task.negatives}
        self._pairs = {kind: some[:: -(-len(some) // _ASKED)] for kind, some in pairs.items()}
        self._parts: dict[str, NDArray[np.float64]] = {}
        self._null: dict[str, NDArray[np.float64]] = {}

    def auc(self, power: float, shrinkage: float) -> float:
        """Return the AUC of the association for hidden edges against pairs of the same degrees."""
        factors = self._factors(power, shrinkage)
        found = copy.copy(self._fitted)
        found.embedding_ = self._fitted.embedding_ * factors.astype(np.float32)
        ids = found.node_ids_
        scores = [found.score_pairs(*ids[pairs.T]) for pairs in (self._task.positive, self._task.negatives[_MATCHED])]
        return auc_roc(*scores)

    def wrong(self, power: float, shrinkage: float, scales: Sequence[float]) -> NDArray[np.float64]:
        """Return the shares of pairs in the wrong order in both tasks, shape (2, S) for S scales."""
        factors = self._factors(power, shrinkage)
        hidden, matched, uniform = (self._part(kind) @ factors for kind in ("hidden", _MATCHED, _UNIFORM))
        hidden_null, uniform_null = (self._explained(kind) for kind in ("hidden", _UNIFORM))
        full = [auc_roc(scale * hidden + hidden_null, scale * uniform + uniform_null) for scale in scales]
        return 1.0 - np.stack([np.full(len(full), auc_roc(hidden, matched)), full])

    def _factors(self, power: float, shrinkage: float) -> NDArray[np.float64]:
        """Return how much more each component counts, shape (K,)."""
        fitted = self._fitted
        if power == 1.0 and shrinkage == 0.0:
            return np.ones(fitted.embedding_.shape[1])
        values = fitted.singular_values_
        # If one of the two was given, the vectors have it already.
        now = reweighted(values, fitted.power_, fitted.shrinkage_)
        then = reweighted(values, power * fitted.power_, max(shrinkage, fitted.shrinkage_))
        return np.divide(then, now, out=np.zeros_like(now), where=now > 0.0)

    def _part(self, kind: str) -> NDArray[np.float64]:
        """Return what each component adds to the association of pairs, shape (n, K)."""
        if kind not in self._parts:
            fitted, (i, j) = self._fitted, self._pairs[kind].T
            u, v = fitted.embedding_, fitted.context_embedding_
            parts = u[i] * v[j] if fitted.graph_.directed else (u[i] * v[j] + u[j] * v[i]) / 2
            self._parts[kind] = parts.astype(np.float64)
        return self._parts[kind]

    def _explained(self, kind: str) -> NDArray[np.float64]:
        if kind not in self._null:
            self._null[kind] = self._fitted.score_pairs(*self._fitted.node_ids_[self._pairs[kind].T], mode="null")
        return self._null[kind]
