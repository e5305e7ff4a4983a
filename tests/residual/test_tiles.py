import threading
import tracemalloc

import numpy as np
import pytest

from residuum import datasets
from residuum._threads import in_threads, n_threads, thread_limit
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix, TiledMatrix, working_bytes
from residuum.walks import WindowProbabilities

WIDTH = 256
LIMITS = {
    "everything kept": lambda: 1 << 30,
    "some kept": lambda: working_bytes(700, WIDTH, n_threads()) + 4 * 700 * WIDTH,
    "nothing kept": lambda: working_bytes(700, WIDTH // 2, n_threads()),
    "one column": lambda: 4 * 700 * 3,
}


def tiled(matrix, limit, progress=None, width=WIDTH):
    return TiledMatrix(
        matrix.columns,
        matrix.n_nodes,
        symmetric=matrix.symmetric,
        width=width,
        memory_limit=limit,
        progress=progress,
    )


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
@pytest.mark.usefixtures("four_cores")
def test_products_match_the_dense_matrix_at_any_memory_limit(matrix, dense_matrix, limit, threads):
    X = np.random.default_rng(0).standard_normal((700, 3)).astype(np.float32)
    with thread_limit(threads):
        tiles = tiled(matrix, limit())
        np.testing.assert_allclose(tiles.matmat(X), dense_matrix @ X, rtol=1e-4, atol=2e-3)
        np.testing.assert_allclose(tiles.rmatmat(X), dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
        both = tiles.gram(X)
        np.testing.assert_allclose(both[:, :3], dense_matrix.T @ X, rtol=1e-4, atol=2e-3)
        np.testing.assert_allclose(both[:, 3:], dense_matrix @ (dense_matrix.T @ X), rtol=1e-3, atol=0.5)
        np.testing.assert_allclose(tiles.dense(), dense_matrix, atol=1e-5)


@pytest.mark.usefixtures("four_cores")
def test_products_do_not_depend_on_the_number_of_threads(matrix):
    X = np.random.default_rng(0).standard_normal((700, 3)).astype(np.float32)
    results = []
    for threads in (1, 2, 4):
        with thread_limit(threads):
            tiles = tiled(matrix, 1 << 30, width=64)
            results.append((tiles.matmat(X), tiles.rmatmat(X), tiles.gram(X), tiles.dense()))
    for serial, *parallel in zip(*results, strict=True):
        for result in parallel:
            np.testing.assert_array_equal(result, serial)


def test_results_are_in_the_order_of_the_tiles(symmetric_matrix):
    tiles = tiled(symmetric_matrix, 1 << 30, width=100)
    assert list(tiles.each(lambda columns, tile: (columns, tile.shape))) == [
        (slice(begin, begin + 100), (700, 100)) for begin in range(0, 700, 100)
    ]


def test_products_keep_float32(symmetric_matrix):
    assert tiled(symmetric_matrix, 1 << 30).matmat(np.ones((700, 2))).dtype == np.float32


def test_the_memory_limit_determines_the_share_of_kept_tiles(symmetric_matrix):
    shares = {name: tiled(symmetric_matrix, limit()).kept_share for name, limit in LIMITS.items()}
    assert shares == {"everything kept": 1.0, "some kept": pytest.approx(1 / 3), "nothing kept": 0.0, "one column": 0.0}


def test_kept_tiles_fit_the_memory_limit(symmetric_matrix):
    limit = LIMITS["some kept"]()
    tiles = tiled(symmetric_matrix, limit)
    tiles.matmat(np.ones((700, 2)))
    kept = sum(tile.nbytes for tile in tiles._kept.values())
    assert 0 < kept <= limit - working_bytes(700, WIDTH, n_threads())


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.usefixtures("four_cores")
def test_a_product_fits_the_memory_limit(threads):
    graph = datasets.planted_groups(3000, 5, random_state=3)
    matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-2.0)
    # All threads of the pool are started, also those beyond the limit of a later block.
    everyone = threading.Barrier(4)
    assert len(list(in_threads(lambda _: everyone.wait(60), range(4)))) == 4
    with thread_limit(threads):
        # A first tile compiles the kernels.
        matrix.columns([0])
        limit = working_bytes(3000, WIDTH, threads) + 2 * 4 * 3000 * WIDTH
        tiles = tiled(matrix, limit)
        assert tiles.kept_share == pytest.approx(2 / 12)
        tracemalloc.start()
        tiles.matmat(np.ones((3000, 1), dtype=np.float32))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # A tenth for arrays of the size of the graph.
    assert peak <= 1.1 * limit


def test_progress_counts_the_tiles(symmetric_matrix):
    events = []
    tiled(symmetric_matrix, 1 << 30, events.append).matmat(np.ones((700, 1)))
    assert [(event.done, event.total) for event in events] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert events[0].stage == "residual matrix, pass 1"
