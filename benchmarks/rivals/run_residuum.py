"""residuum: residual2vec, or the method named in the parameters."""

from measure import measure

from residuum.models import method_from_name


def embed(adjacency, parameters):
    parameters = dict(parameters)
    model = method_from_name(parameters.pop("method", "residual2vec"))(random_state=0, **parameters).fit(adjacency)
    return model.embedding_, model.context_embedding_


measure(embed)
