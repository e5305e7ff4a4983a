"""Null models by name: the built-in ones, and those that installed packages offer."""

from importlib.metadata import entry_points

from residuum.errors import InvalidParameterError
from residuum.nulls.base import NullModel
from residuum.nulls.bipartite import Bipartite
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM
from residuum.nulls.degree_correlated import DegreeCorrelated
from residuum.nulls.erdos_renyi import ErdosRenyi
from residuum.nulls.multilayer import Multilayer
from residuum.nulls.sampled import SampledNull
from residuum.nulls.spatial import Spatial
from residuum.nulls.temporal import Temporal

__all__ = ["ENTRY_POINTS", "describe_null_models", "null_model_from_name", "null_model_names"]

# A package that declares an entry point of this group makes its null model known by name.
ENTRY_POINTS = "residuum.null_models"

_BUILT_IN: dict[str, tuple[type, str]] = {
    "erdos-renyi": (ErdosRenyi, "nothing is removed; what DeepWalk assumes"),
    "configuration": (Configuration, "degree; the default"),
    "dcsbm": (DegreeCorrectedSBM, "degree and the mixing of groups (gender, country, topic)"),
    "bipartite": (Bipartite, "degree and the two sides (users and items, authors and papers)"),
    "multilayer": (Multilayer, "degree and the coupling of layers"),
    "degree-correlated": (DegreeCorrelated, "degree and which degrees are joined (hubs to hubs, hubs to leaves)"),
    "spatial": (Spatial, "degree and the decay of ties with distance"),
    "rewired": (SampledNull, "degree, in simple graphs (sampled by edge swaps)"),
    "temporal": (Temporal, "degree and time (years, growth and ageing)"),
}


def null_model_names() -> list[str]:
    """Return the names that :func:`null_model_from_name` knows."""
    return list(describe_null_models())


def describe_null_models() -> dict[str, str]:
    """Return one line for each null model, by name: what it removes."""
    lines = {name: line for name, (_, line) in _BUILT_IN.items()}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name not in lines:
            lines[point.name] = f"from {point.dist.name if point.dist else 'an installed package'}: {point.value}"
    return lines


def null_model_from_name(name: str, **parameters: object) -> NullModel:
    """Return the null model called ``name``, made with ``parameters``."""
    model: NullModel
    if name in _BUILT_IN:
        model = _BUILT_IN[name][0](**parameters)
        return model
    for point in entry_points(group=ENTRY_POINTS, name=name):
        model = point.load()(**parameters)
        return model
    known = ", ".join(map(repr, null_model_names()))
    raise InvalidParameterError(f"null_model must be one of {known}, or a null model object; got {name!r}.")
