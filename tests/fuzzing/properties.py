"""What holds of the public entry points for any input: a finite result, or a ``ResiduumError``.

Each property is a hypothesis test. The suite runs a few examples of each, the same every time; ``make fuzz`` lets
libFuzzer choose them.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzzing import strategies as draws
from fuzzing.strategies import ODD, containers, labels_of, matrices, numbers_of, rarely
from residuum import Graph, Residual2Vec, as_graph
from residuum import evaluation as metrics
from residuum.cli import main
from residuum.errors import ResiduumError, ResiduumWarning
from residuum.nulls import (
    Bipartite,
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    ErdosRenyi,
    Multilayer,
    SampledNull,
    Spatial,
    Temporal,
)
from residuum.nulls.sampled import FittedSamples
from residuum.solvers import Block, Exact, Landmark, Likelihood, SkipGram

few = settings(
    max_examples=int(os.environ.get("RESIDUUM_EXAMPLES", "40")),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def only_documented() -> Iterator[None]:
    """Let errors and warnings of the library pass; all others are raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResiduumWarning)
        try:
            yield
        except ResiduumError as error:
            if not str(error):
                raise AssertionError("an error without a message") from error


def check_finite(value: Any) -> None:
    """Assert that all numbers in a result are finite or, as scores of isolated nodes, minus infinity."""
    for number in vars(value).values() if hasattr(value, "__dataclass_fields__") else [value]:
        array = np.asarray(number) if isinstance(number, (int, float, np.ndarray)) else np.zeros(0)
        if array.dtype.kind == "f":
            assert not np.isposinf(array).any()


@few
@given(st.data())
def graphs(data: st.DataObject) -> None:
    """Constructors of graphs."""
    matrix = data.draw(matrices(weights=st.one_of(draws.SOUND, draws.EXTREME, draws.INVALID)))
    n_nodes = len(matrix)
    ids = data.draw(st.one_of(st.none(), st.lists(draws.IDS, min_size=n_nodes, max_size=n_nodes), ODD))
    directed = data.draw(st.sampled_from([None, True, False]))
    with only_documented():
        graph = as_graph(data.draw(rarely(containers(matrix), ODD)), directed=directed)
        assert np.isfinite(graph.adjacency.data).all()
        assert np.isfinite(graph.out_strength).all()
    with only_documented():
        attributes = {"label": data.draw(labels_of(n_nodes))}
        graph = Graph(matrix, ids, directed=bool(directed), node_attributes=attributes)
        assert graph.positions(graph.node_ids.tolist()).tolist() == list(range(n_nodes))
        assert graph.subgraph(np.arange(n_nodes) >= 0).n_edges == graph.n_edges


def null_models(data: Any, n_nodes: int) -> Any:
    """Draw a null model with its attributes."""
    labels, times = data.draw(labels_of(n_nodes)), data.draw(numbers_of(n_nodes))
    kind = data.draw(st.integers(0, 9))
    if kind == 8:
        points = st.lists(
            st.tuples(st.sampled_from([0, 1, 2.5]), st.sampled_from([0, -1])), min_size=n_nodes, max_size=n_nodes
        )
        return Spatial(data.draw(rarely(points, ODD)), data.draw(rarely(st.just("euclidean"), ODD)), n_bins=3)
    makers = [
        lambda: Configuration(data.draw(rarely(st.sampled_from([0.0, 0.75, 1.0]), ODD))),
        lambda: ErdosRenyi(),
        lambda: DegreeCorrectedSBM(labels, missing=data.draw(st.sampled_from(["error", "group", "x"]))),
        lambda: Multilayer(labels),
        lambda: Bipartite(data.draw(st.sampled_from([None, labels]))),
        lambda: Temporal(times, data.draw(st.sampled_from([None, 2, [1990.5], 0, "x", [[1]]]))),
        lambda: DegreeCorrelated(data.draw(rarely(st.sampled_from([2.0, 1.5]), ODD))),
        lambda: DegreeCorrectedSBM(labels) * DegreeCorrelated(),
        lambda: None,
        lambda: SampledNull(n_samples=2, prior=data.draw(st.sampled_from([1.0, 0.0, -1.0]))),
    ]
    return makers[kind]()


# Walks are computed in single precision: rows of nodes with less than this share of the largest strength are zero.
FAINT = 1e-36
WINDOWS = rarely(
    st.sampled_from([1, 2, 3, [1.0, 0.5], [0.0, 1.0]]), st.sampled_from([0, -1, [], [0], "x", [np.nan], 2.5])
)


