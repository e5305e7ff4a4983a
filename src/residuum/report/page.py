"""Self-contained HTML pages: the audit, and the map alone."""

import base64
import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from residuum._version import __version__
from residuum.evaluation import THRESHOLDS
from residuum.evaluation.diagnosis import interval_text
from residuum.report.charts import FrontierRow, frontier_chart, interval_chart, length_chart
from residuum.report.summary import LEVEL_WORDS

__all__ = ["LIMITS", "audit_page", "map_page"]

_FOLDER = Path(__file__).parent
_CHECK_TITLES = {
    "attackers": "Strongest attacker: balanced accuracy",
    "similarity": "Similarity: explained variance (R²)",
    "neighbors": "Nearest neighbors in the same group",
    "hubs": "Hubs among the nearest neighbors",
}
# What residuum rerun needs to know.
_RECORD = ("residuum", "command", "inputs", "seed")
_SYMBOLS = {"green": "✓", "amber": "!", "red": "✕"}

#: What an audit does not show, in plain words.
LIMITS = (
    "An audit can find a trace of an attribute; it cannot prove that there is none. A stronger attacker, or one with "
    "other data, may find more.",
    "Amber can be a false alarm, because the interval of chance is too narrow: attackers on random vectors were amber "
    "in 5 of 40 trials with 500 nodes and in 6 of 20 trials with 2,000 nodes, and red in none. With 120 nodes all "
    "trials were amber, and a real leak was red in 3 of 8.",
    "The attackers see the vectors only. Whoever has the graph can predict an attribute from the edges of a node, "
    "whatever the vectors reveal.",
    "Attackers use a sample of at most 2,000 nodes, the ten most frequent labels, and labels with at least ten nodes. "
    "Small groups may be revealed more than the average shows.",
    "Nodes without a value of an attribute are left out. If values are missing for a reason, the verdict holds for the "
    "others only.",
    "A map shows a projection of many dimensions to two. Distances between far clusters and their sizes mean little; "
    "use the lists of neighbors, which are exact.",
)


def audit_page(
    summary: Mapping[str, Any],
    maps: Mapping[str, Any],
    *,
    title: str,
    provenance: Mapping[str, Any],
    frontier: Sequence[FrontierRow] = (),
) -> str:
    """Return the audit as a self-contained HTML page, which loads nothing and runs no other script than its own.

    Parameters
    ----------
    summary : mapping
        Summary of an audit; see :func:`residuum.report.summarize`.
    maps : mapping
        Data of the maps; see :func:`residuum.report.map_data`.
    title : str
        Title of the page.
    provenance : mapping of str to value
        What was done: ``command`` (list of words), ``created``, ``inputs`` (records of the files) and ``methods``
        (metadata by name of the embedding); all are optional. The page contains it, for ``residuum rerun``.
    frontier : sequence of FrontierRow, optional
        Settings of erasure, measured by ``residuum frontier``.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.evaluation import audit
    >>> from residuum.report import map_data, summarize
    >>> graph = datasets.karate_club()
    >>> embedding = Residual2Vec(4, random_state=0).fit(graph).to_embedding()
    >>> summary = summarize(audit(graph, {"r2v": embedding}))
    >>> maps = map_data(graph.node_ids, {"r2v": embedding.vectors}, [])
    >>> audit_page(summary, maps, title="Karate club", provenance={})[:15]
    '<!doctype html>'
    """
    return _rendered(
        "audit.html",
        title=title,
        maps=maps,
        summary=summary,
        names=[embedding["name"] for embedding in summary["embeddings"]],
        subjects=[_with_charts(subject) for subject in summary["subjects"]],
        lengths={name: length_chart(bins) for name, bins in summary["lengths"].items()},
        frontier=frontier_chart(frontier) if frontier else None,
        provenance=provenance,
        command=command_text(provenance),
        thresholds=THRESHOLDS,
        check_titles=_CHECK_TITLES,
        limits=LIMITS,
    )


def command_text(provenance: Mapping[str, Any]) -> str:
    """Return the command line of a record as it is typed; empty if there is none."""
    command = provenance.get("command")
    return shlex.join(["residuum", *command]) if command else ""


def map_page(maps: Mapping[str, Any], *, title: str, provenance: Mapping[str, Any] | None = None) -> str:
    """Return maps as a self-contained HTML page.

    Parameters
    ----------
    maps : mapping
        Data of the maps; see :func:`residuum.report.map_data`.
    title : str
        Title of the page.
    provenance : mapping of str to value, optional
        As for :func:`audit_page`.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.report import map_data
    >>> map_page(map_data(["a", "b", "c"], {"r2v": np.eye(3)}, []), title="Three nodes")[:15]
    '<!doctype html>'
    """
    return _rendered("map.html", title=title, maps=maps, provenance=provenance or {})


def _rendered(template: str, **values: Any) -> str:
    import jinja2
    from markupsafe import Markup  # only for text of this package, and for JSON without characters of markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": _percent, "value": _value, "interval": _interval, "json": _compact}
    style = _asset("page.css")
    script = "\n".join(_asset(name) for name in ("scatter.js", "page.js"))
    return str(
        environment.get_template(template).render(
            **values,
            version=__version__,
            words=LEVEL_WORDS,
            symbols=_SYMBOLS,
            style=Markup(style),
            script=Markup(script),
            data=Markup(_json(values["maps"])),
            record=Markup(_json({key: value for key, value in values["provenance"].items() if key in _RECORD})),
            policy=Markup(_policy(style, script)),
        )
    )


def _asset(name: str) -> str:
    return (_FOLDER / "assets" / name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    """Return JSON that cannot end a script element: ``<``, ``>`` and ``&`` are escaped."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(style: str, script: str) -> str:
    """Return a content security policy: only this style and this script, and no request at all."""
    return (
        f"default-src 'none'; script-src {_source_hash(script)}; style-src {_source_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _source_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _with_charts(subject: Mapping[str, Any]) -> dict[str, Any]:
    """Return a subject with a chart for each of its checks."""
    by_check: dict[str, dict[str, Any]] = {}
    for name, result in subject["embeddings"].items():
        for check in result["checks"]:
            by_check.setdefault(check["name"], {})[name] = check
    return {**subject, "charts": {check: interval_chart(rows) for check, rows in by_check.items()}}


def _compact(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(_rounded(value), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    """Return JSON values with at most six digits, for the eye."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list | tuple) else value


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}%"


def _value(number: float) -> str:
    return interval_text(number, None)


def _interval(number: float, margin: float | None) -> str:
    """Return a value with its margin; in a narrow column, the line breaks before the margin."""
    return interval_text(number, margin).replace("± ", "±\N{NO-BREAK SPACE}")
