"""Every reader, with valid files to start from and the ways to change them."""

import contextlib
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from fuzzing import mutations
from fuzzing.mutations import Mutation
from fuzzing.packing import Content, read, unpack, write
from hostile.cases import cases
from hostile.seeds import npz, seeds
from residuum import Embedding, Residual2Vec
from residuum.cli import main
from residuum.cli.graph_options import READING
from residuum.cli.held_out import hidden_pairs
from residuum.errors import ResiduumError, ResiduumWarning
from residuum.graph import Graph, convert, read_graph, read_node_column, verify_graph
from residuum.nulls import DegreeCorrectedSBM, DegreeCorrelated, Spatial
from residuum.solvers import Likelihood

# Hostile files of this size or more test limits, and slow a fuzzer down.
LARGEST = 20_000
_NAMES = Graph(np.ones((4, 4)) - np.eye(4), ["ann", "bob", "cid", "dan"])
_PAIR = Graph([[0, 1], [1, 0]])


def check_graph(graph: Graph) -> None:
    """Assert that a graph that a reader accepts is usable."""
    matrix = graph.adjacency
    assert matrix.nnz > 0
    assert np.isfinite(matrix.data).all()
    assert (matrix.data > 0).all()
    assert graph.in_strength.shape == graph.out_strength.shape == (graph.n_nodes,) == graph.node_ids.shape
    assert 1 <= graph.n_connected_components <= graph.n_nodes
    assert len(set(graph.node_ids.tolist())) == graph.n_nodes
    assert all(len(values) == graph.n_nodes for values in graph.node_attributes.values())
    assert repr(graph)


def read_a_graph(path: Path) -> None:
    """Read a graph; a graph on disk with its checksums, too."""
    check_graph(read_graph(path))
    if path.suffix == ".r2g":
        check_graph(verify_graph(path))


def convert_a_graph(path: Path) -> None:
    """Convert a graph; the result is that of ``read_graph``, and an error leaves nothing behind."""
    output = path.with_name("out.r2g")
    try:
        expected: Graph | None = read_graph(path)
    except ResiduumError:
        expected = None
    try:
        converted = convert(path, output, memory_limit="64MiB")
    except ResiduumError:
        assert sorted(path.parent.iterdir()) == [path]
        assert expected is None, "read_graph accepts what convert refuses"
        raise
    assert expected is not None, "convert accepts what read_graph refuses"
    check_graph(converted)
    assert converted.node_ids.tolist() == expected.node_ids.tolist()
    np.testing.assert_allclose(converted.adjacency.toarray(), expected.adjacency.toarray(), rtol=1e-12)


def load_vectors(path: Path) -> None:
    """Load vectors and use them; files that are written from them hold the same."""
    embedding = Embedding.load(path)
    n_nodes, width = embedding.vectors.shape
    assert len(embedding.ids) == n_nodes
    assert np.isfinite(embedding.vectors).all()
    for identity in embedding.ids.tolist()[:1]:
        assert all(abs(cosine) < 1.001 for _, cosine in embedding.neighbors(identity, 2))
    copy = path.with_name("copy.npz")
    with contextlib.suppress(ResiduumError):
        embedding.save(copy)
        assert Embedding.load(copy).vectors.shape == (n_nodes, width)


def read_labels(path: Path) -> None:
    """Read a column of labels."""
    values = read_node_column(path, "label", _PAIR)
    assert set(values) & {0, 1}


def read_hidden(path: Path) -> None:
    """Read held-out edges of a split."""
    pairs = hidden_pairs(_NAMES, path, dict.fromkeys(READING) | {"explain": False, "quiet": True})
    assert ((pairs >= 0) & (pairs < 4)).all()


