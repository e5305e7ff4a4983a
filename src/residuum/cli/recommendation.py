"""One recommendation from the measured biases of a graph, and the command that follows it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from residuum.cli.graph_options import READING

if TYPE_CHECKING:
    from residuum.evaluation import Finding

__all__ = ["Bias", "p_text", "recommend_options", "repeated_options"]

_REPEATED = (*READING, "id_column", "missing_code")


@dataclass(frozen=True)
class Bias:
    """A measured bias and the options that remove it.

    Attributes
    ----------
    finding : Finding
        The measure.
    option : str or None
        Option of ``residuum embed`` that removes the bias; None if the default does, or if no option can.
    value : str
        Value of the option.
    missing : bool
        Whether some nodes have no label.
    """

    finding: "Finding"
    option: str | None = None
    value: str = ""
    missing: bool = False


def recommend_options(biases: list[Bias]) -> tuple[str, list[str]]:
    """Return one recommendation: remove the attributes that significantly relate to edges, else the sides, else degree.

    Labels and times are removed together. Coordinates need a null model of their own, which is recommended if their
    effect is larger.

    Parameters
    ----------
    biases : list of Bias
        Measured biases; those without a null model are weak or not significant.

    Returns
    -------
    reason : str
        The null model, and the measures that it follows from.
    options : list of str
        Options of ``residuum embed``.
    """
    significant = [bias for bias in biases if bias.finding.null_model is not None and bias.option is not None]
    labels = [bias for bias in significant if bias.option in ("--groups", "--time")]
    places = [bias for bias in significant if bias.option == "--coordinates"]
    if places and _largest(places) > _largest(labels):
        labels = []
    chosen = labels or places or significant
    if not chosen:
        tested = any(bias.option in ("--groups", "--time", "--coordinates") for bias in biases)
        remark = "; no attribute is strongly and significantly related to the edges" if tested else ""
        return f"configuration, the default, which removes degree{remark}", []
    options = [part for bias in chosen for part in (str(bias.option), bias.value)]
    if labels:
        options += ["--erase", "null"]
    if any(bias.missing for bias in labels):
        options += ["--missing", "unknown"]
    names = " × ".join(dict.fromkeys(str(bias.finding.null_model) for bias in chosen))
    return f"{names}, because {' and '.join(_measure(bias.finding) for bias in chosen)}", options


def _largest(biases: list[Bias]) -> float:
    return max((abs(bias.finding.value) for bias in biases), default=0.0)


def _measure(finding: "Finding") -> str:
    p_value = "" if finding.p_value is None else f" (p {p_text(finding.p_value)})"
    return f"{finding.name} is {finding.value:.2f}{p_value}"


def p_text(p_value: float) -> str:
    """Format a p-value for a sentence.

    Parameters
    ----------
    p_value : float
        Between 0 and 1.

    Returns
    -------
    str
        Three digits, with the sign of comparison.

    Examples
    --------
    >>> p_text(0.04), p_text(1e-9)
    ('= 0.040', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"= {p_value:.3f}"


_SET = (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)


def repeated_options(context: click.Context) -> list[str]:
    """Return the options of the running command that another command needs to read the same files alike.

    Parameters
    ----------
    context : click.Context
        Context of the running command.

    Returns
    -------
    list of str
        Options for reading graphs and node attributes that are set, with their values.
    """
    options: list[str] = []
    for parameter in context.command.params:
        name = str(parameter.name)
        if name not in _REPEATED or context.get_parameter_source(name) not in _SET:
            continue
        value = context.params[name]
        if isinstance(value, bool):
            options.append((parameter.opts if value else parameter.secondary_opts)[0])
        else:
            for text in value if isinstance(value, tuple) else (value,):
                options += [parameter.opts[0], str(text)]
    return options