@few
@given(st.data())
def nulls(data: st.DataObject) -> None:
    """Null models: rows of P_0 sum to 1."""
    with only_documented():
        graph = Graph(data.draw(matrices(2)), directed=data.draw(st.booleans()))
        null = null_models(data, graph.n_nodes).fit(graph, data.draw(WINDOWS))
        rows = np.exp(null.log_rows(np.arange(graph.n_nodes)))
        active = graph.out_strength > 0
        assert not np.isnan(null.offset).any()
        total = rows[active].sum(axis=1)
        # Walks in a directed graph may end before the first step of the window.
        total = total[(total > 0) | (not graph.directed)]
        if isinstance(null, FittedSamples) and graph.adjacency.data.min() < FAINT * graph.out_strength.max():
            assert (total < 1.0001).all()
        else:
            np.testing.assert_allclose(total, 1.0, rtol=1e-4)
        contexts = null.sample(np.flatnonzero(active), np.random.default_rng(0))
        assert ((contexts >= 0) & (contexts < graph.n_nodes)).all()


SOLVERS = (
    *("auto", "exact", "landmark", "block", Exact(), Landmark(n_landmarks=5), Block(n_clusters=3)),
    *(Likelihood(n_sweeps=1, n_contexts=8), SkipGram(n_walks=1, walk_length=5, epochs=1)),
)
PARAMETERS: dict[str, Any] = {
    "n_components": st.integers(1, 4),
    "window": st.one_of(st.none(), WINDOWS),
    "floor": st.sampled_from([None, 0.0, -1.0, -3.0, -100.0]),
    "weighting": st.sampled_from([0.0, 0.5, 1.0]),
    "power": st.sampled_from([1.0, 0.5, 2.0]),
    "shrinkage": st.sampled_from([None, 0.0, 1.0, 5.0]),
    "scale": st.sampled_from([None, 1.0, 0.1]),
    "refine": st.sampled_from([0, 0, 0, 1]),
    "solver": st.sampled_from(SOLVERS),
    "alpha": st.sampled_from([0.0, 0.5, 1.0]),
    "memory_limit": st.sampled_from([None, "1GiB", "64MiB", "1MiB", 1]),
    "random_state": st.sampled_from([0, 1, None]),
}


@few
@given(st.data())
def fits(data: st.DataObject) -> None:
    """Fits: finite vectors, and so are those of new nodes."""
    with only_documented():
        graph = Graph(data.draw(matrices(2)), directed=data.draw(st.booleans()))
        chosen = {
            name: data.draw(rarely(values, ODD)) for name, values in PARAMETERS.items() if data.draw(st.booleans())
        }
        erase = data.draw(st.sampled_from([None, None, "degree", "null", "labels", "numbers", "x"]))
        if erase is not None:
            values = {"labels": labels_of, "numbers": numbers_of}
            chosen["erase"] = data.draw(values[erase](graph.n_nodes)) if erase in values else erase
            chosen["erase_level"] = data.draw(st.sampled_from(["linear", "distribution"]))
            chosen["erase_strength"] = data.draw(st.sampled_from([1.0, 0.5, 0.0]))
        null = null_models(data, graph.n_nodes)
        model = Residual2Vec(**({"n_components": 2} | chosen), null_model=null, n_jobs=1).fit(graph)
        assert np.isfinite(model.embedding_).all()
        assert np.isfinite(model.context_embedding_).all()
        assert model.embedding_.shape == (graph.n_nodes, model.n_components)
        ids = graph.node_ids
        assert not np.isnan(model.score_pairs(ids, ids[::-1], mode="full")).any()
        new = model.transform(data.draw(rarely(st.just(graph.adjacency), ODD)), data.draw(labels_of(graph.n_nodes)))
        assert np.isfinite(new).all()


