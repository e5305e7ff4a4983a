import re

import pytest

from residuum import Residual2Vec
from residuum.distributed import DaskResidual2Vec
from residuum.errors import ClusterError, InvalidParameterError, NullModelError
from residuum.nulls import SampledNull

REFUSED = {
    "solver": (
        {"solver": "exact"},
        "solver must be 'auto', 'landmark', 'block' or 'likelihood', or an",
    ),
    "partitions": ({"n_partitions": 0}, "n_partitions must be at least 1; got 0"),
    "floor": ({"floor": 1.0}, "floor must be a finite number of at most 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_cluster_does_not_support_is_refused_before_any_work(case):
    parameters, message = REFUSED[case]
    with pytest.raises(InvalidParameterError, match=re.escape(message)):
        DaskResidual2Vec(8, client=None, **parameters).fit("nowhere")


def test_sampled_null_models_are_refused():
    null = SampledNull(lambda graph, rng: graph)
    with pytest.raises(NullModelError, match="is sampled, which a cluster does not support"):
        DaskResidual2Vec(8, null_model=null).fit("nowhere")


def test_the_message_names_the_way_out():
    with pytest.raises(InvalidParameterError, match="or use Residual2Vec on one machine"):
        DaskResidual2Vec(8, solver="exact").fit("nowhere")


def test_every_parameter_of_the_local_estimator_but_those_of_one_machine_is_there():
    missing = set(Residual2Vec().get_params()) - set(DaskResidual2Vec().get_params())
    assert missing == {"n_jobs", "memory_limit"}


def test_without_a_client_the_error_says_how_to_make_one(monkeypatch):
    def no_client():
        raise ValueError("No clients found")

    monkeypatch.setattr("distributed.get_client", no_client)
    with pytest.raises(ClusterError, match=r"there is no Dask client; pass client=distributed\.Client"):
        DaskResidual2Vec(8).fit("nowhere")
