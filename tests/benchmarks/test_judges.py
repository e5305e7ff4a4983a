"""Verdicts follow from measurements; a missing measurement neither supports nor refutes a claim."""

import sys
from pathlib import Path

import numpy as np
import pytest

from residuum.reproduction.target import Row
from residuum.reproduction.targets.network_table import PAPER

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
    """Return a function that builds scores from tuples (graph, method, measure, values by run)."""

    def make(*entries):
        built = judges.Scores("no such target")
        measures = dict.fromkeys((measure for _, _, measure, _ in entries), np.nan)
        rows = {}
        for graph, method, measure, values in entries:
            for run, value in enumerate(values):
                if value is not None:
                    rows.setdefault((graph, method, run), dict(measures))[measure] = value
        built.rows = [Row(*key, values) for key, values in rows.items()]
        built.graphs = list(dict.fromkeys(row.graph for row in built.rows))
        return built

    return make


def test_missing_methods_are_not_judged(judges, scores):
    rivals_only = scores((LITTLE_MIXING, "NetMF", "AUC", [0.9]))
    assert judges.communities_rank(rivals_only, "LFR, τ = 3", "residual2vec") == ("not measured", [])
    assert judges.weak_at_little_mixing(rivals_only) == ("not measured", [])
    assert judges.walkers_prefer_hubs(rivals_only) == ("not measured", [])
    assert judges.less_of_the_year(scores(("a", "residual2vec, dcSBM", "R², year", [0.1])))[0] == "not measured"
    assert judges.above_published(scores(("polblogs", "degree", UNIFORM, [0.9])), UNIFORM, 1)[0] == "not measured"
    assert (
        judges.above_published(scores(("ppi", "residual2vec, tuned", UNIFORM, [0.9])), UNIFORM, 1)[0] == "not measured"
    )


def test_measured_methods_are_judged(judges, scores):
    both = scores((LITTLE_MIXING, "NetMF", "AUC", [0.9] * 2), (LITTLE_MIXING, "residual2vec", "AUC", [0.95] * 2))
    assert judges.communities_rank(both, "LFR, τ = 3", "residual2vec")[0] == "holds"
    one_form = scores(("a", "one exact step", "correlation", [0.9]), ("b", "automatic", "correlation", [np.nan]))
    assert judges.block_correlation(one_form) == ("holds", ["one exact step: mean 0.900 (a 0.90)"])
    chosen = scores(("polblogs", "residual2vec, tuned", UNIFORM, [0.99] * 2), ("ppi", "degree", UNIFORM, [0.9]))
    assert judges.above_published(chosen, UNIFORM, 1)[0] == "holds"


def test_sizes_are_compared_with_the_paper(judges, scores):
    def rows(graph, **changed):
        table = scores((graph, "residuum", "N", [0]))
        table.rows = [Row(graph, "residuum", 0, PAPER[graph] | changed)]
        return table

    assert judges.sizes(rows("ppi"))[0] == "holds"
    outcome, lines = judges.sizes(rows("ppi", M=38_000.0))
    assert outcome == "does not hold"
    assert lines[0] == "ppi: M 38000 (paper 37840)"


def test_every_rival_is_compared_on_shared_splits(judges, scores):
    # GCN has the highest mean, on one easy split; NetMF wins on every split.
    ours, netmf = ("a", "residual2vec", UNIFORM, [0.95, 0.85, 0.85]), ("a", "NetMF", UNIFORM, [0.96, 0.88, 0.88])
    outcome, lines = judges.ours_lead(scores(ours, netmf, ("a", "GCN", UNIFORM, [0.93])), UNIFORM)
    assert outcome == "does not hold"
    assert lines[0] == "a: residual2vec 0.883, NetMF 0.907, difference -0.0233 [-0.0428, -0.0039] (above: NetMF)"
    # The rival's mean over all its splits is higher, but ours wins on the shared ones.
    late = ("a", "NetMF", UNIFORM, [0.94, 0.84, None, 0.99])
    assert judges.ours_lead(scores(ours, late, ("a", "GCN", UNIFORM, [0.9, 0.8, 0.8])), UNIFORM)[0] == "holds"


