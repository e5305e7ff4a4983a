import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import spearmanr

from residuum.datasets import JournalCitations, journal_citations
from residuum.datasets.journals import N_ENTRIES, N_NODES, _Journals
from residuum.errors import InvalidParameterError
from residuum.graph import read_graph, verify_graph

SMALL = 0.004


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("journals")


@pytest.fixture(scope="module")
def directed(folder: Path) -> JournalCitations:
    return journal_citations(0.015, folder / "directed.r2g", directed=True)


@pytest.fixture(scope="module")
def undirected(folder: Path) -> JournalCitations:
    return journal_citations(0.05, folder / "undirected.r2g")


def checksums(path: Path) -> dict[str, str]:
    files = json.loads((path / "header.json").read_text())["files"]
    return {name: record["checksum"] for name, record in files.items()}


def weight_where(journals: JournalCitations, mask: np.ndarray) -> float:
    weights = journals.graph.adjacency.data
    return float(weights[mask].sum(dtype=np.float64) / weights.sum(dtype=np.float64))


def ends(journals: JournalCitations) -> tuple[np.ndarray, np.ndarray]:
    entries = journals.graph.adjacency.tocoo()
    return entries.row, entries.col


def test_nodes_and_entries_are_in_proportion_to_the_scale(undirected: JournalCitations) -> None:
    assert undirected.graph.n_nodes == round(0.05 * N_NODES)
    assert undirected.graph.adjacency.nnz == pytest.approx(0.05 * N_ENTRIES, rel=0.04)


def test_weights_are_counts_and_targets_are_distinct_and_sorted(directed: JournalCitations) -> None:
    matrix = directed.graph.adjacency
    assert matrix.data.min() == 1
    assert np.array_equal(matrix.data, np.rint(matrix.data))
    inside = np.ones(matrix.nnz, dtype=bool)
    inside[matrix.indptr[:-1]] = False
    assert (np.diff(matrix.indices, prepend=-1)[inside] > 0).all()


def test_the_undirected_graph_is_the_symmetrized_citation_matrix(tmp_path: Path) -> None:
    graph = journal_citations(SMALL, tmp_path / "g.r2g").graph
    journals = _Journals(SMALL, 0)
    rows = list(journals.citations(N_ENTRIES * SMALL / (2 - 0.022), None))
    lengths, columns, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    arcs = sparse.csr_array((weights, columns, indptr), shape=(journals.n_nodes, journals.n_nodes))
    expected = arcs + arcs.T - sparse.diags_array(arcs.diagonal())
    assert abs(graph.adjacency - expected).nnz == 0
    assert not graph.directed


def test_no_node_cites_a_later_year(directed: JournalCitations) -> None:
    citing, cited = ends(directed)
    assert (directed.year[citing] >= directed.year[cited]).all()


def test_journals_and_references_grow(directed: JournalCitations) -> None:
    journals = np.bincount(directed.year)[1900:]
    assert len(journals) == 120
    assert (np.diff(journals) >= 0).all()
    assert journals[-1] > 20 * journals[20]
    cited = np.diff(directed.graph.adjacency.indptr)
    by_year = [cited[directed.year == year].mean() for year in (1920, 1950, 1980, 2010)]
    assert (np.diff(by_year) > 0).all()


def test_most_citations_go_to_recent_years(directed: JournalCitations) -> None:
    citing, cited = ends(directed)
    age = directed.year[citing] - directed.year[cited]
    weight = np.bincount(age, weights=directed.graph.adjacency.data)
    assert np.argmax(weight) in {1, 2, 3}
    assert weight[:11].sum() > 0.6 * weight.sum()


def test_citations_follow_the_mixing_probabilities(directed: JournalCitations) -> None:
    citing, cited = ends(directed)
    same_field = directed.field[citing] == directed.field[cited]
    same_area = directed.field[citing] // 4 == directed.field[cited] // 4
    assert weight_where(directed, same_field) == pytest.approx(0.75, abs=0.02)
    assert weight_where(directed, same_area) == pytest.approx(0.92, abs=0.02)


def test_impact_attracts_citations(directed: JournalCitations) -> None:
    recent = directed.year == 2005
    assert spearmanr(directed.graph.in_strength[recent], directed.impact[recent]).statistic > 0.5


def test_impact_of_a_journal_changes_slowly(directed: JournalCitations) -> None:
    before, after = (np.log(directed.impact[directed.year == year]) for year in (2018, 2019))
    assert np.corrcoef(before, after[: len(before)])[0, 1] > 0.9


def test_planted_attributes_are_stored_with_the_graph(directed: JournalCitations, folder: Path) -> None:
    graph = verify_graph(folder / "directed.r2g")
    for name in ("journal", "year", "field", "impact"):
        assert np.array_equal(graph.node_attributes[name], getattr(directed, name))


def test_the_same_seed_gives_the_same_bits_at_any_number_of_threads(tmp_path: Path) -> None:
    one, two, other = (tmp_path / f"{name}.r2g" for name in ("one", "two", "other"))
    journal_citations(SMALL, one, seed=3, n_jobs=1)
    journal_citations(SMALL, two, seed=3, n_jobs=2)
    journal_citations(SMALL, other, seed=4)
    assert checksums(one) == checksums(two)
    assert checksums(one)["indices.npy"] != checksums(other)["indices.npy"]


def test_an_existing_graph_is_opened_only_if_its_arguments_match(tmp_path: Path) -> None:
    path = tmp_path / "g.r2g"
    journal_citations(SMALL, path)
    generated = (path / "header.json").stat().st_mtime_ns
    journal_citations(SMALL, path)
    assert (path / "header.json").stat().st_mtime_ns == generated
    with pytest.raises(InvalidParameterError, match=r"g\.r2g contains a different graph .*'seed': 0.*overwrite=True"):
        journal_citations(SMALL, path, seed=1)
    journal_citations(SMALL, path, seed=1, overwrite=True)
    assert (path / "header.json").stat().st_mtime_ns != generated
    assert list(tmp_path.iterdir()) == [path]


def test_the_folder_contains_only_the_files_of_a_graph(tmp_path: Path) -> None:
    journal_citations(SMALL, tmp_path / "g.r2g")
    names = {file.name for file in (tmp_path / "g.r2g").iterdir()}
    assert names == {"header.json", "indptr.npy", "indices.npy", "weights.npy", "out_strength.npy", "nodes.parquet"}
    assert read_graph(tmp_path / "g.r2g").node_ids.tolist() == list(range(round(SMALL * N_NODES)))


@pytest.mark.parametrize(("scale", "seed"), [(0.001, 0), (11, 0), ("big", 0), (SMALL, -1)])
def test_invalid_parameters_are_rejected(tmp_path: Path, scale: float, seed: int) -> None:
    with pytest.raises(InvalidParameterError, match=r"scale must be a finite number between|seed must be at least 0"):
        journal_citations(scale, tmp_path / "g.r2g", seed)
