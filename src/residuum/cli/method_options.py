"""The options of ``residuum embed`` as parameters of the method that they choose."""

from typing import Any

from residuum._progress import ProgressCallback
from residuum.cli.null_options import attribute, erasure_from_options, null_model_from_options
from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.models import AUTO, AUTO_BY_WALKS, Residual2Vec, method_from_name
from residuum.models.node_embedding import NodeEmbedding

__all__ = ["model_from_options"]

# The parameter that each option sets, where a method has it.
_PARAMETERS = {
    "dim": "n_components",
    "window": "window",
    "floor": "floor",
    "weighting": "weighting",
    "power": "power",
    "shrinkage": "shrinkage",
    "scale": "scale",
    "refine": "refine",
    "solver": "solver",
    "landmarks": "n_landmarks",
    "tolerance": "tolerance",
    "blocks": "n_blocks",
    "memory": "memory_limit",
    "checkpoint": "checkpoint",
    "threads": "n_jobs",
    "seed": "random_state",
    "teleport": "teleport",
    "gamma": "exponent",
    "p": "p",
    "q": "q",
    "walks": "n_walks",
    "walk_length": "walk_length",
    "epochs": "epochs",
}
_WALK_OPTIONS = ("p", "q", "walks", "walk_length", "epochs")
_NULL_OPTIONS = ("null_name", "gamma", "groups", "time", "coordinates")
# Parameters that the name of the method already settles.
_SETTLED = {"netmf": {"floor", "weighting", "solver", "n_landmarks"}}


def model_from_options(
    graph: Graph, options: dict[str, Any], given: set[str], progress: ProgressCallback | None
) -> NodeEmbedding:
    """Return the estimator that ``--method`` names, with its parameters.

    Parameters
    ----------
    graph : Graph
        For options that name a column of a file.
    options : dict
        All options, by name.
    given : set of str
        Those that the user wrote; one that the method does not take is an error, never ignored.
    progress : callable or None
    """
    name = options["method"]
    method = method_from_name(name)
    if method is Residual2Vec:
        return _residual2vec(graph, options, given, progress)
    known = set(method().get_params()) - _SETTLED.get(name, set())
    parameters: dict[str, Any] = {"progress": progress}
    for option, parameter in _PARAMETERS.items():
        if parameter in known and options[option] is not None:
            parameters[parameter] = options[option]
    taken = {option for option, parameter in _PARAMETERS.items() if parameter in known}
    if "groups" in known and options["groups"]:
        if len(options["groups"]) > 1:
            raise InvalidParameterError(f"--method {name} takes one --groups; got {len(options['groups'])}.")
        parameters["groups"] = attribute(graph, options["groups"][0], "--groups")
        taken.add("groups")
    _refuse(given & {*_PARAMETERS, *_NULL_OPTIONS, "erase", "auto"} - taken, f"--method {name}")
    return method(**parameters)


def _residual2vec(
    graph: Graph, options: dict[str, Any], given: set[str], progress: ProgressCallback | None
) -> Residual2Vec:
    walking = options["solver"] == "sgd"
    if not walking:
        _refuse(given & set(_WALK_OPTIONS), "a solver that does not walk (--solver sgd does)")
    own = set(_PARAMETERS) - set(_WALK_OPTIONS) - {"gamma"}
    if options["auto"]:
        chosen = AUTO_BY_WALKS if walking else AUTO
        options = options | {name: value for name, value in chosen.items() if name not in given}
    return Residual2Vec(
        null_model=null_model_from_options(graph, **{name: options[name] for name in _NULL_OPTIONS}),
        erase=erasure_from_options(graph, options["erase"]),
        sgd={_PARAMETERS[name]: options[name] for name in _WALK_OPTIONS if options[name] is not None} or None,
        progress=progress,
        **{_PARAMETERS[name]: options[name] for name in own},
    )


def _refuse(unused: set[str], by: str) -> None:
    if unused:
        written = ", ".join(f"--{'null' if name == 'null_name' else name.replace('_', '-')}" for name in sorted(unused))
        raise InvalidParameterError(f"{written} is not for {by}; leave it out.")
