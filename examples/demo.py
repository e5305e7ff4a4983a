"""Effect of three null models and an erasure on the vectors of one graph.

The graph is generated: 1,000 nodes in four planted groups, with power-law degrees.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from residuum import Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.report import degree_figure

SETTINGS = {
    "node2vec-like (γ = 0.75)": {"null_model": Configuration(exponent=0.75)},
    "configuration": {"null_model": Configuration()},
    "dcSBM by group": {"null_model": DegreeCorrectedSBM(groups="group")},
    "dcSBM, group erased": {"null_model": DegreeCorrectedSBM(groups="group"), "erase": "null"},
}


def correlation(scores: np.ndarray, values: np.ndarray) -> float:
    """Return the Pearson correlation over all pairs of nodes."""
    pairs = np.triu_indices(len(scores), k=1)
    return float(np.corrcoef(scores[pairs], values[pairs])[0, 1])


def main(folder: Path) -> None:
    """Embed with each null model; write vectors and a figure, and print a table."""
    folder.mkdir(exist_ok=True)
    # A null model alone does not hide the group, as the last two panels show; the warning about it is ignored.
    warnings.simplefilter("ignore", ResiduumWarning)
    graph = datasets.planted_groups(degree_exponent=2.2, random_state=7)
    degree, group = graph.out_strength, graph.node_attributes["group"]
    vectors, captions = {}, {}
    table = Table(title="Correlation of the association with degree and group")
    table.add_column("null model")
    table.add_column("degree", justify="right")
    table.add_column("same group", justify="right")
    for name, settings in SETTINGS.items():
        # A window of 10 steps; the shorter one that is read off this graph leaves more of the degree.
        model = Residual2Vec(n_components=32, window=10, shrinkage=0.0, random_state=0, **settings).fit(graph)
        model.to_embedding().save(
            folder / f"{name.split(' (')[0].replace(', ', '-').replace(' ', '-')}.parquet", overwrite=True
        )
        vectors[name] = model.embedding_
        association = model.embedding_ @ model.context_embedding_.T
        association = (association + association.T) / 2
        by_degree = correlation(association, np.log(np.outer(degree, degree)))
        by_group = correlation(association, group[:, None] == group)
        captions[name] = f"correlation with degree {by_degree:+.2f}, with group {by_group:+.2f}"
        table.add_row(name, f"{by_degree:+.2f}", f"{by_group:+.2f}")
    degree_figure(folder / "demo.png", vectors, degree, group, captions)
    print(f"{graph}, four planted groups, power-law degrees")
    Console().print(table)
    print(f"vectors and figure are in {folder}/; try: .venv/bin/residuum similar {folder}/configuration.parquet 0")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
