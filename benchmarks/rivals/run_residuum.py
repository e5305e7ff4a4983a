"""residuum in the frame of the benchmark."""

from measure import measure

from residuum import Residual2Vec


def embed(adjacency, parameters):
    model = Residual2Vec(random_state=0, **parameters).fit(adjacency)
    return model.embedding_, model.context_embedding_


measure(embed)
