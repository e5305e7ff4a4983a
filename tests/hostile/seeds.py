"""Small valid files of every format, and the ways to damage any file."""

import gzip
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from residuum import Embedding
from residuum.graph import Graph, write_graph

# Content of a file, or of the files of a folder.
Content = bytes | dict[str, bytes]

ARCS = np.array([[0, 2, 0, 0], [0, 0, 1, 3], [1, 0, 0, 0], [0, 1.5, 0, 0]])
BOTH = ARCS + ARCS.T
EDGES = "source,target,weight\nann,bob,2\nbob,cid,1.5\ncid,dan,3\ndan,ann,1\n"


def npz(compressed: bool = True, **arrays: Any) -> bytes:
    """Return an npz file."""
    stream = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(stream, allow_pickle=True, **arrays)
    return stream.getvalue()


def sparse_npz(kind: str, **changes: Any) -> bytes:
    """Return a file of ``scipy.sparse.save_npz`` with some arrays replaced."""
    matrix = sparse.coo_array(ARCS).asformat(kind)
    arrays: dict[str, Any] = {"format": kind.encode(), "shape": matrix.shape, "data": matrix.data}
    if kind == "coo":
        arrays |= {"row": matrix.row, "col": matrix.col}
    elif kind == "dia":
        arrays |= {"offsets": matrix.offsets}
    else:
        arrays |= {"indices": matrix.indices, "indptr": matrix.indptr}
    return npz(**(arrays | changes))


def parquet(columns: dict[str, Any], metadata: dict[bytes, bytes] | None = None, **options: Any) -> bytes:
    """Return a parquet file."""
    stream = io.BytesIO()
    table = pa.table(columns)
    pq.write_table(table.replace_schema_metadata(metadata) if metadata else table, stream, **options)
    return stream.getvalue()


def vectors(ending: str) -> bytes:
    """Return a file of an embedding."""
    embedding = Embedding(["ann", "bob", "cid"], np.eye(3)[:, :2], np.ones((3, 2)), np.zeros(3), {"seed": 1})
    with tempfile.TemporaryDirectory() as folder:
        embedding.save(Path(folder, f"x{ending}"))
        return Path(folder, f"x{ending}").read_bytes()


def disk(directed: bool) -> dict[str, bytes]:
    """Return the files of a graph on disk."""
    attributes = {"year": np.array([1, 2, 3, 4]), "name": np.array(["a", "b", "c", "d"])}
    ids = np.array(["ann", "bob", "cid", "dan"], dtype=object)
    graph = Graph(ARCS if directed else BOTH, ids, directed=directed, node_attributes=attributes)
    with tempfile.TemporaryDirectory() as folder:
        write_graph(graph, Path(folder, "x.r2g"))
        return {file.name: file.read_bytes() for file in Path(folder, "x.r2g").iterdir()}


def network(function: str) -> bytes:
    """Return a file that networkx writes."""
    graph = nx.DiGraph()
    graph.add_nodes_from([("ann", {"club": "red"}), ("bob", {"club": "blue"}), ("cid", {"club": "red"})])
    graph.add_weighted_edges_from([("ann", "bob", 2.5), ("bob", "cid", 1.0)])
    stream = io.BytesIO()
    getattr(nx, function)(graph, stream)
    return stream.getvalue()


MATRIX = b"%%MatrixMarket matrix coordinate real general\n% of four nodes\n4 4 4\n1 2 2\n2 3 1\n2 4 3\n4 2 1.5\n"


def seeds() -> dict[str, tuple[str, Content]]:
    """Return valid files by kind and name: the file name and the content."""
    return {
        "graph-txt": ("x.txt", b"# a comment\n1 2\n2 3\n3 1\n10 2\n"),
        "graph-csv": ("x.csv", EDGES.encode()),
        "graph-quoted": ("x.csv", b'"Doe, A","Roe, B",2\n"Roe, B","Poe, C",1\n"Poe, C","Doe, A",1\n'),
        "graph-gz": ("x.csv.gz", gzip.compress(EDGES.encode(), mtime=0)),
        "graph-parquet": (
            "x.parquet",
            parquet({"source": ["a", "b", "c"], "target": ["b", "c", "a"], "weight": [1.0, 2.0, 3.0]}),
        ),
        "graph-csr": ("x.npz", sparse_npz("csr")),
        "graph-coo": ("x.npz", sparse_npz("coo")),
        "graph-mtx": ("x.mtx", MATRIX),
        "graph-mtxgz": ("x.mtx.gz", gzip.compress(MATRIX, mtime=0)),
        "graph-graphml": ("x.graphml", network("write_graphml")),
        "graph-gml": ("x.gml", network("write_gml")),
        "graph-undirected": ("x.r2g", disk(False)),
        "graph-directed": ("x.r2g", disk(True)),
        "vectors-npz": ("x.npz", vectors(".npz")),
        "vectors-parquet": ("x.parquet", vectors(".parquet")),
        "vectors-w2v": ("x.w2v", vectors(".w2v")),
        "labels-csv": ("x.csv", b"node,label,age\n0,red,3\n1,blue,4\n"),
        "labels-parquet": ("x.parquet", parquet({"node": [0, 1], "label": ["red", "blue"]})),
    }


def damaged(content: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a file: cut off, with changed bytes, and with parts missing, doubled or zero."""
    rng = np.random.default_rng(seed)
    n_bytes = len(content)
    for share in (0.0, 0.5, 0.9, 1 - 1 / n_bytes):
        yield f"cut-{share:.2f}", content[: int(n_bytes * share)]
    for number in range(8):
        changed = np.frombuffer(content, dtype=np.uint8).copy()
        places = rng.integers(n_bytes, size=1 + number % 4)
        changed[places] ^= rng.integers(1, 256, size=len(places)).astype(np.uint8)
        yield f"flip-{number}", changed.tobytes()
    for number in range(2):
        first, last = sorted(rng.integers(n_bytes, size=2).tolist())
        yield f"missing-{number}", content[:first] + content[last:]
        yield f"doubled-{number}", content[:last] + content[first:]
        yield f"zero-{number}", content[:first] + bytes(last - first) + content[last:]


def gzip_bomb(line: bytes, n_bytes: int) -> bytes:
    """Return a gzip file of many members that repeats a line."""
    part = line * ((4 << 20) // len(line))
    member = gzip.compress(part, 9, mtime=0)
    return member * (n_bytes // len(part))
