"""Messages of the library in terms of the options of the command line."""

import re

__all__ = ["in_options"]

# Options of ``residuum embed`` by the parameter that they set, if the two have different names.
_OPTIONS = {
    "n_components": "dim",
    "null_model": "null",
    "exponent": "gamma",
    "random_state": "seed",
    "n_jobs": "threads",
    "memory_limit": "memory",
    "n_landmarks": "landmarks",
    "n_clusters": "clusters",
    "n_walks": "walks",
    "walk_length": "walk-length",
    "erase_level": "erase-level",
    "erase_strength": "erase-strength",
    "times": "time",
    "layers": "groups",
    "sides": "groups",
}
_SAME_NAME = (
    *(
        "by",
        "checkpoint",
        "coordinates",
        "delimiter",
        "directed",
        "epochs",
        "erase",
        "floor",
        "groups",
        "method",
        "number",
    ),
    *("p", "resolution"),
    *("power", "q", "refine", "scale", "shrinkage", "solver", "source", "target", "tolerance", "weight"),
    *("weighting", "window"),
)
_VALUE = r"""(?:'[^']*'|"[^"]*"|[-+\w.]+)"""
_ASSIGNMENT = re.compile(rf"(?<![\w.-])(?<!\w\()({'|'.join([*_OPTIONS, *_SAME_NAME])})=({_VALUE})")
# Words of the field, such as "window" or "solver", are left alone; names with an underscore can only be parameters.
# The subject of a message is a parameter, too: "window must be at least 1", "edges.csv: weight must be a column".
_SUBJECT = re.compile(rf"(?:^|(?<=: ))({'|'.join([*_OPTIONS, *_SAME_NAME])})(?= must |: )")
_NAME = re.compile(rf"(?<![\w.'\"-])({'|'.join(name for name in _OPTIONS if '_' in name)})(?![\w=('\"])")


def in_options(message: str) -> str:
    """Return a message with options instead of Python parameters.

    Parameters
    ----------
    message : str
        Warning or error of the library.

    Returns
    -------
    str
        The same message, with ``--erase null`` for ``erase='null'`` and ``--dim`` for ``n_components``.

    Examples
    --------
    >>> in_options("use erase='null' to erase them (floor=0 leaks less).")
    'use --erase null to erase them (--floor 0 leaks less).'
    >>> in_options("n_components must be below the number of nodes.")
    '--dim must be below the number of nodes.'
    >>> in_options("window must be at least 1; got 0.")
    '--window must be at least 1; got 0.'
    """
    text = _ASSIGNMENT.sub(lambda match: _assigned(match[1], match[2].strip("'\"")), message)
    text = _SUBJECT.sub(lambda match: _option(match[1]), text)
    return _NAME.sub(lambda match: _option(match[1]), text)


def _option(parameter: str) -> str:
    return f"--{_OPTIONS.get(parameter, parameter)}"


def _assigned(parameter: str, value: str) -> str:
    end = "." if value.endswith(".") else ""
    value = value.removesuffix(".")
    if value == "None":
        return f"no {_option(parameter)}{end}"
    if value in ("True", "False"):
        return f"{'--' if value == 'True' else '--un'}{parameter}{end}"
    return f"{_option(parameter)} {value}{end}"
