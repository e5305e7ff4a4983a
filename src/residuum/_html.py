"""HTML representations for notebooks."""

from collections.abc import Mapping
from html import escape

__all__ = ["html_table"]

# Longer texts are cut.
_LENGTH = 200


def html_table(title: str, rows: Mapping[str, object]) -> str:
    """Return a table of names and values as HTML, with every text escaped.

    Parameters
    ----------
    title : str
        Caption of the table.
    rows : mapping of str to object
        Values by name; texts of more than 200 characters are cut.

    Returns
    -------
    str
        A ``<table>`` element in the colors of the notebook.

    Examples
    --------
    >>> html_table("<Graph>", {"nodes": 34}).count("&lt;Graph&gt;")
    1
    """
    cells = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(_short(value))}</td></tr>'
        for name, value in rows.items()
    )
    caption = f'<caption style="text-align:left;font-weight:bold">{escape(title)}</caption>'
    return f"<table>{caption}<tbody>{cells}</tbody></table>"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH - 1]}…"
