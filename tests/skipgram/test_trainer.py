import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import datasets
from residuum._threads import thread_limit
from residuum._validation import window_weights
from residuum.errors import DivergenceError, InvalidParameterError
from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi, SampledNull
from residuum.skipgram import SkipGramOptions, train_skipgram
from residuum.walks import RandomWalks

CASES = graph_cases() | {"karate": datasets.karate_club()}
LONG = SkipGramOptions(n_walks=40, walk_length=40, epochs=30, learning_rate=0.05)


def train(graph, null_model, options=LONG, *, window=3, n_components=19, threads=1, seed=0, progress=None):
    teleport, weights = resolve_teleport(graph, None), window_weights(window)
    null = null_model.fit(graph, weights, teleport)
    walks = RandomWalks(
        graph, n_walks=options.n_walks, walk_length=options.walk_length, teleport=teleport, random_state=seed
    )
    rng = np.random.default_rng(seed)
    with thread_limit(threads):
        return null, train_skipgram(walks, null, weights, n_components, options, rng=rng, progress=progress)


@pytest.mark.parametrize("window", [3, [0.6, 0.1, 0.3]], ids=["equal weights", "own weights"])
@pytest.mark.parametrize(
    ("case", "null"),
    [
        ("weighted", lambda graph: Configuration()),
        ("weighted", lambda graph: Configuration(0.75)),
        ("unweighted", lambda graph: ErdosRenyi()),
        ("weighted", lambda graph: DegreeCorrectedSBM(labels_for(graph))),
        ("directed", lambda graph: Configuration()),
        ("dangling nodes", lambda graph: Configuration()),
        ("karate", lambda graph: SampledNull(n_samples=5)),
    ],
)
def test_products_are_the_residual_but_for_the_logarithm_of_k(case, null, window):
    graph = CASES[case]
    fitted, result = train(graph, null(graph), window=window)
    teleport = resolve_teleport(graph, None)
    pair = None if teleport is None else (teleport.probability, teleport.target)
    observed = dense.window_probability(graph.adjacency.toarray(), window_weights(window), pair)
    everyone = np.arange(graph.n_nodes)
    expected = fitted.log_probability(everyone[:, None], everyone[None, :])
    # Pairs that hardly any walk joins have a residual that no finite number of walks can tell.
    seen = (observed > 2e-3) & np.isfinite(expected)
    residual = np.log(observed[seen]) - expected[seen]
    product = (result.vectors.astype(float) @ result.context_vectors.T)[seen] + np.log(LONG.n_negatives)
    assert np.corrcoef(product, residual)[0, 1] > 0.9
    assert abs(np.mean(product - residual)) < 0.25


def test_one_thread_gives_the_same_bits_and_another_seed_others():
    options = SkipGramOptions(n_walks=2, walk_length=20, epochs=2)
    one, again, other = (train(CASES["weighted"], Configuration(), options, seed=s)[1] for s in (0, 0, 1))
    np.testing.assert_array_equal(one.vectors, again.vectors)
    np.testing.assert_array_equal(one.context_vectors, again.context_vectors)
    assert (one.vectors != other.vectors).any()


def test_two_threads_reach_about_the_same_products():
    graph = datasets.planted_groups(200, 4, random_state=0)
    options = SkipGramOptions(walk_length=40)
    one, two = (train(graph, Configuration(), options, threads=t)[1] for t in (1, 2))
    products = [(r.vectors @ r.context_vectors.T).ravel() for r in (one, two)]
    assert np.corrcoef(*products)[0, 1] > 0.9
    assert one.n_pairs == two.n_pairs


def test_loss_is_told_and_falls():
    events = []
    _, result = train(CASES["weighted"], Configuration(), LONG, progress=events.append)
    assert len(result.losses) == LONG.epochs
    assert result.losses[-1] < result.losses[0] < 6 * np.log(2) + 0.1
    told = [event.loss for event in events if event.loss is not None]
    assert told[-1] == pytest.approx(result.losses[-1], rel=0.1)
    assert events[-1].done == events[-1].total == LONG.epochs * LONG.n_walks * 20
    assert {event.stage for event in events} == {"skip-gram"}


def test_isolated_nodes_have_zero_vectors():
    graph = CASES["isolated nodes"]
    _, result = train(graph, Configuration(), SkipGramOptions(n_walks=2, epochs=1))
    lonely = graph.out_strength == 0
    assert not result.vectors[lonely].any()
    assert not result.context_vectors[lonely].any()
    assert result.vectors[~lonely].any(axis=1).all()


def test_divergence_stops_with_the_learning_rate_in_its_message():
    options = SkipGramOptions(epochs=3, n_negatives=500, learning_rate=1.0)
    with pytest.raises(DivergenceError, match=r"diverged: .*learning_rate is 1; take a smaller one"):
        train(CASES["weighted"], Configuration(), options)


def test_subsampling_leaves_out_visits_of_hubs():
    graph = datasets.planted_groups(200, 4, random_state=0)
    few, every = (
        train(graph, Configuration(), SkipGramOptions(n_walks=2, epochs=1, subsample=t))[1].n_pairs for t in (1e-3, 0.0)
    )
    share = graph.in_strength / graph.in_strength.sum()
    kept = np.minimum(1, np.sqrt(1e-3 / share) + 1e-3 / share)
    assert few / every == pytest.approx((share @ kept) ** 2, rel=0.05)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1; got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0"),
        ({"learning_rate": 7.0}, "learning_rate must be a finite number between 0 and 1; got 7.0"),
        ({"subsample": -1.0}, "subsample must be a finite number"),
        ({"walks": 3}, "sgd knows n_walks, walk_length, .* got 'walks'"),
        (5, "sgd must be a mapping of n_walks"),
    ],
)
def test_options_that_break_a_rule_are_named(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        SkipGramOptions.from_mapping("sgd", given)
