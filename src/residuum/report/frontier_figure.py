"""Figure of the price of erasure."""

import os
from collections.abc import Mapping
from pathlib import Path

from residuum._files import atomic_path
from residuum._validation import import_extra

__all__ = ["frontier_figure"]

_COLORS = {"none": "#000000", "linear": "#E69F00", "distribution": "#0072B2", "other": "#009E73"}
_MAX_LEAK = 0.05


def frontier_figure(
    path: str | os.PathLike[str], points: Mapping[str, tuple[float, float]], attribute: str, recommended: str
) -> None:
    """Plot the AUC of links against the leakage of the strongest attacker, one dot per setting.

    Requires ``pip install 'residuum[report]'``.

    Parameters
    ----------
    path : path
        File to write; the extension selects the format.
    points : mapping of name to (leak, auc)
        ``|accuracy − chance|`` of the strongest attacker, and AUC of held-out edges. A name that begins with "linear"
        or "distribution" has the color of this level.
    attribute : str
        Name of the attribute.
    recommended : str
        Name of the recommended point.

    Examples
    --------
    >>> import tempfile
    >>> from residuum.report import frontier_figure
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "frontier.png"
    ...     frontier_figure(file, {"none": (0.4, 0.9), "linear 1": (0.2, 0.8)}, "party", "linear 1")
    ...     print(file.exists())
    True
    """
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    figure, axis = pyplot.subplots(figsize=(7.0, 4.8), layout="constrained")
    axis.axvspan(0.0, _MAX_LEAK, color="#0072B2", alpha=0.08)
    for name, (leak, auc) in points.items():
        level = name.split()[0]
        color = _COLORS.get(level, _COLORS["other"])
        axis.scatter([leak], [auc], color=color, s=130 if name == recommended else 45, marker="o", zorder=3)
        axis.annotate(name, (leak, auc), textcoords="offset points", xytext=(6, 4), fontsize="small")
    axis.set_xlim(left=0.0)
    axis.set_xlabel(f"leakage of {attribute}: strongest attacker, |accuracy − chance| (lower is better)")
    axis.set_ylabel("link AUC, degree-matched (higher is better)")
    axis.set_title(f"Erasure of {attribute}: links against leakage; large dot: recommended")
    target = Path(path)
    with atomic_path(target) as temporary:
        figure.savefig(temporary, dpi=150, format=target.suffix.lstrip("."))
    pyplot.close(figure)
