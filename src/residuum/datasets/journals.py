"""Random journal citation graph, modeled on that of the paper's case study."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.journals import cite
from residuum._progress import ProgressCallback, Stage
from residuum._threads import even_ranges, run_ranges, thread_limit
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, read_graph
from residuum.graph.disk.folder import is_on_disk, origin_of
from residuum.graph.disk.rows import RowFiles, Rows, row_runs, symmetrized, write_transposed
from residuum.graph.disk.writer import GraphWriter, graph_folder

__all__ = ["N_ENTRIES", "N_NODES", "JournalCitations", "journal_citations"]

# Size of the paper's graph. Entries of the adjacency matrix, not pairs: its mean degree is 1,049.
N_NODES = 242_789
N_ENTRIES = 254_793_567

_ATTRIBUTES = ("journal", "year", "field", "impact")
_YEARS = np.arange(1900, 2020)
_GENERATOR = 2  # version: increased when the same arguments generate a different graph
_N_FIELDS, _FIELDS_PER_AREA = 20, 4
# Growth rates per year of the number of journals, and of the number of journal-years that a journal cites.
_JOURNAL_GROWTH, _REFERENCE_GROWTH = 0.045, 0.02
# Fractions of citations to the journal itself, its field and the other fields of its area; the rest go to any journal.
_MIXING = np.array([0.08, 0.67, 0.15])
# Aging is exp(−(ln(a + 1) − μ)² / 2σ²) / (a + 1): most citations go to the last few years.
_AGE_CENTER, _AGE_SPREAD = np.log(5.0), 0.9
# Standard deviations of ln size and ln impact, and autocorrelation of ln impact over one year.
_SIZE_SPREAD, _IMPACT_SPREAD, _IMPACT_MEMORY = 0.8, 1.0, 0.97
# Maximum fraction of the existing nodes that a node cites.
_DENSEST = 1 / 3
# Fraction of citations that are reciprocated (in the same year) and share a pair; measured at scale 1.
_CITED_BACK = 0.022
_ENTRIES_AT_ONCE = 8 << 20


@dataclass(frozen=True)
class JournalCitations:
    """A generated citation graph with its planted node attributes.

    Attributes
    ----------
    graph : Graph
        Memory-mapped graph; the arrays below are also its node attributes.
    journal, year, field : int arrays of shape (N,)
        Journal, year and field of each node.
    impact : float array of shape (N,)
        Attractiveness of the journal's papers in that year; the median is 1.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> journals = journal_citations(0.002, f"{folder.name}/journals.r2g")
    >>> journals.graph.n_nodes, sorted(journals.graph.node_attributes)
    (486, ['field', 'impact', 'journal', 'year'])
    >>> folder.cleanup()
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
    """Generate a citation graph of (journal, year) pairs, 1900 to 2019, on disk.

    The graph replaces the Web of Science graph of the paper's case study, which is not public. At ``scale=1`` it has
    the same number of nodes (242,789) and of entries of the adjacency matrix (254,793,567, a mean degree of 1,049).

    The number of journals grows exponentially and none disappears; the number of journal-years that each cites grows
    exponentially, too. A node (j, t) samples citations until it cites a fixed number of distinct nodes; the weight of
    an edge is the number of times that it was sampled, at least 1. A citation goes

    - with probability 0.08 to the same or an earlier year of the journal itself,
    - with probability 0.67 to a journal of its field (one of 20), and 0.15 to another field of its area (one of 5),
    - otherwise to any journal.

    In all but the first case the probability of node (j', t') is proportional to ``size_j' · impact_j't' · f(t − t')``.
    Sizes and impacts are log-normal, and impacts change slowly from year to year. The aging f is log-normal, with most
    citations going to the last ten years. The null model :class:`~residuum.nulls.Temporal` therefore explains growth
    and aging, and the fields remain.

    As in the paper, the graph is undirected by default: ``A + Aᵀ``, with self-loops counted once. The number M of
    entries of the adjacency matrix is the same in both cases: M arcs in a directed graph, M / 2 pairs in an undirected
    one, each stored twice. The paper counts in the same way: its mean degree of 1,049 is M / N.

    Parameters
    ----------
    scale : float
        Size relative to the paper's graph, between 0.002 and 10. N and M are proportional to it, at a constant mean
        degree, down to about 0.05. Below, the mean degree decreases, because a node cites at most a third of the
        existing nodes. Years, fields and the probabilities above do not change; weights are larger in smaller graphs.
    path : path that ends in ``.r2g``
        Folder of the graph: 2 GiB at ``scale=1``, twice that if directed, and as much again while it is generated. If
        it contains the graph of the same arguments, the graph is opened and not generated again.
    seed : int
        Seed of the graph; the same seed gives the same graph at any number of threads.
    directed : bool
        Whether to keep the direction of arcs, from citing to cited nodes.
    overwrite : bool
        Whether to replace a graph at ``path``.
    n_jobs : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a progress event after each chunk of rows.

    Returns
    -------
    JournalCitations
        The graph, memory-mapped, and its planted node attributes.

    Raises
    ------
    InvalidParameterError
        If ``path`` contains a different graph and ``overwrite`` is False.

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
            f"{target} contains a different graph ({present or 'of unknown origin'}); "
            "use overwrite=True to replace it, or another path."
        )
    if overwrite or present is None:
        with graph_folder(target, overwrite=overwrite) as folder, thread_limit(n_jobs):
            _write(_Journals(float(scale), seed), folder, origin, progress)
    graph = read_graph(target)
    return JournalCitations(graph, **{name: graph.node_attributes[name] for name in _ATTRIBUTES})


def _write(journals: "_Journals", folder: Path, origin: dict[str, Any], progress: ProgressCallback | None) -> None:
    n_nodes, directed = journals.n_nodes, origin["directed"]
    entries = N_ENTRIES * origin["scale"] / (1.0 if directed else 2.0 - _CITED_BACK)
    writer = GraphWriter(folder, n_nodes, directed=directed)
    if directed:
        for rows in journals.citations(entries, progress):
            writer.append(rows)
    else:
        cited = np.zeros(n_nodes, dtype=np.int64)
        arcs, reverse = RowFiles(folder, n_nodes, "arcs_"), RowFiles(folder, n_nodes, "reverse_arcs_")
        for rows in journals.citations(entries, progress):
            arcs.append(rows)
            cited += np.bincount(rows.columns, minlength=n_nodes)
        matrix = arcs.finish()
        write_transposed(matrix, cited, reverse)
        stage = Stage("both directions", n_nodes, progress)
        for rows in symmetrized(matrix, reverse.finish()):
            writer.append(rows)
            stage.advance(len(rows.lengths))
        del matrix
        arcs.remove()
        reverse.remove()
    attributes = {name: getattr(journals, name) for name in _ATTRIBUTES}
    attributes["year"] = _YEARS[journals.year]
    writer.finish(np.arange(n_nodes), attributes, origin)


class _Journals:
    """Journals with fields, sizes and impacts, from which citations are sampled.

    Nodes are sorted by year and journal: node ``first_of_year[t] + j`` is journal j in year t.

    Parameters
    ----------
    scale : float
        Number of nodes, relative to the paper's graph.
    seed : int
        Seed of the attributes and citations.
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
        self.impact = np.exp(_IMPACT_SPREAD * self._autoregression(rng, n_journals))

    def _autoregression(self, rng: np.random.Generator, n_journals: int) -> NDArray[np.float64]:
        """Return a standard normal number for each node, which changes slowly from year to year."""
        value = rng.standard_normal(n_journals)
        values = np.empty(self.n_nodes)
        ends = np.append(self.first_of_year[1:], self.n_nodes)
        for first, end in zip(self.first_of_year, ends, strict=True):
            values[first:end] = value[: end - first]
            value = _IMPACT_MEMORY * value + np.sqrt(1 - _IMPACT_MEMORY**2) * rng.standard_normal(n_journals)
        return values

    def citations(self, n_entries: float, progress: ProgressCallback | None) -> Iterator[Rows]:
        """Yield chunks of rows of the citation matrix (citing by cited), with about ``n_entries`` entries in total."""
        degrees = self._out_degrees(n_entries)
        nodes = (self.journal, self.year, self.field, self.first_of_year)
        groups = self._groups()
        stage = Stage("citations", self.n_nodes, progress)
        for first, last in row_runs(np.concatenate([[0], np.cumsum(degrees)]), _ENTRIES_AT_ONCE):
            requested = degrees[first:last]
            columns = np.empty(int(requested.sum()), dtype=np.int32)
            weights = np.empty(len(columns), dtype=np.float32)
            offsets, lengths = np.concatenate([[0], np.cumsum(requested)]), np.zeros(len(requested), dtype=np.int64)
            arrays = nodes, _MIXING, groups, columns, weights, lengths
            rows = partial(cite, first, requested, offsets, np.uint64(self.seed), *arrays)
            run_ranges(rows, even_ranges(len(requested), len(columns)))
            if not np.array_equal(lengths, requested):
                begin = np.cumsum(requested) - requested
                filled = np.arange(len(columns)) - np.repeat(begin, requested) < np.repeat(lengths, requested)
                columns, weights = columns[filled], weights[filled]
            yield Rows(lengths, columns, weights)
            stage.advance(last - first)

    def _out_degrees(self, n_entries: float) -> NDArray[np.int64]:
        """Return the number of nodes that each node cites: proportional to size and growing, ``n_entries`` in total."""
        eligible = np.append(self.first_of_year[1:], self.n_nodes)[self.year]
        limit = np.maximum(_DENSEST * eligible, 1.0)
        relative = self.size * np.exp(_REFERENCE_GROWTH * self.year)
        # Bisection for the factor at which the rows, cut at their limits, have n_entries in total.
        low, high = 0.0, n_entries / relative.min()
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if np.minimum(middle * relative, limit).sum() < n_entries else (low, middle)
        return np.asarray(np.maximum(np.rint(np.minimum(high * relative, limit)), 1), dtype=np.int64)

    def _groups(self) -> tuple[NDArray[Any], ...]:
        """Return the ``groups`` of :func:`cite`: the nodes of each field and year, and their attractiveness."""
        n_years, all_fields = len(_YEARS), np.full(self.n_nodes, _N_FIELDS)
        field = np.concatenate([self.field, all_fields])
        year = np.tile(self.year, 2)
        order = np.lexsort((year, field))
        group = (field * n_years + year)[order]
        members = order % self.n_nodes
        attractiveness = (self.size * self.impact)[members]
        sizes = np.bincount(group, minlength=(_N_FIELDS + 1) * n_years)
        ends = np.cumsum(sizes)
        running = np.cumsum(attractiveness)
        before = np.concatenate([[0.0], running])[(ends - sizes)]
        pull = running - before[group]
        total = np.bincount(group, weights=attractiveness, minlength=len(sizes)).reshape(-1, n_years)
        start = np.empty((_N_FIELDS + 1, n_years + 1), dtype=np.int64)
        start[:, :-1] = (ends - sizes).reshape(-1, n_years)
        start[:, -1] = ends.reshape(-1, n_years)[:, -1]
        age = _aging(np.arange(n_years))
        by_age = np.zeros((_N_FIELDS + 1, n_years, n_years))
        for t in range(n_years):
            by_age[:, t, : t + 1] = np.cumsum(total[:, : t + 1] * age[t::-1], axis=1)
        return _sister_fields(), by_age, age, members, pull, start


def _journals_by_year(n_nodes: int) -> NDArray[np.int64]:
    """Return the number of journals in each year: growing, at least one, ``n_nodes`` in total."""
    growth = np.exp(_JOURNAL_GROWTH * (_YEARS - _YEARS[0]))
    ideal = 1 + (n_nodes - len(_YEARS)) * growth / growth.sum()
    upto = np.rint(np.cumsum(ideal)).astype(np.int64)
    # Rounding can make a year smaller than the one before; sorting repairs it.
    return np.asarray(np.sort(np.diff(upto, prepend=0)))


def _aging(age: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return f(a), the relative probability of citing a node that is a years old."""
    distance = (np.log(age + 1.0) - _AGE_CENTER) / _AGE_SPREAD
    return np.asarray(np.exp(-(distance**2) / 2) / (age + 1.0))


def _sister_fields() -> NDArray[np.int64]:
    """Return the other fields in the area of each field."""
    areas = np.arange(_N_FIELDS).reshape(-1, _FIELDS_PER_AREA)
    return np.array([[sister for sister in area if sister != field] for area in areas for field in area])
