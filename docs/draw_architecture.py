"""Draw docs/architecture.svg: the rooms as pyproject.toml layers them, and the way of an edge list through them."""

import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = {
    "cli": "one file per command",
    "reproduction": "the paper's tables, the benchmark harness",
    "selection": "tuned on edges",
    "baselines": "FairWalk, GloVe, gnn, …",
    "links": "a classifier of pairs",
    "testing": "checks of null models",
    "distributed": "the same solvers on a Dask cluster",
    "models": "Residual2Vec and its family",
    "integrations": "torch",
    "report": "figures",
    "solvers": "Exact, Landmark, Block, SkipGram, plan",
    "residual": "the matrix ln P_d − ln P_0, erasure, linear algebra",
    "nulls": "P_0: one file per null model",
    "walks": "P_d: windows, walks",
    "evaluation": "metrics, splits, bias",
    "datasets": "built-in, generated",
    "graph": "Graph, attributes, files/, disk/",
    "embedding": "vectors with ids, pair scores, files",
    "_kernels": "everything that numba compiles",
}
# The numbered way of `residuum embed edges.csv -o vectors.parquet`.
WAY = [
    ("cli", "commands/embed.py parses the options"),
    ("graph", "files/ reads edges.csv into a Graph"),
    ("models", "Residual2Vec.fit checks its parameters"),
    ("nulls", "the null model is fitted: P_0"),
    ("walks", "WindowProbabilities: P_d by sparse products"),
    ("residual", "ResidualMatrix: ln P_d − ln P_0, tile by tile"),
    ("solvers", "plan chooses a solver; it factorizes the matrix"),
    ("models", "vectors and offsets become attributes"),
    ("embedding", "an Embedding is saved to vectors.parquet"),
]
LEFT, WIDTH, HEIGHT, GAP, TOP = 20, 680, 50, 8, 56
WAY_LEFT, WAY_STEP = 750, 62
INK, SOFT, FILL, ACCENT = "#1b2a41", "#5c677d", "#eef2f7", "#0b6e99"


def layers() -> list[list[str]]:
    """Return the rooms of each layer, from the top, as the import linter enforces them."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    rows = [[room.strip() for room in layer.replace(":", "|").split("|")] for layer in contract["layers"]]
    return [rooms for rooms in ([room for room in row if room in ROOMS] for row in rows) if rooms]


def text(x: float, y: float, words: str, size: int = 12, color: str = SOFT, weight: str = "normal") -> str:
    """Return one line of text."""
    style = f'font-size="{size}" fill="{color}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


def badge(x: float, y: float, number: int) -> str:
    """Return a numbered circle."""
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{ACCENT}"/>'
    style = 'font-size="11" fill="white" text-anchor="middle" font-weight="bold"'
    return f'{circle}<text x="{x:g}" y="{y + 4:g}" {style}>{number}</text>'


def draw() -> str:
    """Return the picture as SVG."""
    rows = layers()
    parts = [text(LEFT, 30, "Rooms: each imports only from rooms below it", 16, INK, "bold")]
    parts.append(text(WAY_LEFT, 30, "residuum embed edges.csv -o vectors.parquet", 16, INK, "bold"))
    for level, rooms in enumerate(rows):
        width = (WIDTH - GAP * (len(rooms) - 1)) / len(rooms)
        y = TOP + level * (HEIGHT + GAP)
        for place, room in enumerate(rooms):
            x = LEFT + place * (width + GAP)
            parts.append(f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" rx="6" fill="{FILL}"/>')
            parts.append(text(x + 12, y + 21, room, 15, INK, "bold"))
            parts.append(text(x + 12, y + 39, ROOMS[room]))
            numbers = [number for number, (name, _) in enumerate(WAY, 1) if name == room]
            parts += [badge(x + width - 16 - 22 * k, y + 15, number) for k, number in enumerate(reversed(numbers))]
    bottom = TOP + len(rows) * (HEIGHT + GAP)
    for number, (room, words) in enumerate(WAY, 1):
        y = TOP + 15 + (number - 1) * WAY_STEP
        if number < len(WAY):
            line = f'x1="{WAY_LEFT + 10}" y1="{y + 12}" x2="{WAY_LEFT + 10}" y2="{y + WAY_STEP - 12}"'
            parts.append(f'<line {line} stroke="{ACCENT}" stroke-width="1.5"/>')
        parts.append(badge(WAY_LEFT + 10, y, number))
        parts.append(text(WAY_LEFT + 30, y - 1, room, 14, INK, "bold"))
        parts.append(text(WAY_LEFT + 30, y + 16, words))
    size = f'viewBox="0 0 1180 {bottom + 12}" width="1180" height="{bottom + 12}"'
    body = "\n".join(parts)
    background = '<rect width="100%" height="100%" fill="white"/>'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n{background}\n{body}\n</svg>\n'


if __name__ == "__main__":
    (ROOT / "docs" / "architecture.svg").write_text(draw(), encoding="utf-8")
