"""Three null models on one graph: what each of them takes out of the vectors.

The graph is built in: 1,000 nodes in four groups, with degrees that follow a power law.
"""

import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from residuum import Residual2Vec, datasets
from residuum.evaluation import similarity_dependence
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.report import degree_figure

NULL_MODELS = {
    "node2vec-like (γ = 0.75)": Configuration(exponent=0.75),
    "configuration": Configuration(),
    "dcSBM by group": DegreeCorrectedSBM(groups="group"),
}


def same_group_dependence(vectors: np.ndarray, group: np.ndarray) -> float:
    """Return the R² of cosine similarity on being in the same group."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    upper = np.triu_indices(len(group), k=1)
    return float(np.corrcoef((unit @ unit.T)[upper], (group[:, None] == group)[upper])[0, 1] ** 2)


def main(folder: Path) -> None:
    """Embed with each null model; write vectors and a picture, print a table."""
    folder.mkdir(exist_ok=True)
    graph = datasets.planted_groups(random_state=7)
    degree, group = graph.out_strength, graph.node_attributes["group"]
    vectors, captions = {}, {}
    table = Table(title=f"{graph}: how much cosine similarity depends on …")
    for column in ("null model", "degree (R²)", "group (R²)"):
        table.add_column(column, justify="left" if column == "null model" else "right")
    for name, null_model in NULL_MODELS.items():
        model = Residual2Vec(n_components=32, null_model=null_model, floor=0.0, random_state=0).fit(graph)
        model.to_embedding().save(folder / f"{name.split()[0]}.parquet")
        vectors[name] = model.embedding_
        by_degree = similarity_dependence(model.embedding_, np.log(degree))
        by_group = same_group_dependence(model.embedding_, group)
        captions[name] = f"similarity depends on degree: R² = {by_degree:.3f}"
        table.add_row(name, f"{by_degree:.3f}", f"{by_group:.3f}")
    degree_figure(folder / "demo.png", vectors, degree, group, captions)
    Console().print(table)
    print(f"vectors and picture: {folder}/  (try: residuum similar {folder}/configuration.parquet 0)")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
