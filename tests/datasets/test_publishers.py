import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from residuum import datasets
from residuum.datasets import publishers
from residuum.errors import DatasetError
from residuum.graph import Graph

# Nodes 5, 7, 9 and 12 are the largest connected component; directions, a parallel edge and a self-loop are dropped.
CONTENT = b"# a graph\n9\t5\n5\t9\n9\t7\n7\t7\n12\t9\n1\t2\n"
EXPECTED = Graph(np.array([[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]))
Publish = Callable[..., Path]


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Return a function that publishes a file as "tiny" and returns its path in the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RESIDUUM_DATA", raising=False)

    def write_file(content: bytes | None, checksum: str = publishers.edge_checksum(EXPECTED)) -> Path:
        source = tmp_path / "tiny.txt.gz"
        if content is not None:
            source.write_bytes(content)
        monkeypatch.setitem(publishers.PUBLISHERS, "tiny", publishers.Publisher(source.as_uri(), checksum))
        return tmp_path / "cache" / "residuum" / "tiny.txt.gz"

    return write_file


def test_a_published_graph_is_simple_connected_and_in_the_order_of_its_ids(publish: Publish) -> None:
    publish(gzip.compress(CONTENT, mtime=0))
    graph = datasets.load("tiny")
    np.testing.assert_array_equal(graph.adjacency.toarray(), EXPECTED.adjacency.toarray())
    assert graph.node_ids.tolist() == [0, 1, 2, 3]
    assert "tiny" in datasets.names()


def test_the_second_load_uses_the_cache(publish: Publish, tmp_path: Path) -> None:
    cached = publish(gzip.compress(CONTENT, mtime=0))
    datasets.load("tiny")
    (tmp_path / "tiny.txt.gz").unlink()
    assert cached.exists()
    assert datasets.load("tiny").n_nodes == 4


@pytest.mark.parametrize(
    ("content", "checksum"),
    [
        (gzip.compress(CONTENT, mtime=0), "0" * 64),
        (gzip.compress(CONTENT + b"5\t7\n", mtime=0), publishers.edge_checksum(EXPECTED)),
        (gzip.compress(CONTENT, mtime=0)[:-12], publishers.edge_checksum(EXPECTED)),
        (b"<html>please log in</html>", publishers.edge_checksum(EXPECTED)),
        (b"", publishers.edge_checksum(EXPECTED)),
    ],
    ids=["wrong checksum", "one edge more", "cut off", "login page", "empty"],
)
def test_a_file_that_is_not_the_published_graph_is_rejected_and_deleted(
    publish: Publish, content: bytes, checksum: str
) -> None:
    cached = publish(content, checksum)
    with pytest.raises(DatasetError, match=r"not the expected graph 'tiny'.*it was deleted\. Try again"):
        datasets.load("tiny")
    assert list(cached.parent.iterdir()) == []


def test_a_failed_download_names_the_url_and_the_data_folder(publish: Publish) -> None:
    cached = publish(None)
    with pytest.raises(DatasetError, match=r"'tiny' could not be downloaded from file://.*Set RESIDUUM_DATA"):
        datasets.load("tiny")
    assert list(cached.parent.iterdir()) == []


def test_the_checksum_depends_on_edges_but_not_on_weights() -> None:
    weighted = Graph(EXPECTED.adjacency * 3)
    assert publishers.edge_checksum(weighted) == publishers.edge_checksum(EXPECTED)
    other = Graph(EXPECTED.adjacency[::-1][:, ::-1])
    assert publishers.edge_checksum(other) != publishers.edge_checksum(EXPECTED)