def test_n7_one_split_is_not_enough_for_a_comparison(judges, scores):
    outcome, lines = judges.ours_lead(
        scores(("a", "residual2vec", UNIFORM, [0.9]), ("a", "GCN", UNIFORM, [0.91])), UNIFORM
    )
    assert outcome == "not enough runs"
    assert lines == ["a: GCN: not compared with residual2vec, fewer than 2 runs in common"]


def test_a_rival_with_a_missing_value_is_compared_on_other_runs(judges, scores):
    ours, netmf = ("a", "residual2vec", UNIFORM, [0.8, 0.81, 0.8]), ("a", "NetMF", UNIFORM, [0.7] * 3)
    measured = scores(ours, ("a", "GCN", UNIFORM, [0.9, 0.91, np.nan]), netmf)
    assert measured.mean("a", "GCN", UNIFORM) == pytest.approx(0.905)
    outcome, lines = judges.ours_lead(measured, UNIFORM)
    assert outcome == "does not hold"
    assert lines[0].endswith("(above: GCN)")


def test_a_claim_holds_only_in_part_if_a_rival_is_not_compared(judges, scores):
    ours, netmf = ("a", "residual2vec", UNIFORM, [0.8, 0.81, 0.8]), ("a", "NetMF", UNIFORM, [0.7] * 3)
    assert judges.ours_lead(scores(ours, netmf), UNIFORM)[0] == "holds"
    outcome, lines = judges.ours_lead(scores(ours, netmf, ("a", "GCN", UNIFORM, [0.9])), UNIFORM)
    assert outcome == "holds in part"
    assert lines[-1] == "a: GCN: not compared with residual2vec, fewer than 2 runs in common"
    apart = ("a", "GCN", UNIFORM, [None, None, None, 0.9])
    outcome, lines = judges.best_or_nearly(scores(ours, netmf, apart), UNIFORM, "residual2vec")
    assert outcome == "holds in part"
    assert lines[-1] == "a: GCN: not compared with residual2vec, fewer than 2 runs in common"
    outcome, lines = judges.best_or_nearly(scores(ours, apart), UNIFORM, "residual2vec")
    assert (outcome, len(lines)) == ("not enough runs", 1)


def test_the_variant_with_the_most_runs_is_compared(judges, scores):
    measured = scores(
        ("a", "residual2vec", UNIFORM, [0.8] * 5),
        ("a", "DeepWalk", UNIFORM, [0.7]),
        ("a", "DeepWalk, short walks", UNIFORM, [0.9] * 5),
    )
    assert measured.mean("a", "DeepWalk", UNIFORM) == pytest.approx(0.9)
    assert judges.ours_lead(measured, UNIFORM)[0] == "does not hold"
    assert judges.above_walkers(measured, UNIFORM, "residual2vec")[0] == "does not hold"


def test_full_walks_are_preferred_for_an_equal_number_of_runs(scores):
    measured = scores(
        ("a", "residual2vec", UNIFORM, [0.8] * 2),
        ("a", "DeepWalk, short walks", UNIFORM, [0.9] * 2),
        ("a", "DeepWalk", UNIFORM, [0.7] * 2),
    )
    assert measured.contest(("a", "residual2vec"), ("a", "DeepWalk"), UNIFORM).second == [0.7] * 2


def test_settings_of_residuum_are_not_rivals(judges, scores):
    judged = ("a", judges.PUBLISHED, UNIFORM, [0.8, 0.8, 0.8])
    chosen = ("a", "residual2vec, tuned", UNIFORM, [0.95] * 3)
    assert judges.best_or_nearly(scores(judged, chosen), UNIFORM, judges.PUBLISHED)[0] == "not measured"
    near = scores(judged, chosen, ("a", "NetMF", UNIFORM, [0.805] * 3))
    assert judges.best_or_nearly(near, UNIFORM, judges.PUBLISHED)[0] == "holds"
    far = scores(judged, chosen, ("a", "NetMF", UNIFORM, [0.82] * 3))
    assert judges.best_or_nearly(far, UNIFORM, judges.PUBLISHED)[0] == "does not hold"


