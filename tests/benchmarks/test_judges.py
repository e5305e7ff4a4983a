"""A verdict is about what was measured; what was not is no reason to say that a claim fails, or that it holds."""

import sys
from pathlib import Path

import numpy as np
import pytest

from residuum.reproduction.network_table import PAPER
from residuum.reproduction.target import Row

UNIFORM = "AUC, uniform"
LITTLE_MIXING = "LFR, τ = 3, μ = 0.05"


@pytest.fixture(scope="module")
def judges():
    folder = str(Path(__file__).parents[2] / "benchmarks" / "paper")
    sys.path.insert(0, folder)
    try:
        import judges
    finally:
        sys.path.remove(folder)
    return judges


@pytest.fixture
def scores(judges):
    """Return scores of rows (graph, method, measure, one value for each run)."""

    def make(*given):
        made = judges.Scores("no such target")
        made.rows = [
            Row(graph, method, run, {measure: value})
            for graph, method, measure, values in given
            for run, value in enumerate(values)
            if value is not None
        ]
        made.graphs = list(dict.fromkeys(row.graph for row in made.rows))
        return made

    return make


def test_what_was_not_run_is_not_judged(judges, scores):
    rivals_only = scores((LITTLE_MIXING, "NetMF", "AUC", [0.9]))
    assert judges.communities_rank(rivals_only, "LFR, τ = 3", "r2v-config") == ("not measured", [])
    assert judges.weak_at_little_mixing(rivals_only) == ("not measured", [])
    assert judges.walkers_prefer_hubs(rivals_only) == ("not measured", [])
    assert judges.less_of_the_year(scores(("a", "r2v-dcSBM", "R², year", [0.1])))[0] == "not measured"
    assert judges.above_published(scores(("polblogs", "degree", UNIFORM, [0.9])), UNIFORM, 1)[0] == "not measured"
    assert (
        judges.above_published(scores(("ppi", "r2v-config, chosen", UNIFORM, [0.9])), UNIFORM, 1)[0] == "not measured"
    )


def test_what_was_run_is_judged(judges, scores):
    both = scores((LITTLE_MIXING, "NetMF", "AUC", [0.9]), (LITTLE_MIXING, "r2v-config", "AUC", [0.95]))
    assert judges.communities_rank(both, "LFR, τ = 3", "r2v-config")[0] == "holds"
    one_form = scores(("a", "one exact step", "correlation", [0.9]), ("b", "automatic", "correlation", [np.nan]))
    assert judges.block_correlation(one_form) == ("holds", ["one exact step: mean 0.900 (a 0.90)"])
    chosen = scores(("polblogs", "r2v-config, chosen", UNIFORM, [0.99]), ("ppi", "degree", UNIFORM, [0.9]))
    assert judges.above_published(chosen, UNIFORM, 1)[0] == "holds"


def test_sizes_are_compared_with_the_paper(judges, scores):
    def rows(graph, **other):
        found = scores((graph, "residuum", "N", [0]))
        found.rows = [Row(graph, "residuum", 0, PAPER[graph] | other)]
        return found

    assert judges.sizes(rows("ppi"))[0] == "holds"
    outcome, lines = judges.sizes(rows("ppi", M=38_000.0))
    assert outcome == "does not hold"
    assert lines[0] == "ppi: M 38000 (paper 37840)"


def test_every_rival_is_compared_over_the_splits_in_common(judges, scores):
    # GCN has the highest mean of its own, over one easy split; NetMF wins on every one.
    ours, netmf = ("a", "r2v-config", UNIFORM, [0.95, 0.85, 0.85]), ("a", "NetMF", UNIFORM, [0.96, 0.88, 0.88])
    outcome, lines = judges.ours_lead(scores(ours, netmf, ("a", "GCN", UNIFORM, [0.93])), UNIFORM)
    assert outcome == "does not hold"
    assert lines[0] == "a: r2v-config 0.883, NetMF 0.907 (NetMF above it)"
    # Over splits of its own a rival's mean may be higher although ours wins where both were run.
    late = ("a", "NetMF", UNIFORM, [0.94, None, None, 0.99])
    assert judges.ours_lead(scores(ours, late, ("a", "GCN", UNIFORM, [0.9, 0.8, 0.8])), UNIFORM)[0] == "holds"


def test_one_split_tells_nothing_apart(judges, scores):
    outcome, lines = judges.ours_lead(
        scores(("a", "r2v-config", UNIFORM, [0.9]), ("a", "GCN", UNIFORM, [0.91])), UNIFORM
    )
    assert outcome == "not measured"
    assert lines == ["a: GCN: not told apart from r2v-config, fewer than two splits in common"]
