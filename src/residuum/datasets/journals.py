"""A journal citation graph of the size and kind of the paper's case study, drawn at random."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum._threads import thread_limit
from residuum._validation import check_integer, check_real
from residuum.datasets._journal_kernels import cite
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, read_graph
from residuum.graph.disk_writer import GraphWriter, graph_folder
from residuum.graph.on_disk import is_on_disk, origin_of
from residuum.graph.row_files import RowFiles, Rows, row_runs, symmetrised, write_transposed

__all__ = ["N_ENTRIES", "N_NODES", "JournalCitations", "journal_citations"]

# The sizes of the paper's graph; entries, not pairs, or its mean degree would not be 1,049.
N_NODES = 242_789
N_ENTRIES = 254_793_567

_ATTRIBUTES = ("journal", "year", "field", "impact")
_YEARS = np.arange(1900, 2020)
_GENERATOR = 1  # raised whenever the same arguments give another graph
_N_FIELDS, _FIELDS_PER_AREA = 20, 4
# Growth a year of the number of journals, and of the journal-years that one of them cites.
_JOURNAL_GROWTH, _REFERENCE_GROWTH = 0.045, 0.02
# Shares of the citations to the journal itself, its field and the other fields of its area; the rest goes anywhere.
_MIXING = np.array([0.08, 0.67, 0.15])
# Citations age as exp(−(ln(a + 1) − μ)² / 2σ²) / (a + 1): most go to the last few years.
_AGE_CENTRE, _AGE_SPREAD = np.log(5.0), 0.9
# Spread of ln size and ln impact over journals, and how much of a journal's impact is the same a year later.
_SIZE_SPREAD, _IMPACT_SPREAD, _IMPACT_MEMORY = 0.8, 1.0, 0.97
# A row cites at most this share of the nodes that are there to be cited.
_DENSEST = 1 / 3
# Measured at full scale: citations of the same year that are answered, so that two of them are one pair.
_CITED_BACK = 0.022
_ENTRIES_AT_ONCE = 8 << 20


@dataclass(frozen=True)
class JournalCitations:
    """The graph, and the planted answer for each of its nodes, shape (N,).

    Attributes
    ----------
    graph : Graph
        Mapped from disk; ``journal``, ``year``, ``field`` and ``impact`` are its node attributes, too.
    journal, year, field : int arrays
    impact : float array
        How attractive a paper of the journal is in that year, 1 in the median.
    """

    graph: Graph
    journal: NDArray[np.int64]
    year: NDArray[np.int64]
    field: NDArray[np.int64]
    impact: NDArray[np.float64]


def journal_citations(
    scale: float,
    path: str | os.PathLike[str],
    seed: int = 0,
    *,
    directed: bool = False,
    overwrite: bool = False,
    n_jobs: int | None = None,
    progress: ProgressCallback | None = None,
) -> JournalCitations:
    """Draw a citation graph of (journal, year) pairs, 1900 to 2019, straight to a graph on disk.

    A stand-in for the Web of Science graph of the paper's case study, whose data are not public: as many nodes
    (242,789 at ``scale=1``) and as many entries of the adjacency matrix (254,793,567, a mean degree of 1,049).
    A journal that is founded stays; their number grows exponentially, and so does the number of journal-years that each
    cites. A node (j, t) draws citations until it has cited as many different nodes as it is to cite; the weight is how
    often each was drawn, so at least 1. A citation goes

    - with probability 0.08 to an earlier (or the same) year of the journal itself,
    - with probability 0.67 to a journal of its field (20 of them), 0.15 to another field of its area (5 of them),
    - else to any journal;

    in all but the first case to the node (j', t') with a probability in proportion to
    ``size_j' · impact_j't' · f(t − t')``: sizes and impacts are log-normal, impact drifts slowly from year to year, and
    the ageing f is log-normal, too, with most citations going to the last ten years. So chance given years and
    degrees (:class:`~residuum.nulls.Temporal`) explains growth and ageing, and fields are what is left.

    As in the paper, the graph is undirected unless told otherwise: ``A + Aᵀ``, with self-loops counted once. The number
    of entries M of the adjacency matrix is the same for both: a directed graph has M arcs, an undirected one has M / 2
    pairs, each from both ends. That is how the paper counts: its mean degree of 1,049 is M / N.

    Parameters
    ----------
    scale : float
        Between 0.002 and 10. N and M are in proportion to it, so that the mean degree stays, down to a scale of about
        0.05; below, rows become shorter, because a node cites at most a third of what there is to cite. Years, fields
        and the shares above do not change; the fewer nodes there are, the larger are the weights.
    path : path that ends in ``.r2g``
        Where the graph goes: 2 GiB at ``scale=1``, twice that if directed, and while it is drawn as much again. A graph
        that was drawn there with the same arguments is opened, not drawn again.
    seed : int
        The same seed gives the same bits at any number of threads.
    directed : bool
        Whether arcs from citing to cited nodes are kept as such.
    overwrite : bool
        Whether another graph at ``path`` is replaced.
    n_jobs : int, optional
        Threads; all cores by default.
    progress : callable, optional

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> journals = journal_citations(0.002, f"{folder.name}/journals.r2g")
    >>> journals.graph.n_nodes, journals.year.min(), journals.year.max()
    (486, np.int64(1900), np.int64(2019))
    >>> folder.cleanup()
    """
    origin = {
        "dataset": "journal_citations",
        "generator": _GENERATOR,
        "scale": check_real("scale", scale, minimum=0.002, maximum=10.0),
        "seed": check_integer("seed", seed, minimum=0),
        "directed": bool(directed),
    }
    target = Path(path)
    present = origin_of(target) if is_on_disk(target) else None
    if present is not None and present != origin and not overwrite:
        raise InvalidParameterError(
            f"{target} holds another graph ({present or 'of unknown origin'}); "
            "say overwrite=True to replace it, or give another path."
        )
    if overwrite or present is None:
        with graph_folder(target, overwrite=overwrite) as folder, thread_limit(n_jobs):
            world = _World(float(scale), seed)
            _write(world, folder, origin, progress)
    graph = read_graph(target)
    return JournalCitations(graph, **{name: graph.node_attributes[name] for name in _ATTRIBUTES})


def _write(world: "_World", folder: Path, origin: dict[str, Any], progress: ProgressCallback | None) -> None:
    n_nodes, directed = world.n_nodes, origin["directed"]
    entries = N_ENTRIES * origin["scale"] / (1.0 if directed else 2.0 - _CITED_BACK)
    writer = GraphWriter(folder, n_nodes, directed=directed)
    if directed:
        for rows in world.citations(entries, progress):
            writer.append(rows)
    else:
        cited = np.zeros(n_nodes, dtype=np.int64)
        arcs, reverse = RowFiles(folder, n_nodes, "arcs_"), RowFiles(folder, n_nodes, "reverse_arcs_")
        for rows in world.citations(entries, progress):
            arcs.append(rows)
            cited += np.bincount(rows.columns, minlength=n_nodes)
        matrix = arcs.finish()
        write_transposed(matrix, cited, reverse)
        stage = Stage("both directions", n_nodes, progress)
        for rows in symmetrised(matrix, reverse.finish()):
            writer.append(rows)
            stage.advance(len(rows.lengths))
        del matrix
        arcs.remove()
        reverse.remove()
    attributes = {name: getattr(world, name) for name in _ATTRIBUTES}
    attributes["year"] = _YEARS[world.year]
    writer.finish(np.arange(n_nodes), attributes, origin)


class _World:
    """Journals with their fields, sizes and impacts, and the tables that citations are drawn from.

    Nodes are in order of year and journal: node ``first_of_year[t] + j`` is journal j in year t.

    Parameters
    ----------
    scale : float
    seed : int
    """

    def __init__(self, scale: float, seed: int) -> None:
        self.seed = seed
        rng = np.random.default_rng(seed)
        self.n_nodes = round(N_NODES * scale)
        journals = _journals_by_year(self.n_nodes)
        n_journals = int(journals[-1])
        self.first_of_year = np.concatenate([[0], np.cumsum(journals)[:-1]])
        self.year = np.repeat(np.arange(len(_YEARS)), journals)
        self.journal = np.arange(self.n_nodes) - self.first_of_year[self.year]
        popularity = np.sort(rng.dirichlet(np.full(_N_FIELDS, 8.0)))
        field_of_journal = rng.permutation(_N_FIELDS)[rng.choice(_N_FIELDS, n_journals, p=popularity)]
        self.field = field_of_journal[self.journal]
        self.size = np.exp(_SIZE_SPREAD * rng.standard_normal(n_journals))[self.journal]
        self.impact = np.exp(_IMPACT_SPREAD * self._drifting(rng, n_journals))

    def _drifting(self, rng: np.random.Generator, n_journals: int) -> NDArray[np.float64]:
        """Return a standard normal number for each node that changes slowly from year to year (autoregression)."""
        value = rng.standard_normal(n_journals)
        values = np.empty(self.n_nodes)
        ends = np.append(self.first_of_year[1:], self.n_nodes)
        for first, end in zip(self.first_of_year, ends, strict=True):
            values[first:end] = value[: end - first]
            value = _IMPACT_MEMORY * value + np.sqrt(1 - _IMPACT_MEMORY**2) * rng.standard_normal(n_journals)
        return values

    def citations(self, n_entries: float, progress: ProgressCallback | None) -> Iterator[Rows]:
        """Yield the rows of the citations, citing to cited, about ``n_entries`` in all."""
        degrees = self._out_degrees(n_entries)
        nodes = (self.journal, self.year, self.field, self.first_of_year)
        groups = self._groups()
        stage = Stage("citations", self.n_nodes, progress)
        for first, last in row_runs(np.concatenate([[0], np.cumsum(degrees)]), _ENTRIES_AT_ONCE):
            wanted = degrees[first:last]
            columns = np.empty(int(wanted.sum()), dtype=np.int32)
            weights = np.empty(len(columns), dtype=np.float32)
            found = cite(first, wanted, np.uint64(self.seed), nodes, _MIXING, groups, columns, weights)
            if not np.array_equal(found, wanted):
                begin = np.cumsum(wanted) - wanted
                use = np.arange(len(columns)) - np.repeat(begin, wanted) < np.repeat(found, wanted)
                columns, weights = columns[use], weights[use]
            yield Rows(found, columns, weights)
            stage.advance(last - first)

    def _out_degrees(self, n_entries: float) -> NDArray[np.int64]:
        """Return how many nodes each node cites: more in later years and in large journals, ``n_entries`` in all."""
        eligible = np.append(self.first_of_year[1:], self.n_nodes)[self.year]
        most = np.maximum(_DENSEST * eligible, 1.0)
        wish = self.size * np.exp(_REFERENCE_GROWTH * self.year)
        # What rows are cut by goes to the others, as far as they can take it.
        low, high = 0.0, n_entries / wish.min()
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if np.minimum(middle * wish, most).sum() < n_entries else (low, middle)
        return np.asarray(np.maximum(np.rint(np.minimum(high * wish, most)), 1), dtype=np.int64)

    def _groups(self) -> tuple[NDArray[Any], ...]:
        """Return the tables of :func:`cite`: who belongs to which field and year, and how it attracts citations."""
        n_years, everyone = len(_YEARS), np.full(self.n_nodes, _N_FIELDS)
        field = np.concatenate([self.field, everyone])
        year = np.tile(self.year, 2)
        order = np.lexsort((year, field))
        block = (field * n_years + year)[order]
        members = order % self.n_nodes
        attractiveness = (self.size * self.impact)[members]
        sizes = np.bincount(block, minlength=(_N_FIELDS + 1) * n_years)
        ends = np.cumsum(sizes)
        running = np.cumsum(attractiveness)
        before = np.concatenate([[0.0], running])[(ends - sizes)]
        pull = running - before[block]
        total = np.bincount(block, weights=attractiveness, minlength=len(sizes)).reshape(-1, n_years)
        start = np.empty((_N_FIELDS + 1, n_years + 1), dtype=np.int64)
        start[:, :-1] = (ends - sizes).reshape(-1, n_years)
        start[:, -1] = ends.reshape(-1, n_years)[:, -1]
        age = _ageing(np.arange(n_years))
        by_age = np.zeros((_N_FIELDS + 1, n_years, n_years))
        for t in range(n_years):
            by_age[:, t, : t + 1] = np.cumsum(total[:, : t + 1] * age[t::-1], axis=1)
        return _sisters(), by_age, age, members, pull, start


def _journals_by_year(n_nodes: int) -> NDArray[np.int64]:
    """Return how many journals there are each year: growing, at least one, ``n_nodes`` in all."""
    growth = np.exp(_JOURNAL_GROWTH * (_YEARS - _YEARS[0]))
    ideal = 1 + (n_nodes - len(_YEARS)) * growth / growth.sum()
    upto = np.rint(np.cumsum(ideal)).astype(np.int64)
    # Rounding may turn neighbours around.
    return np.asarray(np.sort(np.diff(upto, prepend=0)))


def _ageing(age: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return f(a): how much a citation is attracted by what is a years old."""
    distance = (np.log(age + 1.0) - _AGE_CENTRE) / _AGE_SPREAD
    return np.asarray(np.exp(-(distance**2) / 2) / (age + 1.0))


def _sisters() -> NDArray[np.int64]:
    """Return the other fields of the area of each field."""
    areas = np.arange(_N_FIELDS).reshape(-1, _FIELDS_PER_AREA)
    return np.array([[other for other in area if other != field] for area in areas for field in area])
