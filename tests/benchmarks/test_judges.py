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
        measures = dict.fromkeys((measure for _, _, measure, _ in given), np.nan)
        found = {}
        for graph, method, measure, values in given:
            for run, value in enumerate(values):
                if value is not None:
                    found.setdefault((graph, method, run), dict(measures))[measure] = value
        made.rows = [Row(*key, values) for key, values in found.items()]
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
    assert lines[0] == "a: r2v-config 0.883, NetMF 0.907, difference -0.0233 [-0.0300, -0.0167] (NetMF above it)"
    # Over splits of its own a rival's mean may be higher although ours wins where both were run.
    late = ("a", "NetMF", UNIFORM, [0.94, 0.84, None, 0.99])
    assert judges.ours_lead(scores(ours, late, ("a", "GCN", UNIFORM, [0.9, 0.8, 0.8])), UNIFORM)[0] == "holds"


def test_one_split_tells_nothing_apart(judges, scores):
    outcome, lines = judges.ours_lead(
        scores(("a", "r2v-config", UNIFORM, [0.9]), ("a", "GCN", UNIFORM, [0.91])), UNIFORM
    )
    assert outcome == "not measured"
    assert lines == ["a: GCN: not told apart from r2v-config, fewer than two runs in common"]


def test_a_run_without_a_number_does_not_take_a_rival_away(judges, scores):
    ours, netmf = ("a", "r2v-config", UNIFORM, [0.8, 0.81, 0.8]), ("a", "NetMF", UNIFORM, [0.7] * 3)
    found = scores(ours, ("a", "GCN", UNIFORM, [0.9, 0.91, np.nan]), netmf)
    assert found.mean("a", "GCN", UNIFORM) == pytest.approx(0.905)
    outcome, lines = judges.ours_lead(found, UNIFORM)
    assert outcome == "does not hold"
    assert lines[0].endswith("(GCN above it)")


def test_a_rival_that_cannot_be_judged_leaves_the_claim_in_part(judges, scores):
    ours, netmf = ("a", "r2v-config", UNIFORM, [0.8, 0.81, 0.8]), ("a", "NetMF", UNIFORM, [0.7] * 3)
    assert judges.ours_lead(scores(ours, netmf), UNIFORM)[0] == "holds"
    outcome, lines = judges.ours_lead(scores(ours, netmf, ("a", "GCN", UNIFORM, [0.9])), UNIFORM)
    assert outcome == "holds in part"
    assert lines[-1] == "a: GCN: not told apart from r2v-config, fewer than two runs in common"
    apart = ("a", "GCN", UNIFORM, [None, None, None, 0.9])
    outcome, lines = judges.best_or_nearly(scores(ours, netmf, apart), UNIFORM, "r2v-config")
    assert outcome == "holds in part"
    assert lines[-1] == "a: GCN: not told apart from r2v-config, no run in common"
    outcome, lines = judges.best_or_nearly(scores(ours, apart), UNIFORM, "r2v-config")
    assert (outcome, len(lines)) == ("not measured", 1)


def test_one_run_on_full_walks_does_not_hide_five_on_short_ones(judges, scores):
    found = scores(
        ("a", "r2v-config", UNIFORM, [0.8] * 5),
        ("a", "DeepWalk", UNIFORM, [0.7]),
        ("a", "DeepWalk, short walks", UNIFORM, [0.9] * 5),
    )
    assert found.mean("a", "DeepWalk", UNIFORM) == pytest.approx(0.9)
    assert judges.ours_lead(found, UNIFORM)[0] == "does not hold"
    assert judges.above_walkers(found, UNIFORM, "r2v-config")[0] == "does not hold"


def test_of_as_many_runs_those_on_full_walks_are_taken(scores):
    found = scores(
        ("a", "r2v-config", UNIFORM, [0.8] * 2),
        ("a", "DeepWalk, short walks", UNIFORM, [0.9] * 2),
        ("a", "DeepWalk", UNIFORM, [0.7] * 2),
    )
    assert found.contest(("a", "r2v-config"), ("a", "DeepWalk"), UNIFORM).other == [0.7] * 2


