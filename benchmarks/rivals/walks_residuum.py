"""Time of residuum's walks: GRAPH.npz PARAMETERS, JSON on stdout."""

import json
import sys
import time

import scipy.sparse as sp

from residuum import as_graph
from residuum.walks import RandomWalks

graph, parameters = as_graph(sp.load_npz(sys.argv[1])), json.loads(sys.argv[2])
repeats = parameters.pop("repeats")
walks = RandomWalks(graph, random_state=0, **parameters)
walks.walks_from([0, 1])
seconds = []
for _ in range(repeats):
    began, steps = time.perf_counter(), 0
    for chunk in walks.chunks():
        steps += chunk.shape[0] * (chunk.shape[1] - 1)
    seconds.append(time.perf_counter() - began)
print(json.dumps({"steps": steps, "seconds": min(seconds)}))
