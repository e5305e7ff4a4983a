import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.models.erasing import plan_erasure
from residuum.nulls import Configuration

KARATE = datasets.karate_club()
CITATIONS = Graph(np.tril(np.ones((40, 40)), -1), directed=True)
YEARS = 1990 + np.arange(40) // 10
LABELS = np.array(["a", "b"])[np.arange(40) % 2]


def plan(graph, erase, level="linear", floor=0.0):
    return plan_erasure(graph, Configuration().fit(graph, 3), floor, erase, level, 1.0)


@pytest.mark.parametrize(
    ("case", "steps"),
    [
        ((KARATE, None), ()),
        ((KARATE, "club"), ("projected", "cells")),
        ((KARATE, "degree"), ("projected",)),
        ((KARATE, "club", "distribution"), ("cells",)),
        ((CITATIONS, YEARS), ("trend",)),
        ((CITATIONS, LABELS), ("projected", "cells")),
        ((CITATIONS, [YEARS, LABELS]), ("trend",)),
        ((CITATIONS, YEARS, "linear", -3.0), ("projected", "cells")),
        ((CITATIONS, LABELS, "distribution"), ("cells",)),
    ],
)
def test_steps_follow_from_level_graph_and_attributes(case, steps):
    erasing = plan(*case)
    taken = {
        "projected": erasing.projected is not None,
        "trend": erasing.by_trend,
        "cells": erasing.cells() is not None,
    }
    assert tuple(name for name, is_taken in taken.items() if is_taken) == steps
    assert (erasing.erasure is None) == (case[1] is None)


def test_means_of_cells_are_kept_at_level_linear():
    assert plan(KARATE, "club").keeps_means
    assert not plan(KARATE, "club", "distribution").keeps_means
