"""Seconds of residuum's skip-gram, walking included: GRAPH.npz PARAMETERS, json on stdout."""

import json
import sys
import time

import numpy as np
import scipy.sparse as sp

from residuum import as_graph
from residuum._threads import thread_limit
from residuum._validation import window_weights
from residuum.nulls import Configuration
from residuum.skipgram import SkipGramOptions, train_skipgram
from residuum.walks import RandomWalks

graph, parameters = as_graph(sp.load_npz(sys.argv[1])), json.loads(sys.argv[2])
window = window_weights(parameters["window"])
null = Configuration(0.75).fit(graph, window)


def train(walk_length: int) -> tuple[int, float]:
    options = SkipGramOptions(n_walks=parameters["n_walks"], walk_length=walk_length, epochs=1)
    walks = RandomWalks(graph, n_walks=options.n_walks, walk_length=walk_length, random_state=0)
    began = time.perf_counter()
    with thread_limit(parameters["threads"]):
        result = train_skipgram(walks, null, window, parameters["n_components"], options, rng=np.random.default_rng(0))
    return result.n_pairs, time.perf_counter() - began


train(2)
runs = [train(parameters["walk_length"]) for _ in range(parameters["repeats"])]
print(json.dumps({"pairs": runs[0][0], "seconds": min(seconds for _, seconds in runs)}))