def read_config(path: Path) -> None:
    """Use a configuration for a command that ends at a graph that is missing."""
    arguments = ["embed", str(path.with_name("missing.csv")), "--output", str(path.with_name("x.npz"))]
    result = CliRunner().invoke(main, [*arguments, "--config", str(path)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (1, 2)
    assert result.output
    assert sorted(path.parent.iterdir()) == [path]
    raise ResiduumError(result.output)


def load_model(path: Path) -> None:
    """Load a model and embed nodes with it."""
    model = Residual2Vec.load(path)
    n_nodes = model.n_features_in_
    edges = np.zeros((2, n_nodes))
    edges[0, :2], edges[1, -1] = 1.0, 2.0
    for groups in (None, ["a", "b"], [0, 1], [[0.0, 0.5], [1.0, 0.5]]):
        with contextlib.suppress(ResiduumError):
            assert model.transform(edges, groups, {"side": [0, 1]}).shape == (2, model.embedding_.shape[1])
    with contextlib.suppress(ResiduumError):
        model.score_pairs(model.node_ids_[:1], model.node_ids_[-1:], mode="full")
    assert repr(model)


@dataclass(frozen=True)
class Target:
    """A reader to test.

    Attributes
    ----------
    file : str
        Name of the file or folder that it reads.
    act : callable
        Reads the file, and asserts that the result is usable.
    change : callable
        Changes a file with regard to its structure.
    seeds : str
        Start of the names of the hostile cases to begin with.
    native : bool
        Whether compiled code parses the file.
    """

    file: str
    act: Callable[[Path], None]
    change: Mutation
    seeds: str
    native: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether the reader reads a folder."""
        return self.file.endswith((".r2g", ".r2m"))


TARGETS: dict[str, Target] = {
    "graph-csv": Target("x.csv", read_a_graph, mutations.text([]), "graph", native=True),
    "graph-txt": Target("x.txt", read_a_graph, mutations.text([]), "graph", native=True),
    "graph-gz": Target("x.csv.gz", read_a_graph, mutations.change_gzip, "graph", native=True),
    "graph-parquet": Target("x.parquet", read_a_graph, mutations.change_parquet, "graph", native=True),
    "graph-npz": Target("x.npz", read_a_graph, mutations.change_npz, "graph", native=True),
    "graph-mtx": Target("x.mtx", read_a_graph, mutations.text(mutations.MATRIX), "graph"),
    "graph-graphml": Target("x.graphml", read_a_graph, mutations.text(mutations.XML), "graph"),
    "graph-gml": Target("x.gml", read_a_graph, mutations.text(mutations.GML), "graph"),
    "graph-r2g": Target("x.r2g", read_a_graph, mutations.change_folder, "graph", native=True),
    "convert": Target("x.csv", convert_a_graph, mutations.text([]), "graph", native=True),
    "vectors-npz": Target("x.npz", load_vectors, mutations.change_npz, "vectors", native=True),
    "vectors-parquet": Target("x.parquet", load_vectors, mutations.change_parquet, "vectors", native=True),
    "vectors-w2v": Target("x.w2v", load_vectors, mutations.text([]), "vectors"),
    "vectors-csv": Target("x.csv", load_vectors, mutations.text([]), "vectors", native=True),
    "vectors-npy": Target("x.npy", load_vectors, mutations.change_array, "vectors", native=True),
    "labels-csv": Target("x.csv", read_labels, mutations.text([]), "labels", native=True),
    "labels-parquet": Target("x.parquet", read_labels, mutations.change_parquet, "labels", native=True),
    "hidden": Target("x.csv", read_hidden, mutations.text([]), "graph", native=True),
    "config": Target("x.toml", read_config, mutations.text(mutations.TOML), "config"),
    "model": Target("x.r2m", load_model, mutations.change_folder, "model", native=True),
}


def outcome(target: Target, data: bytes, folder: Path) -> str:
    """Return "result" or "refused"; any other exception, and any warning that is not documented, is a finding."""
    content: Content = unpack(data) if target.is_folder else data
    with tempfile.TemporaryDirectory(dir=folder) as case, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResiduumWarning)
        path = Path(case, target.file)
        write(content, path)
        try:
            target.act(path)
        except ResiduumError as error:
            if not str(error):
                raise AssertionError("an error without a message") from error
            return "refused"
        assert [file for file in Path(case).iterdir() if file.name.startswith(".residuum-")] == []
    return "result"


def changed(target: Target, data: bytes, rng: random.Random) -> bytes:
    """Return a changed file; if its structure is beyond recognition, with some bytes changed."""
    try:
        return target.change(data, rng)
    except Exception:  # of a file that was changed before
        return mutations.change_bytes(data, rng)


def starts(target: Target) -> Iterator[Content]:
    """Yield small files to begin with: valid ones first, then hostile ones, then those that were found before."""
    if target.seeds == "config":
        yield b"dim = 8\nseed = 1\n[embed]\nwindow = [1, 2]\nnull = 'dcsbm'\ngroups = 'people.csv:team'\nquiet = true\n"
    elif target.seeds == "model":
        yield from _models()
    elif target.file == "x.npy":
        yield unpack(npz(a=np.arange(6.0).reshape(3, 2)))["a.npy"]
    elif (target.seeds, target.file) == ("vectors", "x.csv"):
        yield b"id,d0,d1\nann,1.0,0.5\nbob,0,-2\ncid,3e-1,1\n"
    else:
        yield from _files(target.seeds).get(target.file, [])
    yield from (found.read_bytes() for found in corpus(target))


def corpus(target: Target) -> list[Path]:
    """Return the files with what was found and mended."""
    name = next(name for name, other in TARGETS.items() if other is target)
    return sorted((Path(__file__).parent / "corpus" / name).glob("*"))


@cache
def _files(kind: str) -> dict[str, list[Content]]:
    """Return valid and hostile files of a kind, by file name."""
    files: dict[str, list[Content]] = {}
    for name, file, content in [*((name, *case) for name, case in seeds().items()), *cases()]:
        if name.removeprefix("hostile-").startswith(kind) and len(str(content)) < LARGEST:
            files.setdefault(file, []).append(content)
    return files


@cache
def _models() -> list[Content]:
    """Return the folders of saved models with all kinds of parts."""
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((24, 24)) < 0.3, 1) + np.eye(24, k=1)
    attributes = {"group": np.array(["a", "b"])[np.arange(24) // 12], "side": np.arange(24) % 2}
    graph = Graph(A + A.T, node_attributes=attributes)
    arcs = Graph(A + np.eye(24, k=-1), directed=True, node_attributes=attributes)
    models = [
        (graph, Residual2Vec(2, window=2, random_state=0)),
        (graph, Residual2Vec(2, window=2, null_model=DegreeCorrectedSBM("group"), erase="side", random_state=0)),
        (graph, Residual2Vec(2, window=2, erase="side", erase_level="distribution", random_state=0)),
        (graph, Residual2Vec(2, window=2, solver=Likelihood(n_sweeps=1), random_state=0)),
        (graph, Residual2Vec(2, window=1, null_model=Spatial(rng.random((24, 2)), n_places=4), random_state=0)),
        (arcs, Residual2Vec(2, window=2, null_model=DegreeCorrelated() * DegreeCorrectedSBM("group"), random_state=0)),
    ]
    contents = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)
        for number, (training, model) in enumerate(models):
            path = Path(folder, f"{number}.r2m")
            model.fit(training).save(path)
            contents.append(read(path))
    return contents
