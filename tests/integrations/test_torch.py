import importlib.util
from pathlib import Path

import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError, MissingExtraError
from residuum.integrations.torch import NullNegativeSampler
from residuum.nulls import DegreeCorrectedSBM

GRAPH = datasets.planted_groups(60, 3, random_state=2)


@pytest.mark.parametrize("null_model", ["erdos-renyi", "configuration", DegreeCorrectedSBM("group"), "rewired"])
def test_contexts_have_the_frequencies_of_the_null_model(gnn, null_model):
    import torch

    sampler = NullNegativeSampler(GRAPH, null_model, random_state=0)
    contexts = sampler.contexts(torch.tensor([4, 9]), 20_000)
    assert contexts.shape == (2, 20_000)
    assert contexts.dtype == torch.int64
    for row, center in zip(contexts.numpy(), (4, 9), strict=True):
        expected = np.exp(sampler.null.log_probability(center, np.arange(60)))
        frequency = np.bincount(row, minlength=60) / 20_000
        assert (np.abs(frequency - expected) <= 5 * np.sqrt(expected / 20_000) + 2 / 20_000).all()


def test_negative_edges_keep_their_sources(gnn):
    import torch

    sampler = NullNegativeSampler(GRAPH, random_state=0)
    negatives = sampler.edges(torch.tensor([[0, 1, 2], [3, 4, 5]]), 2)
    assert negatives.shape == (2, 6)
    assert negatives[0].tolist() == [0, 0, 1, 1, 2, 2]


def test_the_same_seed_gives_the_same_negatives(gnn):
    import torch

    first, second = (NullNegativeSampler(GRAPH, random_state=5).contexts(torch.arange(60), 3) for _ in range(2))
    assert torch.equal(first, second)


def test_negatives_work_in_a_training_loop_of_torch(gnn):
    import torch

    torch.manual_seed(0)
    vectors = torch.nn.Embedding(60, 8)
    optimizer = torch.optim.Adam(vectors.parameters(), lr=0.05)
    edges = torch.from_numpy(np.stack(GRAPH.adjacency.nonzero()).astype(np.int64))
    sampler = NullNegativeSampler(GRAPH, random_state=0)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        scores = [(vectors(pairs[0]) * vectors(pairs[1])).sum(dim=1) for pairs in (edges, sampler.edges(edges))]
        softplus = torch.nn.functional.softplus
        loss = softplus(-scores[0]).mean() + softplus(scores[1]).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.7 * losses[0]


def test_invalid_node_numbers_are_named(gnn):
    import torch

    with pytest.raises(InvalidParameterError, match="node numbers from 0 to 59; got values from 1 to 99"):
        NullNegativeSampler(GRAPH).contexts(torch.tensor([1, 99]))


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"this needs torch, .* pip install 'residuum\[gnn\]'"):
        NullNegativeSampler(GRAPH)


def test_the_example_reduces_the_similarity_within_groups(gnn):
    file = Path(__file__).parents[2] / "examples" / "gnn_debiased.py"
    spec = importlib.util.spec_from_file_location("gnn_debiased", file)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    graph = datasets.planted_groups(200, 4, random_state=0)
    uniform, grouped = (
        example.similarity_gap(graph, example.train(graph, null))
        for null in ("erdos-renyi", DegreeCorrectedSBM("group"))
    )
    assert grouped < 0.7 * uniform