def test_nearly_the_best_is_judged_on_shared_runs(judges, scores):
    judged = ("a", judges.PUBLISHED, UNIFORM, [0.9, 0.9, 0.7, 0.7])
    # NetMF has 0.89 on two easy splits: above our mean, but below our score on those splits.
    assert judges.best_or_nearly(scores(judged, ("a", "NetMF", UNIFORM, [0.89] * 2)), UNIFORM, judges.PUBLISHED) == (
        "holds",
        ["a: residual2vec, as published 0.900, NetMF 0.890, difference +0.0100 [+0.0100, +0.0100]"],
    )


def test_n7_a_lead_must_keep_its_level_at_five_runs(judges, scores):
    # The percentile bootstrap of these five differences excludes 0, the t-interval includes it.
    ours, rival = [0.8] * 5, [0.81, 0.795, 0.815, 0.80, 0.81]
    measured = scores(("a", "residual2vec", UNIFORM, ours), ("a", "NetMF", UNIFORM, rival))
    outcome, lines = judges.ours_lead(measured, UNIFORM)
    assert (outcome, lines) == ("holds", ["a: residual2vec 0.800, NetMF 0.806, difference -0.0060 [-0.0138, +0.0018]"])


def test_n7_an_interval_is_compared_with_the_published_value(judges, scores):
    def outcome(values):
        return judges.above_published(scores(("polblogs", "residual2vec, tuned", UNIFORM, values)), UNIFORM, 1)

    # The best published value is 0.952 to three digits.
    assert outcome([0.96, 0.955, 0.957])[0] == "holds"
    assert outcome([0.97, 0.94, 0.96])[0] == "does not hold"
    best = judges.PUBLISHED_MODELS["polblogs"][1]
    assert outcome([best + 0.0004] * 3)[0] == "does not hold"
    assert outcome([0.96])[0] == "not enough runs"


def test_negative_r_squared_counts_as_zero(judges, scores):
    def outcome(laplacian, gcn):
        rows = ((graph, method, "R², degree", [value] * 2) for graph, method, value in (("a", *laplacian), ("a", *gcn)))
        years = (("a", method, "R², year", [0.0] * 2) for method in ("Laplacian eigenmap", "GCN"))
        return judges.laplacian_is_least_biased(scores(*rows, *years))[0]

    assert outcome(("Laplacian eigenmap", -0.0001), ("GCN", -0.009)) == "holds"
    assert outcome(("Laplacian eigenmap", 0.0009), ("GCN", -0.009)) == "holds"
    assert outcome(("Laplacian eigenmap", 0.012), ("GCN", 0.01)) == "holds in part"


def test_only_a_significantly_better_rival_lowers_the_rank(judges, scores):
    def rank(*rivals):
        rows = [(LITTLE_MIXING, name, "AUC", values) for name, values in rivals]
        return judges.communities_rank(
            scores((LITTLE_MIXING, "residual2vec", "AUC", [0.8, 0.8, 0.8]), *rows), "LFR, τ = 3", "residual2vec"
        )

    noise, above = [0.9, 0.7, 0.82], [0.85, 0.86, 0.85]
    assert rank(("NetMF", noise), ("GCN", noise)) == ("holds", ["μ = 0.05: 0.800, rank 1 of 3"])
    assert rank(("NetMF", above), ("GCN", noise)) == ("holds", ["μ = 0.05: 0.800, rank 2 of 3"])
    assert rank(("NetMF", above), ("GCN", above)) == ("does not hold", ["μ = 0.05: 0.800, rank 3 of 3"])
    # A difference in the fourth digit does not change the rank, however significant.
    assert rank(("NetMF", above), ("GCN", [0.8005] * 3))[0] == "holds"
    assert rank(("NetMF", above), ("GCN", [0.7])) == (
        "holds in part",
        [
            "μ = 0.05: 0.800, rank 2 of 2",
            "μ = 0.05: GCN: not compared with residual2vec, fewer than 2 runs in common",
        ],
    )


def test_there_are_no_ranks_at_chance(judges, scores):
    rows = [("LFR, τ = 3, μ = 1", name, "AUC", [0.505] * 3) for name in ("NetMF", "GCN")]
    measured = scores(("LFR, τ = 3, μ = 1", "residual2vec", "AUC", [0.49] * 3), *rows)
    skipped = ["μ = 1: skipped, no method is above chance"]
    assert judges.communities_rank(measured, "LFR, τ = 3", "residual2vec") == ("not measured", skipped)


