"""The ``Embedding`` class: vectors with node ids."""

import difflib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._files import check_output, reading
from residuum._ids import id_array, python_value
from residuum._validation import check_choice, check_integer
from residuum.embedding.exports import EmbeddingExports
from residuum.embedding.files import FORMATS, format_of, read_embedding, write_embedding
from residuum.embedding.map_columns import map_columns
from residuum.embedding.scores import PairScores, paired_positions
from residuum.errors import EmbeddingFileError, InvalidParameterError, UnknownNodeError

__all__ = ["Embedding"]

# Comparing the spelling of more ids would be slow.
_SPELLINGS = 100_000

# Sums of products of such numbers are in the range of float32.
_LARGEST = 1e15


@dataclass(eq=False)
class Embedding(EmbeddingExports):
    """Vectors with node ids, context vectors, offsets and metadata.

    Parameters
    ----------
    ids : array of shape (N,)
        Unique node ids: integers, strings, or other hashable objects.
    vectors : array of shape (N, K)
        u, one row per id.
    context_vectors : array of shape (N, K), optional
        v; ``u_i · v_j`` is the association of i with j.
    offsets : array of shape (N,), optional
        z_j, the log marginal probability of contexts under the null model.
    metadata : mapping, optional
        Method and parameters of the fit, as JSON values.
    source_offsets : array of shape (N,), optional
        Log marginal probability of centers under the null model, if it differs from ``offsets``.
    directed : bool, default False
        Whether the graph is directed; the score of (i, j) is then that of the edge from i to j.

    Raises
    ------
    InvalidParameterError
        If the arrays differ in length, or ids are not unique.

    Examples
    --------
    >>> from residuum import Embedding
    >>> embedding = Embedding(["a", "b", "c"], [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    >>> embedding["a"]
    array([1., 0.], dtype=float32)
    >>> [(node, round(similarity, 3)) for node, similarity in embedding.neighbors("a", 1)]
    [('b', 0.994)]
    """

    ids: NDArray[Any]
    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32] | None = None
    offsets: NDArray[np.float64] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source_offsets: NDArray[np.float64] | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        self.ids = id_array(self.ids)
        self.vectors = _checked_vectors("vectors", self.vectors)
        n_nodes = len(self.ids)
        if self.vectors.ndim != 2 or len(self.vectors) != n_nodes:
            raise InvalidParameterError(
                f"vectors must have one row for each of the {n_nodes} ids; got shape {self.vectors.shape}."
            )
        if self.context_vectors is not None:
            self.context_vectors = _checked_vectors("context_vectors", self.context_vectors)
            if self.context_vectors.shape != self.vectors.shape:
                raise InvalidParameterError(
                    f"context_vectors must have the shape of vectors, {self.vectors.shape}; "
                    f"got {self.context_vectors.shape}."
                )
        self.offsets = _checked_offsets("offsets", self.offsets, n_nodes)
        self.source_offsets = _checked_offsets("source_offsets", self.source_offsets, n_nodes)
        if not _are_unique(self.ids):
            duplicate = next(node for row, node in enumerate(self.ids.tolist()) if self._position_of[node] != row)
            raise InvalidParameterError(f"ids must be unique; {duplicate!r} occurs more than once.")

    @cached_property
    def _position_of(self) -> dict[Any, int]:
        return {identity: position for position, identity in enumerate(self.ids.tolist())}

    @property
    def n_components(self) -> int:
        """K, the number of dimensions."""
        return int(self.vectors.shape[1])

    @cached_property
    def scores(self) -> PairScores:
        """Pair scores by row number."""
        return PairScores(self.vectors, self.context_vectors, self.offsets, self.source_offsets, directed=self.directed)

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, identity: object) -> bool:
        return identity in self._position_of

    def __getitem__(self, identity: Any) -> NDArray[np.float32]:
        return np.asarray(self.vectors[self.position(identity)])

    def __eq__(self, other: object) -> bool:
        """Whether ids, vectors, context vectors, offsets and direction are equal; metadata is not compared."""
        if not isinstance(other, Embedding):
            return NotImplemented
        same_ids = self.directed == other.directed and self.ids.tolist() == other.ids.tolist()
        arrays = ("vectors", "context_vectors", "offsets", "source_offsets")
        return same_ids and all(_equal(getattr(self, name), getattr(other, name)) for name in arrays)

    __hash__ = None  # type: ignore[assignment]  # the arrays can be changed

    def __repr__(self) -> str:
        return f"Embedding({len(self)} nodes, {self.n_components} dimensions)"

    def position(self, identity: Any) -> int:
        """Return the row number of a node.

        Parameters
        ----------
        identity : node id
            One of ``ids``.

        Returns
        -------
        int
            Row of the node in ``vectors``.

        Raises
        ------
        UnknownNodeError
            If the id is not in the embedding.
        """
        try:
            return self._position_of[identity]
        except KeyError:
            similar = self._similar_id(identity)
            hint = f"Did you mean {similar!r}?" if similar is not None else "Only ids are stored, no names."
            raise UnknownNodeError(
                f"node {python_value(identity)!r} is not in the embedding of {len(self)} nodes "
                f"(with ids such as {', '.join(map(repr, self.ids[:3].tolist()))}). {hint}"
            ) from None

    def _positions(self, ids: Iterable[Any]) -> NDArray[np.int64]:
        return np.array([self.position(identity) for identity in ids], dtype=np.int64)

    def _similar_id(self, identity: Any) -> Any:
        """Return an id that differs only in type or case, or is spelled nearly alike, or None."""
        text = str(identity).casefold()
        candidates = {str(candidate).casefold(): candidate for candidate in self.ids.tolist()}
        if text in candidates or self.ids.dtype != object:
            return candidates.get(text)
        close = difflib.get_close_matches(text, list(candidates)[:_SPELLINGS], n=1, cutoff=0.75)
        return candidates[close[0]] if close else None

    def score_pairs(self, i: Any, j: Any, mode: str = "residual") -> NDArray[np.float64]:
        """Score pairs of nodes.

        Parameters
        ----------
        i, j : node id, or sequence of n node ids
            Centers and contexts; a single node is paired with each of the others.
        mode : {"residual", "null", "full"}, default "residual"
            Association, expectation of the null model, or their sum; see :class:`PairScores`.

        Returns
        -------
        array of shape (n,), or of shape () for two single nodes
            Score of each pair.
        """
        check_choice("mode", mode, ["residual", "null", "full"])
        rows, columns, single = paired_positions(i, j, self._positions)
        scores = np.asarray(getattr(self.scores, mode)(rows, columns))
        return scores.reshape(()) if single else scores

    def neighbors(self, identity: Any, n: int = 10, by: str = "cosine") -> list[tuple[Any, float]]:
        """Return the nodes most similar to a node.

        Parameters
        ----------
        identity : node id
            Node whose neighbors are searched.
        n : int, default 10
            Number of neighbors; at most N − 1 are returned.
        by : {"cosine", "association"}, default "cosine"
            Cosine of the two vectors, or the association ``(u_i · v_j + u_j · v_i) / 2``, which the model fits and
            which is negative for pairs connected less often than the null model expects.

        Returns
        -------
        list of (node id, float)
            Neighbors and their similarity, most similar first.
        """
        n = check_integer("n", n, minimum=1)
        check_choice("by", by, ["cosine", "association"])
        position = self.position(identity)
        if by == "association" and self.context_vectors is None:
            raise InvalidParameterError(
                "by='association' needs context vectors, which this embedding does not have; use by='cosine'."
            )
        similarity = self.scores.cosine_row(position) if by == "cosine" else self.scores.residual_row(position)
        similarity = np.where(np.arange(len(self)) == position, -np.inf, similarity)
        n = min(n, len(self) - 1)
        best = np.argpartition(-similarity, n - 1)[:n]
        best = best[np.argsort(-similarity[best], kind="stable")]
        return [(self.ids.item(row), float(similarity[row])) for row in best]

    def plot(
        self, color: Any = None, *, name: str = "", ax: Any = None, method: str = "auto", random_state: int = 0
    ) -> Any:
        """Draw a map of the nodes, on which nodes with similar vectors are near each other.

        Requires ``pip install 'residuum[report]'``. In a notebook, the last line ``embedding.plot().figure`` shows it.

        Parameters
        ----------
        color : array of shape (N,) or mapping of node id to value, optional
            Numbers (floats) or labels that color the nodes.
        name : str, default ""
            Title of the legend.
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        method : {"auto", "umap", "neighbors", "pca"}, default "auto"
            Projection; "auto" is UMAP if umap-learn is installed, else a layout of the nearest neighbors.
        random_state : int, default 0
            Seed of the projection.

        Returns
        -------
        matplotlib Axes
            The axes, with the figure in ``.figure``.
        """
        from residuum.embedding.drawing import draw_map
        from residuum.embedding.projection import project

        if isinstance(color, Mapping):
            color = [color.get(identity) for identity in self.ids.tolist()]
        return draw_map(project(self.vectors, method, random_state=random_state), color, name=name, ax=ax)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False, with_map: bool = False) -> None:
        """Write the embedding to a file.

        The file is written under a temporary name and renamed, so that it is never incomplete.

        Parameters
        ----------
        path : path
            File with extension ``.parquet``, ``.npz``, or one of those that hold only ids and vectors: ``.w2v``,
            ``.txt``, ``.vec`` (word2vec text), ``.csv`` and ``.tsv``.
        overwrite : bool, default False
            Whether to replace an existing file, once the new one is complete.
        with_map : bool, default False
            Whether to add the columns ``x``, ``y`` (a projection to the plane) and ``neighbors`` (rows and distances of
            the nearest neighbors) to a parquet file, as embedding-atlas reads them.

        Raises
        ------
        InvalidParameterError
            If the file exists and ``overwrite`` is False, or the path is not that of a regular file.
        EmbeddingFileError
            If the format does not exist or does not support the ids, or the file cannot be written.
        """
        extension = format_of(Path(path))
        check_output(path, overwrite=overwrite)
        if with_map and extension != ".parquet":
            raise InvalidParameterError(f"with_map=True needs a .parquet file; got {path}.")
        columns = map_columns(self.vectors) if with_map else {}
        write_embedding(Path(path), vars(self) | {"metadata": dict(self.metadata), "columns": columns})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Embedding":
        """Read an embedding from a file written by :meth:`save` or by another tool.

        Parameters
        ----------
        path : path
            File with one of the extensions of :meth:`save`, or ``.npy``. A csv, tsv or parquet file of another tool has
            a column of ids and one column per dimension, or one of lists. The ids of a npy file are the lines of
            ``NAME.ids.txt`` beside it, or else the numbers of the rows from 0.

        Returns
        -------
        Embedding
            The embedding; ids from word2vec text are strings, ids from csv are integers if all are.

        Raises
        ------
        EmbeddingFileError
            If the file is missing or damaged.
        """
        file = Path(path)
        # Numbers beyond the range become infinite, and are refused.
        with reading(file, EmbeddingFileError), np.errstate(over="ignore", invalid="ignore"):
            return cls(**read_embedding(file))

    formats = tuple(FORMATS)


