"""residuum: residual2vec, or the method named in the parameters."""

from dataclasses import replace

from measure import measure

from residuum.models import method_from_name
from residuum.solvers.plan import resolve_solver


def embed(adjacency, parameters):
    parameters = dict(parameters)
    if options := parameters.pop("solver_options", None):
        parameters["solver"] = replace(resolve_solver(parameters["solver"]), **options)
    model = method_from_name(parameters.pop("method", "residual2vec"))(random_state=0, **parameters).fit(adjacency)
    return model.embedding_, model.context_embedding_


measure(embed)
