from typing import Any

import pytest
from click.core import ParameterSource

from residuum import DeepWalk, Node2Vec, ProgressEvent, Residual2Vec, Residual2VecCV, datasets
from residuum.cli.commands.embed import embed
from residuum.cli.method_options import model_from_options
from residuum.errors import InvalidParameterError
from residuum.models.base import NodeEmbedding
from residuum.nulls import Configuration
from residuum.solvers import Block, Landmark, SkipGram

GRAPH = datasets.karate_club()


def show(event: ProgressEvent) -> None:
    """Receive progress events."""


def build(*arguments: str) -> NodeEmbedding:
    """Return the estimator of ``residuum embed`` with these arguments."""
    context = embed.make_context("embed", ["edges.csv", "-o", "out.npz", *arguments])
    options = {name: value for name, value in context.params.items() if name not in {"graph", "output"}}
    explicit = {name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    return model_from_options(GRAPH, options, explicit, show)


def parameters(model: NodeEmbedding) -> dict[str, Any]:
    """Return the parameters of an estimator, the null model by its description."""
    values = dict(model.get_params(deep=False))
    return values | {name: repr(values[name]) for name in ("null_model",) if name in values}


def test_the_defaults_are_those_of_the_library() -> None:
    expected = Residual2Vec(null_model=Configuration(), random_state=0, progress=show)
    model = build()
    assert type(model) is Residual2Vec
    assert parameters(model) == parameters(expected)


@pytest.mark.parametrize(
    ("option", "text", "parameter", "value"),
    [
        ("--dim", "8", "n_components", 8),
        ("--window", "4", "window", 4),
        ("--floor", "-1.5", "floor", -1.5),
        ("--weighting", "0.25", "weighting", 0.25),
        ("--power", "1.5", "power", 1.5),
        ("--shrinkage", "0.5", "shrinkage", 0.5),
        ("--scale", "2", "scale", 2.0),
        ("--refine", "3", "refine", 3),
        ("--solver", "block", "solver", "block"),
        ("--memory", "1GiB", "memory_limit", "1GiB"),
        ("--threads", "2", "n_jobs", 2),
        ("--seed", "7", "random_state", 7),
        ("--erase", "degree", "erase", {"degree": "degree"}),
        ("--erase-level", "distribution", "erase_level", "distribution"),
        ("--erase-strength", "0.5", "erase_strength", 0.5),
        ("--gamma", "0.5", "null_model", "Configuration(exponent=0.5)"),
        ("--null", "erdos-renyi", "null_model", "ErdosRenyi()"),
        ("--groups", "club", "null_model", "DegreeCorrectedSBM(groups=club)"),
    ],
)
def test_each_option_sets_one_parameter_of_residual2vec(option: str, text: str, parameter: str, value: Any) -> None:
    assert parameters(build(option, text)) == parameters(build()) | {parameter: value}


@pytest.mark.parametrize(
    ("arguments", "solver"),
    [
        (["--landmarks", "20"], Landmark(n_landmarks=20)),
        (["--tolerance", "0.05"], Landmark(tolerance=0.05)),
        (["--clusters", "9"], Block(n_clusters=9)),
        (["--clusters", "9", "--solver", "block"], Block(n_clusters=9)),
        (["--landmarks", "20", "--tolerance", "0.05"], Landmark(n_landmarks=20, tolerance=0.05)),
        (
            ["--solver", "skipgram", "--walks", "2", "--walk-length", "9", "--epochs", "3", "--p", "2", "--q", "0.5"],
            SkipGram(n_walks=2, walk_length=9, epochs=3, p=2.0, q=0.5),
        ),
    ],
)
def test_options_of_a_solver_imply_it(arguments: list[str], solver: Any) -> None:
    assert build(*arguments).get_params()["solver"] == solver


def test_tune_fixes_one_value_and_searches_several() -> None:
    model = build("--tune", "full", "--floor", "-1,-2", "--window", "4", "--gamma", "0.5,1")
    assert type(model) is Residual2VecCV
    values = parameters(model)
    assert values["search"] == {"floor": [-1.0, -2.0], "window": [4], "exponent": [0.5, 1.0]}
    assert values["scoring"] == "full"
    assert values["null_model"] == repr(Configuration())


def test_tune_with_one_exponent_fixes_the_null_model() -> None:
    values = parameters(build("--tune", "both", "--gamma", "0.5"))
    assert values["search"] is None
    assert values["null_model"] == "Configuration(exponent=0.5)"


def test_options_of_walks_set_the_parameters_of_node2vec() -> None:
    arguments = ["--q", "0.5", "--p", "2", "--gamma", "1", "--walks", "2", "--walk-length", "9", "--epochs", "3"]
    model = build("-m", "node2vec", "-k", "4", *arguments)
    expected = Node2Vec(
        4, p=2.0, q=0.5, exponent=1.0, n_walks=2, walk_length=9, epochs=3, random_state=0, progress=show
    )
    assert parameters(model) == parameters(expected)


def test_options_that_are_not_given_keep_the_defaults_of_a_method() -> None:
    model = build("--method", "deepwalk")
    assert type(model) is DeepWalk
    assert parameters(model) == parameters(DeepWalk(random_state=0, progress=show))


def test_fairwalk_accepts_one_attribute_as_groups() -> None:
    assert build("-m", "fairwalk", "--groups", "club").get_params()["groups"] == "club"
    with pytest.raises(InvalidParameterError, match="--method fairwalk accepts one --groups; got 2"):
        build("-m", "fairwalk", "--groups", "club", "--groups", "club")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "magic"], "method must be one of 'residual2vec'"),
        (["-m", "deepwalk", "--null", "dcsbm"], "--null does not apply to --method deepwalk; leave it out."),
        (["-m", "deepwalk", "--q", "2"], "--q does not apply to --method deepwalk"),
        (["-m", "netmf", "--floor", "-1"], "--floor does not apply to --method netmf"),
        (["-m", "laplacian", "--epochs", "3"], "--epochs does not apply to --method laplacian"),
        (["-m", "node2vec", "--erase", "degree"], "--erase does not apply to --method node2vec"),
        (["-m", "node2vec", "--tune", "both"], "--tune does not apply to --method node2vec"),
        (
            ["-m", "netmf", "--solver", "block", "--clusters", "9"],
            "--clusters, --solver do not apply to --method netmf; leave them out.",
        ),
        (["--walk-length", "5"], "--walk-length does not apply to --solver auto; use --solver skipgram."),
        (["--landmarks", "9", "--solver", "exact"], "--landmarks does not apply to --solver exact"),
        (["--landmarks", "9", "--clusters", "9"], "--clusters does not apply to --solver landmark; leave it out."),
        (["--solver", "magic"], "solver must be"),
        (["--floor", "-1,-2"], "--floor accepts one value; got -1,-2. Add --tune to search several values."),
        (["--gamma", "0.5,1"], "--gamma accepts one value; got 0.5,1. Add --tune to search several values."),
    ],
)
def test_options_that_do_not_apply_are_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        build(*arguments)
    assert message in str(caught.value)