def _equal(first: NDArray[Any] | None, second: NDArray[Any] | None) -> bool:
    if first is None or second is None:
        return first is second
    return np.array_equal(first, second, equal_nan=True)


def _as_floats(name: str, values: Any, kind: type) -> NDArray[Any]:
    try:
        # Numbers beyond the range become infinite, which the callers refuse.
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(values, dtype=kind)
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(f"{name} must be an array of numbers; {error}.") from None


def _are_unique(ids: NDArray[Any]) -> bool:
    """Return whether no id occurs twice; a set of integers would take far more memory than the sorted array."""
    return len(np.unique(ids) if ids.dtype.kind in "iu" else set(ids.tolist())) == len(ids)


def _checked_vectors(name: str, vectors: Any) -> NDArray[np.float32]:
    array = _as_floats(name, vectors, np.float32)
    # NaN compares as False.
    if array.size and not (array.max() <= _LARGEST and array.min() >= -_LARGEST):
        raise InvalidParameterError(
            f"{name} must be numbers of size {_LARGEST:g} or less; at least one is missing, infinite or larger. Remove "
            "such rows, or divide all vectors by a constant."
        )
    return array


def _checked_offsets(name: str, offsets: Any, n_nodes: int) -> NDArray[np.float64] | None:
    if offsets is None:
        return None
    array: NDArray[np.float64] = _as_floats(name, offsets, np.float64)
    if array.shape != (n_nodes,):
        raise InvalidParameterError(
            f"{name} must have one value for each of the {n_nodes} ids; got shape {array.shape}."
        )
    if not (array < np.inf).all():
        raise InvalidParameterError(
            f"{name} must be finite, or −inf for nodes without edges; at least one is missing or +inf."
        )
    return array