def test_a_setting_of_ours_is_no_rival_of_another(judges, scores):
    judged = ("a", judges.PUBLISHED, UNIFORM, [0.8, 0.8, 0.8])
    chosen = ("a", "r2v-config, chosen", UNIFORM, [0.95] * 3)
    assert judges.best_or_nearly(scores(judged, chosen), UNIFORM, judges.PUBLISHED)[0] == "not measured"
    near = scores(judged, chosen, ("a", "NetMF", UNIFORM, [0.805] * 3))
    assert judges.best_or_nearly(near, UNIFORM, judges.PUBLISHED)[0] == "holds"
    far = scores(judged, chosen, ("a", "NetMF", UNIFORM, [0.82] * 3))
    assert judges.best_or_nearly(far, UNIFORM, judges.PUBLISHED)[0] == "does not hold"


def test_nearly_the_best_is_judged_over_the_runs_in_common(judges, scores):
    judged = ("a", judges.PUBLISHED, UNIFORM, [0.9, 0.7, 0.7])
    # On its one easy split NetMF has 0.89, above the mean of ours but below ours there.
    assert judges.best_or_nearly(scores(judged, ("a", "NetMF", UNIFORM, [0.89])), UNIFORM, judges.PUBLISHED) == (
        "holds",
        ["a: r2v-config, as published 0.900, NetMF 0.890, difference +0.0100 (one run)"],
    )


def test_nothing_told_is_not_ranked_by_how_far_it_is_below_zero(judges, scores):
    def outcome(laplacian, gcn):
        rows = ((graph, method, "R², degree", [value] * 2) for graph, method, value in (("a", *laplacian), ("a", *gcn)))
        years = (("a", method, "R², year", [0.0] * 2) for method in ("Laplacian eigenmap", "GCN"))
        return judges.laplacian_is_least_biased(scores(*rows, *years))[0]

    assert outcome(("Laplacian eigenmap", -0.0001), ("GCN", -0.009)) == "holds"
    assert outcome(("Laplacian eigenmap", 0.0009), ("GCN", -0.009)) == "holds"
    assert outcome(("Laplacian eigenmap", 0.012), ("GCN", 0.01)) == "holds in part"


def test_a_place_is_lost_to_a_rival_that_is_told_apart_only(judges, scores):
    def place(*rivals):
        rows = [(LITTLE_MIXING, name, "AUC", values) for name, values in rivals]
        return judges.communities_rank(
            scores((LITTLE_MIXING, "r2v-config", "AUC", [0.8, 0.8, 0.8]), *rows), "LFR, τ = 3", "r2v-config"
        )

    noise, above = [0.9, 0.7, 0.82], [0.85, 0.86, 0.85]
    assert place(("NetMF", noise), ("GCN", noise)) == ("holds", ["μ = 0.05: 0.800, place 1 of 3"])
    assert place(("NetMF", above), ("GCN", noise)) == ("holds", ["μ = 0.05: 0.800, place 2 of 3"])
    assert place(("NetMF", above), ("GCN", above)) == ("does not hold", ["μ = 0.05: 0.800, place 3 of 3"])
    # What differs in the fourth digit only is no higher place, however sure.
    assert place(("NetMF", above), ("GCN", [0.8005] * 3))[0] == "holds"
    assert place(("NetMF", above), ("GCN", [0.7]))[1] == ["μ = 0.05: 0.800, place 2 of 3 (one run: GCN)"]


def test_there_are_no_places_at_chance(judges, scores):
    rows = [("LFR, τ = 3, μ = 1", name, "AUC", [0.505] * 3) for name in ("NetMF", "GCN")]
    found = scores(("LFR, τ = 3, μ = 1", "r2v-config", "AUC", [0.49] * 3), *rows)
    left_out = ["μ = 1: left out, no method is above chance"]
    assert judges.communities_rank(found, "LFR, τ = 3", "r2v-config") == ("not measured", left_out)


def test_the_year_is_less_told_only_if_runs_say_so(judges, scores):
    def outcome(config, blocks):
        return judges.less_of_the_year(
            scores(("a", "r2v-config", "R², year", config), ("a", "r2v-dcSBM", "R², year", blocks))
        )

    assert outcome([0.2, 0.21, 0.22], [0.1, 0.11, 0.12])[0] == "holds"
    # The mean is lower, but not by what the runs tell.
    assert outcome([0.2, 0.1, 0.3], [0.1, 0.2, 0.2])[0] == "does not hold"
    assert outcome([0.2], [0.1]) == ("holds", ["a: r2v-config 0.200, r2v-dcSBM 0.100, difference +0.1000 (one run)"])


