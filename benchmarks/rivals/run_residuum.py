"""residuum: residual2vec, tuned or with its defaults, or the method named in the parameters."""

from dataclasses import replace

from measure import measure

from residuum import Residual2VecCV
from residuum.models import method_from_name
from residuum.solvers.plan import resolve_solver


def embed(adjacency, parameters):
    parameters = dict(parameters)
    if options := parameters.pop("solver_options", None):
        parameters["solver"] = replace(resolve_solver(parameters["solver"]), **options)
    tuned, method = parameters.pop("tuned", False), parameters.pop("method", "residual2vec")
    kind = Residual2VecCV if tuned else method_from_name(method)
    model = kind(random_state=0, **parameters).fit(adjacency)
    return model.embedding_, model.context_embedding_


measure(embed)
