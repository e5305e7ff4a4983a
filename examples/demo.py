"""Three null models and an erasure on one graph: what each of them takes out of the vectors.

The graph is built in: 1,000 nodes in four groups, with degrees that follow a power law.
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


def correlation_with(scores: np.ndarray, fact: np.ndarray) -> float:
    """Return the correlation over all pairs of nodes."""
    pairs = np.triu_indices(len(scores), k=1)
    return float(np.corrcoef(scores[pairs], fact[pairs])[0, 1])


def main(folder: Path) -> None:
    """Embed with each null model; write vectors and a picture, print a table."""
    folder.mkdir(exist_ok=True)
    # That a null model alone leaves the group to be found is what the third panel and the fourth show.
    warnings.simplefilter("ignore", ResiduumWarning)
    graph = datasets.planted_groups(degree_exponent=2.2, random_state=7)
    degree, group = graph.out_strength, graph.node_attributes["group"]
    vectors, captions = {}, {}
    table = Table(title="Correlation of the association of two nodes with …")
    table.add_column("null model")
    table.add_column("their degrees", justify="right")
    table.add_column("same group", justify="right")
    for name, settings in SETTINGS.items():
        model = Residual2Vec(n_components=32, random_state=0, **settings).fit(graph)
        model.to_embedding().save(folder / f"{name.split(' (')[0].replace(', ', '-').replace(' ', '-')}.parquet")
        vectors[name] = model.embedding_
        association = model.embedding_ @ model.context_embedding_.T
        association = (association + association.T) / 2
        by_degree = correlation_with(association, np.log(np.outer(degree, degree)))
        by_group = correlation_with(association, group[:, None] == group)
        captions[name] = f"correlation with degree {by_degree:+.2f}, with group {by_group:+.2f}"
        table.add_row(name, f"{by_degree:+.2f}", f"{by_group:+.2f}")
    degree_figure(folder / "demo.png", vectors, degree, group, captions)
    print(f"{graph}, four planted groups, degrees by a power law")
    Console().print(table)
    print(f"vectors and picture are in {folder}/; try: .venv/bin/residuum similar {folder}/configuration.parquet 0")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
