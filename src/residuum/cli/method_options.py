"""Estimator of ``residuum embed``, built from the options."""

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from residuum._progress import ProgressCallback
from residuum.cli.attribute_options import AttributeReader
from residuum.cli.null_options import erasure_from_options, null_model_from_options
from residuum.errors import InvalidParameterError, ResiduumWarning

if TYPE_CHECKING:
    from residuum.graph import Graph
    from residuum.models.base import NodeEmbedding

__all__ = ["fitting_dim", "model_from_options"]

# Parameter that each option sets, for the methods that have it.
_PARAMETERS = {
    "dim": "n_components",
    "window": "window",
    "memory": "memory_limit",
    "checkpoint": "checkpoint",
    "threads": "n_jobs",
    "seed": "random_state",
    "gamma": "exponent",
    "p": "p",
    "q": "q",
    "walks": "n_walks",
    "walk_length": "walk_length",
    "epochs": "epochs",
}
_RUN_OPTIONS = ("dim", "memory", "checkpoint", "threads", "seed")
# Options of a single solver, which they imply, and the parameters that they set.
_SOLVER_OPTIONS = {
    "landmark": {"landmarks": "n_landmarks", "tolerance": "tolerance"},
    "block": {"clusters": "n_clusters"},
    "skipgram": {"p": "p", "q": "q", "walks": "n_walks", "walk_length": "walk_length", "epochs": "epochs"},
}
_NULL_OPTIONS = ("null_name", "gamma", "groups", "time", "coordinates")
_VALUES = ("window", "floor", "weighting", "power", "shrinkage", "scale", "refine")


def model_from_options(
    graph: "Graph", options: dict[str, Any], explicit: set[str], progress: ProgressCallback | None
) -> "NodeEmbedding":
    """Return the estimator that ``--method`` names.

    Parameters
    ----------
    graph : Graph
        Graph to embed; options that name a column of a file refer to its nodes.
    options : dict of name to value
        All options of the command.
    explicit : set of str
        Names of the options on the command line. An option that the method does not accept is an error.
    progress : callable or None
        Receives the progress events of the fit.

    Returns
    -------
    NodeEmbedding
        Estimator, not fitted.
    """
    from residuum.models import Residual2Vec, method_from_name

    name = options["method"]
    method = method_from_name(name)
    if method is Residual2Vec:
        return _residual2vec(graph, options, explicit, progress)
    accepted = set(method().get_params())
    parameters: dict[str, Any] = {"progress": progress}
    used = {option for option, parameter in _PARAMETERS.items() if parameter in accepted}
    for option in used & (explicit | {"dim", "seed"}):
        value = options[option]
        parameters[_PARAMETERS[option]] = _single(option, value) if isinstance(value, list) else value
    if "groups" in accepted and options["groups"]:
        if len(options["groups"]) > 1:
            raise InvalidParameterError(f"--method {name} accepts one --groups; got {len(options['groups'])}.")
        parameters["groups"] = AttributeReader.of(graph, options).labels(options["groups"][0], "--groups")
        used.add("groups")
    solver_options = {option for parameters_of in _SOLVER_OPTIONS.values() for option in parameters_of}
    method_options = {
        *_PARAMETERS,
        *_NULL_OPTIONS,
        *_VALUES,
        *solver_options,
        "erase",
        "erase_level",
        "erase_strength",
        "tune",
        "solver",
    }
    _refuse((explicit & method_options) - used, f"--method {name}")
    model: NodeEmbedding = method(**parameters)
    return model


def fitting_dim(dim: int, graph: "Graph") -> int:
    """Return ``--dim``, reduced with a warning if the graph is too small for it.

    Parameters
    ----------
    dim : int
        Value of the option.
    graph : Graph
        Graph to embed.

    Returns
    -------
    int
        At most the number of nodes minus one.
    """
    most = max(graph.n_nodes - 1, 1)
    if dim <= most:
        return dim
    warnings.warn(
        f"--dim {dim} is reduced to {most}, the most that fits a graph of {graph.n_nodes} nodes.",
        ResiduumWarning,
        stacklevel=2,
    )
    return most


def _residual2vec(
    graph: "Graph", options: dict[str, Any], explicit: set[str], progress: ProgressCallback | None
) -> "NodeEmbedding":
    from residuum.models import Residual2Vec
    from residuum.selection import Residual2VecCV

    reader = AttributeReader.of(graph, options)
    common = {_PARAMETERS[name]: options[name] for name in _RUN_OPTIONS}
    common |= {
        "solver": _solver(options, explicit),
        "erase": erasure_from_options(reader, options["erase"]),
        "erase_level": options["erase_level"],
        "erase_strength": options["erase_strength"],
        "progress": progress,
    }
    null_options = {name: options[name] for name in _NULL_OPTIONS}
    if options["tune"] is None:
        null_options["gamma"] = None if options["gamma"] is None else _single("gamma", options["gamma"])
        values = {name: _single(name, options[name]) for name in _VALUES if options[name] is not None}
        return Residual2Vec(null_model=null_model_from_options(reader, **null_options), **common, **values)
    search = {name: options[name] for name in _VALUES if options[name] is not None}
    if options["gamma"] is not None and len(options["gamma"]) > 1:
        search["exponent"], null_options["gamma"] = options["gamma"], None
    elif options["gamma"] is not None:
        null_options["gamma"] = options["gamma"][0]
    null_model = null_model_from_options(reader, **null_options)
    return Residual2VecCV(search=search or None, scoring=options["tune"], null_model=null_model, **common)


def _single(name: str, values: list[Any]) -> Any:
    from residuum.selection import TUNABLES

    if len(values) > 1:
        listed = ",".join(f"{value:g}" for value in values)
        hint = " Add --tune to search several values." if name in TUNABLES or name == "gamma" else ""
        raise InvalidParameterError(f"--{name} accepts one value; got {listed}.{hint}")
    return values[0]


def _solver(options: Mapping[str, Any], explicit: set[str]) -> Any:
    """Return the solver that ``--solver`` names, or that the options of a single solver imply."""
    from residuum.solvers import resolve_solver

    for name, parameters in _SOLVER_OPTIONS.items():
        used = {option: parameter for option, parameter in parameters.items() if option in explicit}
        if not used:
            continue
        # Options of walks do not imply the skip-gram solver: sampling must be explicit.
        if options["solver"] != name and (options["solver"] != "auto" or name == "skipgram"):
            _refuse(set(used), f"--solver {options['solver']}", f"use --solver {name}")
        of_others = {option for rival, names in _SOLVER_OPTIONS.items() if rival != name for option in names}
        _refuse(of_others & explicit, f"--solver {name}")
        kind: type[Any] = type(resolve_solver(name))
        return kind(**{parameter: options[option] for option, parameter in used.items()})
    resolve_solver(options["solver"])
    return options["solver"]


def _refuse(unused: set[str], choice: str, remedy: str | None = None) -> None:
    if unused:
        listed = ", ".join(f"--{'null' if name == 'null_name' else name.replace('_', '-')}" for name in sorted(unused))
        verb, pronoun = ("does", "it") if len(unused) == 1 else ("do", "them")
        raise InvalidParameterError(f"{listed} {verb} not apply to {choice}; {remedy or f'leave {pronoun} out'}.")
