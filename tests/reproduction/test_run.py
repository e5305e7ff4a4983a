from dataclasses import replace
from xml.etree import ElementTree

import pytest

from residuum.errors import InvalidParameterError
from residuum.reproduction import TARGETS, reproduce
from residuum.reproduction.targets import links

pytest.importorskip("matplotlib")
PNG = b"\x89PNG"


def recorded(monkeypatch, target):
    """Record every measurement of the target."""
    original, seen = TARGETS[target], []

    def measure(case, run, settings):
        seen.append((case.graph, case.method, run))
        return original.measure(case, run, settings)

    monkeypatch.setitem(TARGETS, target, replace(original, measure=measure))
    return seen


def check(files):
    assert [file.suffix for file in files] == [".csv", ".md", ".png", ".svg"]
    assert files[2].read_bytes().startswith(PNG)
    ElementTree.fromstring(files[3].read_text(encoding="utf-8"))
    return files[0].read_text(encoding="utf-8"), files[1].read_text(encoding="utf-8")


def test_existing_rows_are_not_measured_again(tmp_path, monkeypatch):
    seen = recorded(monkeypatch, "link-prediction")
    options = {"quick": True, "methods": ["NetMF", "degree"]}
    check(reproduce("link-prediction", tmp_path, runs=1, **options))
    assert len(seen) == 2
    reproduce("link-prediction", tmp_path, runs=1, **options)
    assert len(seen) == 2
    scores, table = check(reproduce("link-prediction", tmp_path, runs=2, **options))
    assert seen[2:] == [("planted", "NetMF", 1), ("planted", "degree", 1)]
    assert len(scores.splitlines()) == 5
    assert "2 runs, quick: not for comparison" in table
    assert "| NetMF |" in table


def test_a_failed_run_keeps_measured_rows(tmp_path, monkeypatch):
    def fail(method, *rest):
        if method == "degree":
            raise KeyboardInterrupt
        return fit(method, *rest)

    fit = links.fit
    monkeypatch.setattr(links, "fit", fail)
    with pytest.raises(KeyboardInterrupt):
        reproduce("link-prediction", tmp_path, runs=1, quick=True, methods=["NetMF", "degree"])
    assert len((tmp_path / "link-prediction.quick.csv").read_text().splitlines()) == 2


def test_communities_are_recovered_below_the_limit_only(tmp_path):
    graphs = [f"planted groups, μ = {mixing}" for mixing in (0.1, 0.9)]
    scores, table = check(
        reproduce("communities", tmp_path, runs=1, quick=True, graphs=graphs, methods=["residual2vec"])
    )
    easy, hard = (float(line.rsplit(",", 4)[1]) for line in scores.splitlines()[1:])
    assert easy > 0.95
    assert hard < 0.7
    assert "detectability limit" in table


def test_the_block_approximation_correlates_and_table_1_has_sizes(tmp_path):
    scores, _ = check(reproduce("block-approximation", tmp_path, runs=1, quick=True))
    assert all(0.8 < float(line.split(",")[3]) <= 1 for line in scores.splitlines()[1:])
    _, table = check(reproduce("table-1", tmp_path, runs=5, quick=True))
    assert "| planted | 300 |" in table


@pytest.mark.data
def test_table_1_matches_the_paper(tmp_path, real_graphs):
    assert "wiki-vote" in real_graphs
    _, table = check(reproduce("table-1", tmp_path, graphs=["wiki-vote"]))
    line = next(line for line in table.splitlines() if line.startswith("| wiki-vote"))
    assert line == "| wiki-vote | 7,066 (7,066) | 100,736 (100,736) | -0.083 (-0.080) | 1,065 (1,065) | 0.142 (0.142) |"


def test_unknown_names_and_files_as_output_are_refused(tmp_path):
    with pytest.raises(InvalidParameterError, match="target must be one of"):
        reproduce("figure-9", tmp_path)
    with pytest.raises(InvalidParameterError, match="graphs must be among"):
        reproduce("table-1", tmp_path, graphs=["nowhere"])
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidParameterError, match=r"output must be a folder; .*file is a file"):
        reproduce("table-1", tmp_path / "file")
