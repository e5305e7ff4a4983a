"""Vectors that know whose they are."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_choice, check_integer
from residuum.embedding.files import FORMATS, format_of, read_embedding, write_embedding
from residuum.errors import EmbeddingFileError, InvalidParameterError, UnknownNodeError

__all__ = ["Embedding"]


@dataclass
class Embedding:
    """Node ids, vectors, context vectors, offsets, and how they were made.

    Parameters
    ----------
    ids : array of shape (N,)
    vectors : array of shape (N, K)
        u_i, one row for each id.
    context_vectors : array of shape (N, K), optional
        v_j: ``u_i · v_j`` is the association of i with j.
    offsets : array of shape (N,), optional
        z_j, the log of the null model's marginal probability.
    metadata : mapping, optional
        How it was made: anything that JSON can hold.

    Examples
    --------
    >>> embedding = Embedding(["a", "b", "c"], [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    >>> embedding["a"]
    array([1., 0.], dtype=float32)
    >>> embedding.neighbors("a", 1)
    [('b', 0.9938837289810181)]
    """

    ids: NDArray[Any]
    vectors: NDArray[np.float32]
    context_vectors: NDArray[np.float32] | None = None
    offsets: NDArray[np.float64] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ids = _as_ids(self.ids)
        self.vectors = np.asarray(self.vectors, dtype=np.float32)
        n_nodes = len(self.ids)
        if self.vectors.ndim != 2 or len(self.vectors) != n_nodes:
            raise InvalidParameterError(
                f"vectors must have one row for each of the {n_nodes} ids; got shape {self.vectors.shape}."
            )
        if self.context_vectors is not None:
            self.context_vectors = np.asarray(self.context_vectors, dtype=np.float32)
            if self.context_vectors.shape != self.vectors.shape:
                raise InvalidParameterError(
                    f"context_vectors must have the shape of vectors, {self.vectors.shape}; "
                    f"got {self.context_vectors.shape}."
                )
        if self.offsets is not None:
            self.offsets = np.asarray(self.offsets, dtype=np.float64)
            if self.offsets.shape != (n_nodes,):
                raise InvalidParameterError(
                    f"offsets must have one value for each of the {n_nodes} ids; got shape {self.offsets.shape}."
                )
        if len(self._position_of) != n_nodes:
            raise InvalidParameterError("ids must differ from each other.")

    @cached_property
    def _position_of(self) -> dict[Any, int]:
        return {identity: position for position, identity in enumerate(self.ids.tolist())}

    @property
    def n_components(self) -> int:
        """Number of components K."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, identity: object) -> bool:
        return identity in self._position_of

    def __getitem__(self, identity: Any) -> NDArray[np.float32]:
        return np.asarray(self.vectors[self.position(identity)])

    def __repr__(self) -> str:
        return f"Embedding({len(self)} nodes, {self.n_components} components)"

    def position(self, identity: Any) -> int:
        """Return the row of a node."""
        try:
            return self._position_of[identity]
        except KeyError:
            close = self._lookalike(identity)
            hint = f" Did you mean {close!r}?" if close is not None else ""
            raise UnknownNodeError(
                f"node {identity!r} is not among the {len(self)} nodes of the embedding "
                f"(ids such as {self.ids.tolist()[0]!r}).{hint}"
            ) from None

    def _lookalike(self, identity: Any) -> Any:
        """Return the id that differs only in type or case, if there is one."""
        wanted = str(identity).casefold()
        return next((known for known in self.ids.tolist() if str(known).casefold() == wanted), None)

    def neighbors(self, identity: Any, n: int = 10, by: str = "cosine") -> list[tuple[Any, float]]:
        """Return the ``n`` nodes most similar to a node, best first, with their similarity.

        Parameters
        ----------
        identity : a node id
        n : int
        by : "cosine" or "association"
            The cosine of the two vectors, or ``(u_i · v_j + u_j · v_i) / 2``, which the model itself fits and which
            can be negative: less than chance would have it.
        """
        n = check_integer("n", n, minimum=1)
        check_choice("by", by, ["cosine", "association"])
        position = self.position(identity)
        similarity = self._cosine(position) if by == "cosine" else self._association(position)
        similarity = np.where(np.arange(len(self)) == position, -np.inf, similarity)
        n = min(n, len(self) - 1)
        best = np.argpartition(-similarity, n - 1)[:n]
        best = best[np.argsort(-similarity[best], kind="stable")]
        return [(self.ids[row], float(similarity[row])) for row in best]

    @cached_property
    def _unit_vectors(self) -> NDArray[np.float32]:
        norms = np.linalg.norm(self.vectors, axis=1, keepdims=True)
        return np.asarray(np.divide(self.vectors, norms, out=np.zeros_like(self.vectors), where=norms > 0))

    def _cosine(self, position: int) -> NDArray[np.float32]:
        return np.asarray(self._unit_vectors @ self._unit_vectors[position])

    def _association(self, position: int) -> NDArray[np.float32]:
        if self.context_vectors is None:
            raise InvalidParameterError(
                "neighbours by association need context vectors, which this embedding does not have; use by='cosine'."
            )
        forward = self.context_vectors @ self.vectors[position]
        return np.asarray((forward + self.vectors @ self.context_vectors[position]) / 2)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file: ``.parquet``, ``.npz``, or word2vec text (``.w2v .txt .vec``, vectors only).

        The file is written under a temporary name and renamed, so that it is whole or not there.
        """
        write_embedding(Path(path), self.ids, self.vectors, self.context_vectors, self.offsets, dict(self.metadata))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Embedding":
        """Read what :meth:`save` wrote."""
        file = Path(path)
        format_of(file)
        if not file.is_file():
            raise EmbeddingFileError(f"{file} does not exist.")
        try:
            return cls(*read_embedding(file))
        except InvalidParameterError as error:
            raise EmbeddingFileError(f"{file} is not an embedding file, or it is damaged: {error}") from error

    formats = tuple(FORMATS)


def _as_ids(ids: Any) -> NDArray[Any]:
    values = list(ids)
    if all(isinstance(one, (int, np.integer)) and not isinstance(one, bool) for one in values):
        return np.asarray(ids)
    objects = np.empty(len(values), dtype=object)
    objects[:] = [tuple(one) if isinstance(one, list) else one for one in values]
    return objects
