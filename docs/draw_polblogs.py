"""Draw docs/pictures/polblogs.png: the political blogs of 2004 in two embeddings.

RESIDUUM_DATA=FOLDER python docs/draw_polblogs.py
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np

from residuum import Node2Vec, Residual2Vec, datasets
from residuum.evaluation import attack

COLORS = {"left": "#0072B2", "right": "#D55E00"}  # Okabe–Ito
METHODS = {
    "node2vec": Node2Vec(32, n_jobs=1, random_state=0),
    "residuum, party erased": Residual2Vec(32, erase="party", erase_level="distribution", random_state=0),
}


def plane(vectors: np.ndarray) -> np.ndarray:
    """Return the first two principal components of the unit vectors."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    left, values, _ = np.linalg.svd(unit - unit.mean(axis=0), full_matrices=False)
    return left[:, :2] * values[:2]


def main() -> None:
    """Embed the graph by both methods, and draw one panel each."""
    mpl.use("agg")
    from matplotlib import pyplot

    graph = datasets.load("polblogs")
    party = np.array(list(COLORS))[graph.node_attributes["party"].astype(int)]
    size = 6 + 120 * graph.out_strength / graph.out_strength.max()
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    for axis, (name, method) in zip(axes, METHODS.items(), strict=True):
        vectors = method.fit_transform(graph)
        places = plane(vectors)
        strongest = attack(vectors, party).strongest
        order = np.argsort(-size)  # hubs first, so that they do not hide small dots
        for label, color in COLORS.items():
            rows = order[party[order] == label]
            style = {"alpha": 0.7, "linewidths": 0.3, "edgecolors": "white"}
            axis.scatter(places[rows, 0], places[rows, 1], s=size[rows], color=color, label=label, **style)
        axis.set_title(name, fontsize=15)
        axis.set_xlabel(f"party predicted correctly: {strongest.accuracy:.0%} (chance 50%)", fontsize=12)
        axis.set_xticks([])
        axis.set_yticks([])
    axes[0].legend(loc="upper center", frameon=False, fontsize=12)
    figure.savefig(Path(__file__).parent / "pictures" / "polblogs.png", dpi=110)


if __name__ == "__main__":
    main()
