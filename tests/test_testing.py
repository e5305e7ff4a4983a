import importlib.util
from pathlib import Path

import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum import datasets
from residuum.nulls import (
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    ErdosRenyi,
    Multilayer,
    SampledNull,
    Spatial,
    Temporal,
)
from residuum.testing import check_null_model

CASES = graph_cases()
MODELS = {
    "erdos-renyi": lambda graph: ErdosRenyi(),
    "configuration": lambda graph: Configuration(),
    "configuration 0.75": lambda graph: Configuration(0.75),
    "dcsbm": lambda graph: DegreeCorrectedSBM(labels_for(graph)),
    "multilayer": lambda graph: Multilayer(labels_for(graph)),
    "temporal": lambda graph: Temporal(np.arange(graph.n_nodes) % 5),
    "degree-correlated": lambda graph: DegreeCorrelated(),
    "spatial": lambda graph: Spatial(np.random.default_rng(0).random((graph.n_nodes, 2)), n_places=5),
    "product": lambda graph: DegreeCorrelated() * DegreeCorrectedSBM(labels_for(graph)),
    "sampled": lambda graph: SampledNull(n_samples=3),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("model", MODELS)
def test_every_null_model_passes(model, case):
    assert check_null_model(MODELS[model](CASES[case]), CASES[case]) is None


class Broken(Configuration):
    """A configuration model with one wrong attribute."""

    def __init__(self, name, value):
        super().__init__()
        self.name, self.value = name, value

    def fit(self, graph, window):
        null = super().fit(graph, window)
        setattr(null, self.name, self.value(null))
        return null


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "log_probability",
            lambda null: lambda i, j: np.zeros(np.broadcast_shapes(np.shape(i), np.shape(j))),
            "sum to 1",
        ),
        ("offset", lambda null: null.offset + 0.1, "offset must be the log"),
        ("source_offset", lambda null: null.source_offset + 0.1, "must sum to 1"),
        ("sample", lambda null: lambda centers, rng: np.zeros(len(centers), dtype=int), "sample returned node"),
        (
            "sample",
            lambda null: lambda centers, rng: np.random.default_rng().permutation(len(centers)) % 34,
            "same seed",
        ),
    ],
    ids=["rows", "offset", "source", "samples", "seed"],
)
def test_a_broken_null_model_fails_with_the_name_of_the_check(name, value, message):
    with pytest.raises(AssertionError, match=message):
        check_null_model(Broken(name, value), datasets.karate_club())


def test_a_wrong_symmetric_flag_fails():
    broken = Broken("symmetric", lambda null: True)
    broken.exponent = 0.75
    with pytest.raises(AssertionError, match="not symmetric"):
        check_null_model(broken, datasets.karate_club())


def test_the_example_in_the_repository_passes():
    file = Path(__file__).parents[1] / "examples" / "own_null.py"
    spec = importlib.util.spec_from_file_location("own_null", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graph = datasets.planted_groups(100, 3, random_state=0)
    assert check_null_model(module.ByLanguage(graph.node_attributes["group"]), graph) is None