def test_a_lower_dependence_on_the_year_must_be_significant(judges, scores):
    def outcome(config, blocks):
        return judges.less_of_the_year(
            scores(("a", "residual2vec", "R², year", config), ("a", "residual2vec, dcSBM", "R², year", blocks))
        )

    assert outcome([0.2, 0.21, 0.22], [0.1, 0.11, 0.12])[0] == "holds"
    # The mean is lower, but not significantly.
    assert outcome([0.2, 0.1, 0.3], [0.1, 0.2, 0.2])[0] == "does not hold"
    assert outcome([0.2], [0.1])[0] == "not enough runs"


def test_a_lead_over_walkers_must_be_significant(judges, scores):
    ours = ("a", "residual2vec", UNIFORM, [0.8, 0.7, 0.9])
    clear = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7, 0.6, 0.8]))
    assert judges.above_walkers(clear, UNIFORM, "residual2vec")[0] == "holds"
    noise = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7, 0.8, 0.8]))
    assert judges.above_walkers(noise, UNIFORM, "residual2vec")[0] == "does not hold"
    once = scores(ours, ("a", "DeepWalk", UNIFORM, [0.7]))
    assert judges.above_walkers(once, UNIFORM, "residual2vec")[0] == "not enough runs"


def test_a_loss_on_directed_graphs_must_be_significant(judges, scores):
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
    assert outcome([0.8, 0.9], [0.7, None])[0] == "not enough runs"


def test_a_method_is_compared_with_itself_on_walks_of_equal_length(judges, scores):
    measures = ("field, micro-F1, k = 10", "impact, R², k = 10")
    full = [("a", "DeepWalk", measure, [0.9] * 3) for measure in measures]
    short = [("a, directed", "DeepWalk, short walks", measure, [0.8] * 3) for measure in measures]
    assert judges.worse_when_directed(scores(*full, *short))[0] == "not enough runs"
    same = [("a", "DeepWalk, short walks", measure, [0.7] * 2) for measure in measures]
    assert judges.worse_when_directed(scores(*full, *short, *same))[0] == "does not hold"


def test_a_gain_of_vectors_over_the_offset_must_be_significant(judges, scores):
    def outcome(degree, full):
        rows = (("a", "degree", "AUC, paper", degree), ("a", judges.PUBLISHED, "AUC, paper", full))
        return judges.offset_helps(scores(*rows))[0]

    assert outcome([0.8, 0.8, 0.8], [0.9, 0.91, 0.9]) == "holds"
    assert outcome([0.8, 0.8, 0.8], [0.9, 0.7, 0.85]) == "does not hold"
    # An offset with an AUC below 0.7 is not a strong predictor.
    assert outcome([0.6, 0.6, 0.6], [0.9, 0.91, 0.9]) == "does not hold"


def test_every_number_of_neighbors_is_judged(judges, scores):
    def outcome(theirs):
        rows = [
            ("a", name, f"field, micro-F1, k = {k}", values)
            for k, rival in theirs.items()
            for name, values in (("residual2vec", [0.8, 0.81]), ("GCN", rival))
        ]
        return judges.predicts(scores(*rows), "field, micro-F1")

    assert outcome({5: [0.7, 0.7], 10: [0.805, 0.815]})[0] == "holds"
    result, lines = outcome({5: [0.9, 0.9], 10: [0.7, 0.7], 20: [0.7, 0.7]})
    assert result == "holds in part"
    assert lines[0] == "a: residual2vec is the best or nearly the best for 2 of 3 k"
    # The mean is within 0.01, but the interval is not.
    assert outcome({10: [0.78, 0.84]})[0] == "does not hold"
    assert outcome({10: [0.7]})[0] == "not enough runs"


def test_reading_scores_does_not_change_the_file(judges, tmp_path, monkeypatch):
    content = "graph,method,run,share of core nodes,mean degree\ncore-periphery,each node once,0,0.1,5.5\ncore-per"
    (tmp_path / "figure-1.csv").write_text(content)
    monkeypatch.setattr(sys.modules["scores"], "RESULTS", tmp_path)
    assert len(judges.Scores("figure-1").rows) == 1
    assert (tmp_path / "figure-1.csv").read_text() == content
