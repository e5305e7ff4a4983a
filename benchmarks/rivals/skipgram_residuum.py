"""Training time of residuum's skip-gram, including the walks: GRAPH.npz PARAMETERS, JSON on stdout."""

import json
import sys
import time

import numpy as np
import scipy.sparse as sp

from residuum import as_graph
from residuum._threads import thread_limit
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import SkipGram, Workspace
from residuum.walks import WindowProbabilities

graph, parameters = as_graph(sp.load_npz(sys.argv[1])), json.loads(sys.argv[2])
null = Configuration(0.75).fit(graph, parameters["window"])
matrix = ResidualMatrix(WindowProbabilities(graph, parameters["window"]), null, 0.0)


def train(walk_length: int) -> tuple[int, float]:
    solver = SkipGram(n_walks=parameters["n_walks"], walk_length=walk_length, epochs=1)
    began = time.perf_counter()
    with thread_limit(parameters["threads"]):
        solution = solver.solve(matrix, parameters["n_components"], Workspace(8 << 30, np.random.default_rng(0)))
    return solution.trained.n_pairs, time.perf_counter() - began


train(2)
runs = [train(parameters["walk_length"]) for _ in range(parameters["repeats"])]
print(json.dumps({"pairs": runs[0][0], "seconds": min(seconds for _, seconds in runs)}))
