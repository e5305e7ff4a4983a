"""The methods of residuum, by name, in the frame of the benchmark."""

from measure import measure

from residuum.models import method_from_name


def embed(adjacency, parameters):
    parameters = dict(parameters)
    model = method_from_name(parameters.pop("method"))(random_state=0, **parameters).fit(adjacency)
    return model.embedding_, model.context_embedding_


measure(embed)
