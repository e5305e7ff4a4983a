"""Vectors of a partitioned graph: computed part by part from the factors, and written as parquet files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._files import atomic_path
from residuum._progress import ProgressCallback, Stage
from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.distributed.stages import read_ids
from residuum.embedding.files import is_own_parquet, write_embedding
from residuum.errors import InvalidParameterError
from residuum.residual import unscaled

__all__ = ["PartitionedVectors", "VectorPart", "check_vectors_folder"]

# Written last, as Spark does, so that its absence shows an incomplete folder; readers of parquet ignore it.
_SUCCESS = "_SUCCESS"


@dataclass(frozen=True)
class VectorPart:
    """Vectors as tasks compute them: singular vectors on shared storage, times their lengths.

    Attributes
    ----------
    grid : Grid
        Partition of the nodes.
    names : tuple of str
        Names of the left and of the right singular vectors.
    lengths : tuple of arrays of shape (K,)
        Signed lengths of the left and of the right vectors; zero beyond the rank.
    """

    grid: Grid
    names: tuple[str, str]
    lengths: tuple[NDArray[np.float32], NDArray[np.float32]]

    def read(self, part: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v of the nodes of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        u, v : float32 arrays of shape (n, K)
            Vectors and context vectors.
        """
        scales = (
            np.array(self.grid.stages.load(name)[self.grid.nodes(part)]) for name in ("row-scale", "column-scale")
        )
        u, v = (
            unscaled(self.grid.stages.load(f"{name}-{part}") * lengths, scale)
            for name, lengths, scale in zip(self.names, self.lengths, scales, strict=True)
        )
        return u, v

    def write(self, part: int, folder: str, header: Mapping[str, Any]) -> int:
        """Write the vectors of a part to a parquet file that :meth:`residuum.Embedding.load` reads as well.

        Parameters
        ----------
        part : int
            Number of the part.
        folder : str
            Folder of the output.
        header : mapping
            Fields ``directed`` and ``metadata`` of the embedding.

        Returns
        -------
        int
            Number of nodes.
        """
        u, v = self.read(part)
        ids = read_ids(self.grid.home.path(f"ids-{part}.arrow")).to_numpy(zero_copy_only=False)
        offset, source = (self.grid.stages.load(name)[self.grid.nodes(part)] for name in ("offset", "source-offset"))
        fields = {
            "ids": ids,
            "vectors": u,
            "context_vectors": v,
            "offsets": np.array(offset),
            "source_offsets": np.array(source),
            "columns": {},
            **header,
        }
        write_embedding(Path(folder) / f"part-{part:05d}.parquet", fields)
        return len(ids)


@dataclass(frozen=True)
class PartitionedVectors:
    """Vectors of all nodes, on the storage that client and workers share.

    Attributes
    ----------
    cluster : Cluster
        Workers.
    part : VectorPart
        Vectors as tasks compute them.
    directed : bool
        Whether the graph is directed.
    metadata : dict
        Parameters and outcome of the fit.

    Examples
    --------
    >>> import tempfile
    >>> from distributed import Client
    >>> from residuum import Embedding, datasets
    >>> from residuum.distributed import DaskResidual2Vec
    >>> from residuum.graph import write_graph
    >>> from residuum.solvers import Landmark
    >>> with tempfile.TemporaryDirectory() as folder, Client(processes=False, dashboard_address=":0") as client:
    ...     write_graph(datasets.planted_groups(300, 3, random_state=0), f"{folder}/graph.r2g")
    ...     model = DaskResidual2Vec(2, client=client, window=3, solver=Landmark(n_landmarks=250), random_state=0)
    ...     _ = model.set_params(n_partitions=2)
    ...     model.fit(f"{folder}/graph.r2g").vectors_.write(f"{folder}/vectors")
    ...     Embedding.load(f"{folder}/vectors/part-00000.parquet").vectors.shape
    (150, 2)
    """

    cluster: Cluster
    part: VectorPart
    directed: bool
    metadata: dict[str, Any]

    def write(
        self, folder: str | os.PathLike[str], *, overwrite: bool = False, progress: ProgressCallback | None = None
    ) -> None:
        """Write a folder of parquet files, one per part, with the columns of :meth:`residuum.Embedding.save`.

        Parameters
        ----------
        folder : path
            Folder to create, which the workers see.
        overwrite : bool, default False
            Whether to replace the parquet files in a folder that exists.
        progress : callable, optional
            Called with the progress.
        """
        place = Path(folder).absolute()
        check_vectors_folder(place, overwrite=overwrite)
        place.mkdir(exist_ok=True)
        for old in [place / _SUCCESS, *place.glob("part-*.parquet")]:
            old.unlink(missing_ok=True)
        header = {"directed": self.directed, "metadata": self.metadata}
        items = [(self.part, part, str(place), header) for part in range(self.part.grid.n_parts)]
        self.cluster.map("write-vectors", type(self.part).write, items, Stage("writing vectors", len(items), progress))
        with atomic_path(place / _SUCCESS):
            pass


def check_vectors_folder(folder: Path, *, overwrite: bool) -> None:
    """Raise an error if vectors cannot be written to a folder.

    Parameters
    ----------
    folder : Path
        Folder to create, or to replace.
    overwrite : bool
        Whether a folder of vectors that exists may be replaced.

    Raises
    ------
    InvalidParameterError
        If it exists and ``overwrite`` is False, or holds anything but vectors of a cluster.
    """
    if not folder.absolute().parent.is_dir():
        raise InvalidParameterError(f"the folder {folder.parent} does not exist; create it first.")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InvalidParameterError(f"{folder} is a file; vectors of a cluster are a folder, choose another path.")
    foreign = [path.name for path in sorted(folder.iterdir()) if not _is_own(path)]
    if foreign:
        raise InvalidParameterError(
            f"{folder} holds {foreign[0]!r}, which is not a file of vectors; choose a new or an empty folder."
        )
    if any(folder.iterdir()) and not overwrite:
        raise InvalidParameterError(f"{folder} exists; use overwrite=True (--overwrite) to replace it.")


def _is_own(path: Path) -> bool:
    """Whether a file is one that vectors are written to, and not an edge file of the same name."""
    if path.name == _SUCCESS:
        return True
    return path.match("part-*.parquet") and is_own_parquet(path)
