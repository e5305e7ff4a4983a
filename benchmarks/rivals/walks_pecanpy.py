"""Time of PecanPy's walks: GRAPH.npz PARAMETERS, JSON on stdout.

``seconds`` is the compiled kernel alone; ``api_seconds`` is ``simulate_walks``, which also converts node numbers to
lists of names; ``preparation`` is the precomputation of PreComp.
"""

import contextlib
import io
import json
import sys
import time

import numpy as np
import scipy.sparse as sp
from numba_progress import ProgressBar
from pecanpy import pecanpy

adjacency, parameters = sp.csr_matrix(sp.load_npz(sys.argv[1])), json.loads(sys.argv[2])
n_walks, length, n_nodes = parameters["n_walks"], parameters["walk_length"], adjacency.shape[0]
graph = getattr(pecanpy, parameters["mode"])(p=parameters["p"], q=parameters["q"], random_state=0)
graph.set_node_ids([str(number) for number in range(n_nodes)])
graph.indptr, graph.indices = adjacency.indptr.astype(np.uint32), adjacency.indices.astype(np.uint32)
graph.data = adjacency.data.astype(np.float32)
with contextlib.redirect_stdout(io.StringIO()):
    began = time.perf_counter()
    graph._preprocess_transition_probs()
    preparation = time.perf_counter() - began
    starts = np.random.default_rng(0).permutation(np.tile(np.arange(n_nodes, dtype=np.uint32), n_walks))
    step, has_neighbors = graph.get_move_forward(), graph.get_has_nbrs()
    seconds = []
    with ProgressBar(total=1, disable=True) as progress:
        graph._random_walks(50, length, 0, starts[:50], has_neighbors, step, progress)
        for _ in range(parameters["repeats"]):
            began = time.perf_counter()
            graph._random_walks(len(starts), length, 0, starts, has_neighbors, step, progress)
            seconds.append(time.perf_counter() - began)
    began = time.perf_counter()
    graph.simulate_walks(n_walks, length)
    api_seconds = time.perf_counter() - began
result = {
    "steps": len(starts) * length,
    "seconds": min(seconds),
    "api_seconds": api_seconds,
    "preparation": preparation,
}
print(json.dumps(result))
