"""Wall time, CPU time and peak memory of an embedding function, measured the same way for every method.

Imports only numpy, scipy and the standard library, so that it runs in the environment of each rival.
"""

import json
import resource
import sys
import time

import numpy as np
import scipy.sparse as sp


def measure(embed):
    """Run ``method.py TRAIN.npz OUT.npz PARAMETERS REPEATS``: write vectors, seconds and peak memory.

    ``embed(adjacency, parameters)`` returns the vectors, or vectors and context vectors. A first call on a small graph
    excludes compilation from the time; the times of every repeat are written.
    """
    train, out, parameters, repeats = sys.argv[1:5]
    parameters = json.loads(parameters)
    adjacency = sp.csr_matrix(sp.load_npz(train))
    ring = sp.csr_matrix(sum(np.roll(np.eye(200), shift, axis=1) for shift in (-2, -1, 1, 2)))
    embed(ring, {**parameters, "n_components": 8})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, cpu_seconds = [], []
    for _ in range(int(repeats)):
        began, cpu_began = time.perf_counter(), time.process_time()
        result = embed(adjacency, parameters)
        seconds.append(time.perf_counter() - began)
        cpu_seconds.append(time.process_time() - cpu_began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    vectors, context = result if isinstance(result, tuple) else (result, result)
    np.savez(
        out,
        vectors=vectors,
        context=context,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        peak_kib=peak,
        start_kib=before,
    )