VECTORS = st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-30, 1e30])
MEASURES: tuple[Any, ...] = (
    lambda graph, vectors, labels, numbers: metrics.attribute_auc(vectors, labels),
    lambda graph, vectors, labels, numbers: metrics.label_predictability(vectors, labels),
    lambda graph, vectors, labels, numbers: metrics.similarity_dependence(vectors, numbers),
    lambda graph, vectors, labels, numbers: metrics.similarity_disparity(vectors, labels),
    lambda graph, vectors, labels, numbers: metrics.neighbor_fairness(vectors, labels, graph, n_neighbors=2),
    lambda graph, vectors, labels, numbers: metrics.hubness(vectors, 2),
    lambda graph, vectors, labels, numbers: metrics.hub_share(vectors, numbers, n_neighbors=2),
    lambda graph, vectors, labels, numbers: metrics.predict_classes(vectors, labels, n_neighbors=1, n_folds=2),
    lambda graph, vectors, labels, numbers: metrics.predict_numbers(vectors, numbers, n_neighbors=1, n_folds=2),
    lambda graph, vectors, labels, numbers: metrics.community_recovery(vectors, labels),
    lambda graph, vectors, labels, numbers: metrics.partition_recovery(labels, labels),
    lambda graph, vectors, labels, numbers: metrics.diagnose_groups(graph, labels, "x"),
    lambda graph, vectors, labels, numbers: metrics.diagnose_degree(graph),
    lambda graph, vectors, labels, numbers: metrics.diagnose_sides(graph),
    lambda graph, vectors, labels, numbers: metrics.link_task(graph, 0.3, np.random.default_rng(0)),
    lambda graph, vectors, labels, numbers: metrics.grade_labels(vectors, graph, labels, "x"),
    lambda graph, vectors, labels, numbers: metrics.grade_numbers(vectors, graph, numbers, "x"),
    lambda graph, vectors, labels, numbers: metrics.grade_degree(vectors, graph),
    lambda graph, vectors, labels, numbers: metrics.auc_roc(vectors[:, 0], numbers),
    lambda graph, vectors, labels, numbers: metrics.average_precision(vectors[:, 0], numbers),
    lambda graph, vectors, labels, numbers: metrics.auc_interval(vectors[:, 0], vectors[:, -1]),
    lambda graph, vectors, labels, numbers: metrics.mean_interval(numbers),
    lambda graph, vectors, labels, numbers: metrics.paired_comparison(numbers, vectors[:, 0]),
    lambda graph, vectors, labels, numbers: metrics.element_centric_similarity(labels, labels),
)


@few
@given(st.data())
def evaluations(data: st.DataObject) -> None:
    """Measures of vectors."""
    with only_documented():
        graph = Graph(data.draw(matrices(2)), directed=data.draw(st.booleans()))
        n_nodes = graph.n_nodes
        rows = st.lists(st.lists(VECTORS, min_size=2, max_size=2), min_size=n_nodes, max_size=n_nodes)
        vectors, labels, numbers = (
            np.array(data.draw(rows)),
            data.draw(labels_of(n_nodes)),
            data.draw(numbers_of(n_nodes)),
        )
        check_finite(data.draw(st.sampled_from(MEASURES))(graph, vectors, labels, numbers))


OPTIONS = (
    *("--dim 2", "--dim 0", "--dim x", "--null erdos-renyi", "--null dcsbm", "--window 2", "--window 0", "--floor -1"),
    *("--floor 1", "--solver exact", "--solver block", "--seed 1", "--seed -1", "--directed", "--erase degree"),
    *("--erase nothing.csv:x", "--null bipartite", "--weight weight", "--no-header", "--alpha 2", "--memory 1MiB"),
)


@few
@given(st.data())
def commands(data: st.DataObject) -> None:
    """The command embed: an exit code, and an output that is complete or absent."""
    cell = st.sampled_from(["a", "b", "c", "d", "1", "2", "3", "1.5", "-1", "nan", "", '"', "é"])
    mark = data.draw(st.sampled_from([",", "\t", " ", ";"]))
    width = data.draw(st.sampled_from([2, 2, 2, 3, 3, 1]))
    rows = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), max_size=12))
    options = data.draw(st.lists(st.sampled_from(OPTIONS), max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        edges, output = Path(folder, "edges.csv"), Path(folder, "vectors.npz")
        edges.write_text("\n".join(mark.join(row) for row in rows), encoding="utf-8")
        arguments = ["embed", str(edges), "--output", str(output), "--dim", "1", "--quiet"]
        result = CliRunner().invoke(main, [*arguments, *" ".join(options).split()])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 1, 2)
        present = sorted(Path(folder).iterdir())
        assert present == ([edges, output] if result.exit_code == 0 else [edges])
        assert result.exit_code == 0 or result.output


PROPERTIES = {"graphs": graphs, "nulls": nulls, "fits": fits, "evaluations": evaluations, "commands": commands}