def test_walkers_are_below_only_if_runs_say_so(judges, scores):
    ours = ("a", "r2v-config", UNIFORM, [0.8, 0.7, 0.9])
    clear = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7, 0.6, 0.8]))
    assert judges.above_walkers(clear, UNIFORM, "r2v-config")[0] == "holds"
    noise = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7, 0.8, 0.8]))
    assert judges.above_walkers(noise, UNIFORM, "r2v-config")[0] == "does not hold"
    once = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7]))
    assert judges.above_walkers(once, UNIFORM, "r2v-config")[1][0].endswith("+0.1000 (one run)")


def test_directed_is_worse_only_if_runs_say_so(judges, scores):
    def outcome(undirected, directed):
        measures = ("field, micro-F1, k = 10", "impact, R², k = 10")
        rows = [
            (graph, "GCN", measure, values)
            for graph, values in (("a", undirected), ("a, directed", directed))
            for measure in measures
        ]
        return judges.worse_when_directed(scores(*rows))

    assert outcome([0.8, 0.9], [0.7, 0.8])[0] == "holds"
    assert outcome([0.8, 0.9, 0.8], [0.7, 0.95, 0.75])[0] == "does not hold"
    assert outcome([0.8, 0.9], [0.7, None])[0] == "holds"
    once = "a, field, micro-F1, k = 10: worse for 1 of 1 methods (one run: 1 of them)"
    assert outcome([0.8], [0.7])[1][0] == once


def test_a_method_is_compared_with_itself_on_walks_of_the_same_length(judges, scores):
    measures = ("field, micro-F1, k = 10", "impact, R², k = 10")
    full = [("a", "DeepWalk", measure, [0.9] * 3) for measure in measures]
    short = [("a, directed", "DeepWalk, short walks", measure, [0.8] * 3) for measure in measures]
    assert judges.worse_when_directed(scores(*full, *short)) == ("not measured", [])
    same = [("a", "DeepWalk, short walks", measure, [0.7]) for measure in measures]
    assert judges.worse_when_directed(scores(*full, *short, *same))[0] == "does not hold"


def test_vectors_add_to_the_offset_only_if_runs_say_so(judges, scores):
    def outcome(degree, full):
        rows = (("a", "degree", "AUC, paper", degree), ("a", judges.PUBLISHED, "AUC, paper", full))
        return judges.offset_helps(scores(*rows))[0]

    assert outcome([0.8, 0.8, 0.8], [0.9, 0.91, 0.9]) == "holds"
    assert outcome([0.8, 0.8, 0.8], [0.9, 0.7, 0.85]) == "does not hold"
    # An offset that tells little is no strong predictor.
    assert outcome([0.6, 0.6, 0.6], [0.9, 0.91, 0.9]) == "does not hold"


def test_every_number_of_neighbours_is_judged(judges, scores):
    def outcome(theirs):
        rows = [
            ("a", name, f"field, micro-F1, k = {k}", values)
            for k, rival in theirs.items()
            for name, values in (("r2v-config", [0.8, 0.81]), ("GCN", rival))
        ]
        return judges.predicts(scores(*rows), "field, micro-F1")

    assert outcome({5: [0.7, 0.7], 10: [0.805, 0.815]})[0] == "holds"
    result, lines = outcome({5: [0.9, 0.9], 10: [0.7, 0.7], 20: [0.7, 0.7]})
    assert result == "holds in part"
    assert lines[0] == "a: r2v-config is the best or nearly the best for 2 of 3 k"
    # Its mean is within 0.01, but not so in every run.
    assert outcome({10: [0.78, 0.84]})[0] == "does not hold"
    assert outcome({10: [0.7]})[1][1].endswith("difference +0.1000 (one run)")


def test_reading_scores_leaves_the_file_as_it_is(judges, tmp_path, monkeypatch):
    begun = "graph,method,run,share of core nodes,mean degree\ncore-periphery,each node once,0,0.1,5.5\ncore-per"
    (tmp_path / "figure-1.csv").write_text(begun)
    monkeypatch.setattr(sys.modules["scores"], "RESULTS", tmp_path)
    assert len(judges.Scores("figure-1").rows) == 1
    assert (tmp_path / "figure-1.csv").read_text() == begun
