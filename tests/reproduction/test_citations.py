import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.reproduction.citations import citation_graphs, load_citations
from residuum.reproduction.target import Settings


def test_generated_journals_have_fields_years_and_impacts(tmp_path):
    for name in ("journals 0.002", "journals 0.002, directed"):
        journals = load_citations(name, tmp_path)
        assert journals.graph.directed == name.endswith("directed")
        np.testing.assert_array_equal(journals.year, journals.graph.node_attributes["year"])
        np.testing.assert_allclose(np.exp(journals.impact), journals.graph.node_attributes["impact"])
        assert len(journals.field) == journals.graph.n_nodes
        assert len(journals.unit) == journals.graph.n_nodes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journals-0.002-directed.r2g", "journals-0.002.r2g"]


def test_graphs_are_selected_by_name(tmp_path):
    assert citation_graphs(Settings(tmp_path))[2:4] == ["acl-cite", "acl-cite, directed"]
    assert citation_graphs(Settings(tmp_path, quick=True)) == ["journals 0.01", "journals 0.01, directed"]
    assert citation_graphs(Settings(tmp_path, graphs=("cit-hepth",))) == ["cit-hepth"]
    with pytest.raises(InvalidParameterError, match=r"graphs must be among 'journals 0.002'.*got 'wos'"):
        citation_graphs(Settings(tmp_path, graphs=("wos",)))


def test_papers_have_venues_and_citations_per_year(tmp_path, real_graphs):
    assert "acl-cite" in real_graphs
    papers = load_citations("acl-cite", tmp_path)
    arcs = datasets.load("acl-cite", directed=True)
    paper = int(np.argmax(arcs.in_strength))
    age = papers.year.max() - papers.year[paper] + 1
    assert papers.impact[paper] == pytest.approx(np.log1p(arcs.in_strength[paper] / age))
    assert papers.field[paper] == str(arcs.node_attributes["acl_id"][paper])[0]
    assert papers.unit is None
    assert not papers.graph.directed
    assert load_citations("acl-cite, directed", tmp_path).graph.directed
