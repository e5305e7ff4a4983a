"""Model card of an audit in Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from residuum._version import __version__
from residuum.evaluation import THRESHOLDS
from residuum.evaluation.diagnosis import interval_text
from residuum.report.page import LIMITS, command_text

__all__ = ["model_card"]


def model_card(summary: Mapping[str, Any], *, title: str, provenance: Mapping[str, Any]) -> str:
    """Return the audit as a model card in Markdown.

    Parameters
    ----------
    summary : mapping
        Summary of an audit; see :func:`residuum.report.summarize`.
    title : str
        Title of the card.
    provenance : mapping of str to value
        As for :func:`residuum.report.audit_page`.

    Returns
    -------
    str
        Markdown; names from the data are escaped.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.evaluation import audit
    >>> from residuum.report import summarize
    >>> graph = datasets.karate_club()
    >>> embedding = Residual2Vec(4, random_state=0).fit(graph).to_embedding()
    >>> model_card(summarize(audit(graph, {"r2v": embedding})), title="Karate club", provenance={}).splitlines()[0]
    '# Karate club'
    """
    names = [embedding["name"] for embedding in summary["embeddings"]]
    parts = [
        [f"# {_escaped(title)}", "", f"{_escaped(summary['graph']['text'])}. Audited with residuum {__version__}."],
        ["## Verdict", "", *_verdicts(summary["subjects"], names)],
        *(_subject(subject, names) for subject in summary["subjects"]),
        ["## Links, hubs and lengths", "", *_measures(summary, names)],
        ["## What was done", "", *_done(summary, provenance)],
        ["## Thresholds", "", *(f"- {name}: {text}" for name, text in THRESHOLDS.items())],
        ["## Limits", "", *(f"- {limit}" for limit in LIMITS)],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _verdicts(subjects: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    rows = [[s["name"], *(_verdict(s["embeddings"][name]) for name in names)] for s in subjects]
    return _table(["trace of", *names], rows)


def _verdict(result: Mapping[str, Any]) -> str:
    return f"{result['level']}: {result['verdict']}"


def _subject(subject: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    lines = [f"### {_escaped(subject['name'])}", ""]
    lines += [f"{_escaped(change)}\n" for change in subject["changes"]]
    for name in names:
        result = subject["embeddings"][name]
        lines += [f"- **{_escaped(name)}**, {_verdict(result)}."]
        lines += [f"  - {check['level']}: {_escaped(check['text'])}" for check in result["checks"]]
        if result.get("not_attacked"):
            lines.append(f"  - Attackers were not run: {_escaped(result['not_attacked'])}")
    return lines


def _measures(summary: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    rows = [
        [row["name"], *(interval_text(row["values"][name], row["margins"][name]) for name in names), row["meaning"]]
        for row in summary["measures"]
    ]
    return [*_table(["measure", *names, "meaning"], rows), "", "±: 95% interval."]


def _done(summary: Mapping[str, Any], provenance: Mapping[str, Any]) -> list[str]:
    lines = [f"- seed: {summary['seed']}"]
    facts = {"created": provenance.get("created"), "command": command_text(provenance)}
    lines += [f"- {key}: {_escaped(value)}" for key, value in facts.items() if value]
    for record in provenance.get("inputs", []):
        column = f", column {_escaped(record['column'])}" if record.get("column") else ""
        lines.append(f"- {record['role']}: {_escaped(record['file'])}{column}, SHA-256 {record['sha256'] or 'unknown'}")
    for name, method in provenance.get("methods", {}).items():
        lines.append(f"- method of {_escaped(name)}: {_escaped(str(method.get('method', 'not recorded')))}")
    return lines


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell if cell == "---" else _escaped(cell) for cell in line) + " |" for line in lines]


def _escaped(text: str) -> str:
    """Return text in which Markdown and HTML have no effect."""
    flat = re.sub(r"\s+", " ", text)
    return re.sub(r"([\\`*_\[\]<>|&#])", r"\\\1", flat)
