"""Null models by name."""

from residuum.errors import InvalidParameterError
from residuum.nulls.base import NullModel
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM
from residuum.nulls.erdos_renyi import ErdosRenyi

__all__ = ["null_model_from_name", "null_model_names"]

_BUILT_IN: dict[str, type] = {
    "erdos-renyi": ErdosRenyi,
    "configuration": Configuration,
    "dcsbm": DegreeCorrectedSBM,
}


def null_model_names() -> list[str]:
    """Return the names that :func:`null_model_from_name` knows."""
    return list(_BUILT_IN)


def null_model_from_name(name: str, **parameters: object) -> NullModel:
    """Return the null model called ``name``, made with ``parameters``."""
    if name not in _BUILT_IN:
        known = ", ".join(map(repr, _BUILT_IN))
        raise InvalidParameterError(f"null_model must be one of {known}, or a null model object; got {name!r}.")
    model: NullModel = _BUILT_IN[name](**parameters)
    return model
