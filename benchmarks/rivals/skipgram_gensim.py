"""Training time of gensim's Word2Vec, without the vocabulary: WALKS.npy PARAMETERS, JSON on stdout."""

import json
import sys
import time

import numpy as np
from gensim.models import Word2Vec

walks, parameters = np.load(sys.argv[1]), json.loads(sys.argv[2])
sentences = [list(map(str, walk)) for walk in walks.tolist()]
window, length = parameters["window"], walks.shape[1]
seconds = []
for _ in range(parameters["repeats"]):
    model = Word2Vec(
        vector_size=parameters["n_components"], window=window, sg=1, hs=0, negative=5, min_count=0, sample=0,
        shrink_windows=False, workers=parameters["threads"], seed=0,
    )  # fmt: skip
    model.build_vocab(sentences)
    began = time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=1)
    seconds.append(time.perf_counter() - began)
pairs = len(walks) * (2 * window * length - window * (window + 1))
print(json.dumps({"pairs": pairs, "seconds": min(seconds)}))
