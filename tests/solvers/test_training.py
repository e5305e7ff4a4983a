import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import datasets
from residuum._threads import thread_limit
from residuum._validation import window_weights
from residuum.errors import DivergenceError
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi, SampledNull
from residuum.solvers import SkipGram
from residuum.solvers.training import train_skipgram
from residuum.walks import RandomWalks

CASES = graph_cases() | {"karate": datasets.karate_club()}
LONG = SkipGram(n_walks=40, walk_length=40, epochs=30, learning_rate=0.05)


def train(graph, null_model, options=LONG, *, window=3, n_components=19, threads=1, seed=0, progress=None):
    weights = window_weights(window)
    null = null_model.fit(graph, weights)
    walks = RandomWalks(graph, n_walks=options.n_walks, walk_length=options.walk_length, random_state=seed)
    rng = np.random.default_rng(seed)
    with thread_limit(threads):
        names = ("epochs", "n_negatives", "learning_rate", "subsample")
        parameters = {name: getattr(options, name) for name in names}
        return null, train_skipgram(walks, null, weights, n_components, **parameters, rng=rng, progress=progress)


UNEQUAL = [0.6, 0.1, 0.3]


@pytest.mark.parametrize(
    ("case", "null", "window"),
    [
        ("weighted", lambda graph: Configuration(), 3),
        ("weighted", lambda graph: Configuration(), UNEQUAL),
        ("weighted", lambda graph: Configuration(0.75), UNEQUAL),
        ("unweighted", lambda graph: ErdosRenyi(), 3),
        ("weighted", lambda graph: DegreeCorrectedSBM(labels_for(graph)), 3),
        ("directed", lambda graph: Configuration(), UNEQUAL),
        ("dangling nodes", lambda graph: Configuration(), 3),
        ("karate", lambda graph: SampledNull(n_samples=5), UNEQUAL),
    ],
)
def test_products_equal_the_residual_minus_the_logarithm_of_k(case, null, window):
    graph = CASES[case]
    fitted, result = train(graph, null(graph), window=window)
    observed = dense.window_probability(graph.adjacency.toarray(), window_weights(window))
    nodes = np.arange(graph.n_nodes)
    expected = fitted.log_probability(nodes[:, None], nodes[None, :])
    # A finite number of walks cannot estimate the residual of rare pairs.
    seen = (observed > 2e-3) & np.isfinite(expected)
    residual = np.log(observed[seen]) - expected[seen]
    product = (result.vectors.astype(float) @ result.context_vectors.T)[seen] + np.log(LONG.n_negatives)
    assert np.corrcoef(product, residual)[0, 1] > 0.9
    assert abs(np.mean(product - residual)) < 0.25


def test_one_thread_is_reproducible_to_the_bit():
    options = SkipGram(n_walks=2, walk_length=20, epochs=2)
    first, second, reseeded = (train(CASES["weighted"], Configuration(), options, seed=s)[1] for s in (0, 0, 1))
    np.testing.assert_array_equal(first.vectors, second.vectors)
    np.testing.assert_array_equal(first.context_vectors, second.context_vectors)
    assert (first.vectors != reseeded.vectors).any()


def test_two_threads_converge_to_similar_products():
    graph = datasets.planted_groups(200, 4, random_state=0)
    options = SkipGram(walk_length=40)
    one, two = (train(graph, Configuration(), options, threads=t)[1] for t in (1, 2))
    products = [(r.vectors @ r.context_vectors.T).ravel() for r in (one, two)]
    assert np.corrcoef(*products)[0, 1] > 0.9
    assert one.n_pairs == two.n_pairs


def test_loss_is_reported_and_decreases():
    events = []
    _, result = train(CASES["weighted"], Configuration(), LONG, progress=events.append)
    assert len(result.losses) == LONG.epochs
    assert result.losses[-1] < result.losses[0] < 6 * np.log(2) + 0.1
    reported = [event.loss for event in events if event.loss is not None]
    assert reported[-1] == pytest.approx(result.losses[-1], rel=0.1)
    assert events[-1].done == events[-1].total == LONG.epochs * LONG.n_walks * 20
    assert {event.stage for event in events} == {"skip-gram"}


def test_isolated_nodes_have_zero_vectors():
    graph = CASES["isolated nodes"]
    _, result = train(graph, Configuration(), SkipGram(n_walks=2, epochs=1))
    isolated = graph.out_strength == 0
    assert not result.vectors[isolated].any()
    assert not result.context_vectors[isolated].any()
    assert result.vectors[~isolated].any(axis=1).all()


def test_divergence_is_an_error_that_names_the_learning_rate():
    options = SkipGram(epochs=3, n_negatives=500, learning_rate=1.0)
    with pytest.raises(DivergenceError, match=r"diverged: .*learning_rate is 1; use a smaller value"):
        train(CASES["weighted"], Configuration(), options)


def test_subsampling_drops_visits_to_hubs():
    graph = datasets.planted_groups(200, 4, random_state=0)
    few, every = (
        train(graph, Configuration(), SkipGram(n_walks=2, epochs=1, subsample=t))[1].n_pairs for t in (1e-3, 0.0)
    )
    share = graph.in_strength / graph.in_strength.sum()
    kept = np.minimum(1, np.sqrt(1e-3 / share) + 1e-3 / share)
    assert few / every == pytest.approx((share @ kept) ** 2, rel=0.05)
