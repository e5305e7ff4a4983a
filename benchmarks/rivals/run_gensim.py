"""DeepWalk (uniform negatives) and node2vec by the walks of PecanPy and the Word2Vec of gensim."""

import numpy as np
from gensim.models import Word2Vec
from measure import measure
from pecanpy import pecanpy


def embed(adjacency, parameters):
    q = parameters.get("q", 1.0)
    mode = pecanpy.FirstOrderUnweighted if q == 1.0 else pecanpy.SparseOTF
    graph = mode(p=1.0, q=q, random_state=0)
    graph.set_node_ids([str(number) for number in range(adjacency.shape[0])])
    graph.indptr, graph.indices = adjacency.indptr.astype(np.uint32), adjacency.indices.astype(np.uint32)
    graph.data = adjacency.data.astype(np.float32)
    walks = graph.simulate_walks(parameters["n_walks"], parameters["walk_length"])
    model = Word2Vec(
        walks, vector_size=parameters["n_components"], window=parameters["window"], sg=1, hs=0, negative=5, sample=0,
        min_count=0, shrink_windows=False, ns_exponent=parameters["exponent"], epochs=parameters["epochs"], workers=2,
        seed=0,
    )  # fmt: skip
    order = [model.wv.key_to_index[str(number)] for number in range(adjacency.shape[0])]
    return model.wv.vectors[order], model.syn1neg[order]


measure(embed)
