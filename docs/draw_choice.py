"""Draw docs/choosing.svg: the flow chart that leads from the data to a null model."""

from html import escape
from pathlib import Path

# A question, and the null model to take if the answer is yes.
QUESTIONS = [
    ("Two kinds of nodes, edges only between them?", "users and items, authors and papers", "Bipartite()"),
    ("Do ties fade with distance on a map?", "airports, neighborhoods", 'Spatial(("lat", "lon"))'),
    ("Do nodes have dates that decide who can link?", "papers, patents, accounts", 'Temporal("year")'),
    ("Is a label to be removed: gender, party, layer?", "an audit; homophily", 'DegreeCorrectedSBM("gender")'),
    ("Do hubs link to hubs, or avoid them?", "the internet, protein interactions", "DegreeCorrelated()"),
    ("Should the vectors keep the degree?", "popularity is part of the signal", "ErdosRenyi()"),
]
DEFAULT = ("Otherwise", "the default: removes degree", "Configuration()")
LEFT, WIDTH, HEIGHT, STEP, TOP = 20, 430, 58, 88, 64
RIGHT, RIGHT_WIDTH = 560, 300
INK, SOFT, FILL, ACCENT, ANSWER = "#1b2a41", "#5c677d", "#eef2f7", "#0b6e99", "#e6f2f7"
MONOSPACE = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def text(x: float, y: float, words: str, size: int, color: str, extra: str = "") -> str:
    """Return one line of text."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}"{extra}>{escape(words)}</text>'


def arrow(x1: float, y1: float, x2: float, y2: float, word: str) -> str:
    """Return an arrow with the answer that leads along it."""
    line = f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{ACCENT}" stroke-width="1.5"'
    place = ((x1 + x2) / 2 - 12, y1 - 7) if y1 == y2 else (x1 + 10, (y1 + y2) / 2 + 4)
    return f'{line} marker-end="url(#head)"/>' + text(*place, word, 13, ACCENT)


def answer(y: float, name: str) -> str:
    """Return the box of a null model."""
    size = f'width="{RIGHT_WIDTH}" height="{HEIGHT}" rx="29"'
    box = f'<rect x="{RIGHT}" y="{y:g}" {size} fill="{ANSWER}" stroke="{ACCENT}"/>'
    return box + text(RIGHT + 22, y + 34, name, 14, INK, f' font-family="{MONOSPACE}"')


def question(y: float, words: str, examples: str) -> str:
    """Return the box of a question."""
    box = f'<rect x="{LEFT}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{FILL}"/>'
    return (
        box
        + text(LEFT + 16, y + 25, words, 15, INK, ' font-weight="bold"')
        + text(LEFT + 16, y + 45, examples, 13, SOFT)
    )


def draw() -> str:
    """Return the chart as SVG."""
    head = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{ACCENT}"/></marker></defs>'
    )
    parts = [head, text(LEFT, 34, "What should the vectors not encode?", 18, INK, ' font-weight="bold"')]
    for number, (words, examples, name) in enumerate([*QUESTIONS, DEFAULT]):
        y = TOP + number * STEP
        last = number == len(QUESTIONS)
        parts += [question(y, words, examples), answer(y, name)]
        parts.append(arrow(LEFT + WIDTH, y + HEIGHT / 2, RIGHT, y + HEIGHT / 2, "" if last else "yes"))
        if not last:
            parts.append(arrow(LEFT + 40, y + HEIGHT, LEFT + 40, y + STEP, "no"))
    bottom = TOP + (len(QUESTIONS) + 1) * STEP
    note = "Two at once: multiply null models with groups, Temporal(years) * DegreeCorrectedSBM(language)."
    parts.append(text(LEFT, bottom + 2, note, 13, SOFT))
    size = f'viewBox="0 0 880 {bottom + 20}" width="880" height="{bottom + 20}"'
    background, body = '<rect width="100%" height="100%" fill="white"/>', "\n".join(parts)
    font = 'font-family="Helvetica, Arial, sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n{background}\n{body}\n</svg>\n'


if __name__ == "__main__":
    (Path(__file__).parent / "choosing.svg").write_text(draw(), encoding="utf-8")
