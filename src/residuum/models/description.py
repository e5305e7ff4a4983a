"""How an embedding was made, in words that a file can keep."""

from typing import Any

import numpy as np

import residuum

__all__ = ["describe"]

_OUTCOMES = (
    "window",
    "weighting",
    "floor",
    "power",
    "shrinkage",
    "scale",
    "refine",
    "null_model",
    "solver",
    "approximation_error",
    "erased",
    "solver_details",
    "singular_values",
)


# What nodes are is told by its kind only: vectors that a label was taken out of do not carry it along.
_OF_NODES = ("erase", "groups")


def describe(model: Any) -> dict[str, Any]:
    """Return the parameters of a fitted estimator and what came of them, as JSON can hold it."""
    parameters = {
        name: type(value).__name__ if name in _OF_NODES and not isinstance(value, (str, type(None))) else _plain(value)
        for name, value in model.get_params(deep=False).items()
        if name not in {"progress", "n_jobs", "memory_limit", "checkpoint"}
    }
    return {
        "residuum": residuum.__version__,
        "method": type(model).__name__,
        "parameters": parameters,
        "graph": repr(model.graph_),
        "directed": model.graph_.directed,
        **{name: _plain(getattr(model, f"{name}_")) for name in _OUTCOMES if hasattr(model, f"{name}_")},
    }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return repr(value)
