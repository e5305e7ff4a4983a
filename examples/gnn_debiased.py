"""Graph neural network debiased by its negatives.

    pip install 'residuum[gnn]' && python examples/gnn_debiased.py

The training loop is plain torch-geometric. With uniform negatives, the network learns everything that makes edges
likely, above all the groups. With negatives from the degree-corrected stochastic block model, it learns what degrees
and groups do not explain.
"""

import numpy as np
import torch
from torch_geometric.nn import GCNConv

from residuum import datasets
from residuum.integrations.torch import NullNegativeSampler
from residuum.nulls import DegreeCorrectedSBM

EPOCHS = 60


class Network(torch.nn.Module):
    """Two graph convolutions on random features."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.first, self.second = GCNConv(n_features, 32), GCNConv(32, 16)

    def forward(self, features: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """Return one vector per node."""
        return self.second(torch.relu(self.first(features, edges)), edges)


def train(graph, null_model) -> np.ndarray:
    """Train on edges and negatives from a null model; return the vectors."""
    torch.manual_seed(0)
    edges = torch.from_numpy(np.stack(graph.adjacency.nonzero()).astype(np.int64))
    features = torch.randn(graph.n_nodes, 32)
    network = Network(32)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    sampler = NullNegativeSampler(graph, null_model, random_state=0)
    for _ in range(EPOCHS):
        optimizer.zero_grad()
        vectors = network(features, edges)
        negatives = sampler.edges(edges)  # instead of torch_geometric.utils.negative_sampling(edges)
        attraction, repulsion = ((vectors[pairs[0]] * vectors[pairs[1]]).sum(dim=1) for pairs in (edges, negatives))
        loss = torch.nn.functional.softplus(-attraction).mean() + torch.nn.functional.softplus(repulsion).mean()
        loss.backward()
        optimizer.step()
    return vectors.detach().numpy()


def similarity_gap(graph, vectors: np.ndarray) -> float:
    """Return the mean cosine similarity within groups minus that between groups."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    group = graph.node_attributes["group"]
    same = group[:, None] == group
    cosine = unit @ unit.T
    return float(cosine[same].mean() - cosine[~same].mean())


def main() -> None:
    """Compare three null models for negatives on a graph with planted groups."""
    graph = datasets.planted_groups(400, 4, random_state=0)
    print(graph)
    nulls = {"uniform": "erdos-renyi", "by degree": "configuration", "by degree and group": DegreeCorrectedSBM("group")}
    for name, null_model in nulls.items():
        gap = similarity_gap(graph, train(graph, null_model))
        print(f"negatives {name:20} similarity within groups minus between groups: {gap:.2f}")


if __name__ == "__main__":
    main()
