"""Whether a claim holds, and the numbers that say so."""

from collections.abc import Callable

import numpy as np
from scores import Contest, Scores

from residuum.reproduction.degree_corrected import PUBLISHED as PUBLISHED_MODELS
from residuum.reproduction.network_table import PAPER as TABLE

NEARLY = 0.01
CHANCE = 0.5
PUBLISHED = "r2v-config, as published"
WALKERS = ("node2vec, q = 0.5", "node2vec, q = 1", "node2vec, q = 2", "DeepWalk", "FairWalk")
Verdict = tuple[str, list[str]]


def verdict(hold: list[bool], *, complete: bool = True) -> str:
    """Return the outcome of what was judged; where a rival could not be judged, a claim holds in part at most."""
    if not hold:
        return "not measured"
    return "holds" if all(hold) and complete else "holds in part" if any(hold) else "does not hold"


def is_ours(kind: str) -> bool:
    return kind.startswith("r2v")


def rivals_of(scores: Scores, graph: str, measure: str) -> list[str]:
    return [kind for kind in scores.kinds(graph, measure) if not is_ours(kind)]


def hardest(contests: dict[str, Contest]) -> str:
    """Return the rival from which ours is told apart least, or that is furthest above it."""
    return min(contests, key=lambda rival: contests[rival].difference.low)


def beside(ours: str, rival: str, contest: Contest) -> str:
    one, other = np.mean(contest.one), np.mean(contest.other)
    return f"{ours} {one:.3f}, {rival} {other:.3f}, difference {contest.text}"


def not_compared(graph: str, ours: str, rivals: list[str], *, least: str = "no run") -> str:
    return f"{graph}: {'; '.join(rivals)}: not told apart from {ours}, {least} in common"


def against(
    scores: Scores, measure: str, ours: str, rivals_in: Callable[[str], list[str]], stands: Callable[[float], bool]
) -> Verdict:
    """Whether the lower end of the difference stands against each rival of each graph."""
    hold, lines, complete = [], [], True
    for graph in scores.graphs:
        if ours not in scores.kinds(graph, measure):
            continue
        rivals = rivals_in(graph)
        met = scores.contests(graph, ours, rivals, measure)
        if met:
            rival = hardest(met)
            hold.append(stands(met[rival].difference.low))
            lines.append(f"{graph}: {beside(ours, rival, met[rival])}")
        if unmet := [k for k in rivals if k not in met]:
            complete = False
            lines.append(not_compared(graph, ours, unmet))
    return verdict(hold, complete=complete), lines


def best_or_nearly(scores: Scores, measure: str, ours: str) -> Verdict:
    """Whether no method but ours is above the judged one by more than what is nearly the best."""
    return against(scores, measure, ours, lambda graph: rivals_of(scores, graph, measure), lambda low: low >= -NEARLY)


def above_walkers(scores: Scores, measure: str, ours: str) -> Verdict:
    def walkers(graph: str) -> list[str]:
        return [kind for kind in scores.kinds(graph, measure) if kind in WALKERS]

    return against(scores, measure, ours, walkers, lambda low: low > 0)


def offset_helps(scores: Scores) -> Verdict:
    hold, lines = [], []
    for graph in scores.graphs:
        contest = scores.contest((graph, PUBLISHED), (graph, "degree"), "AUC, paper")
        if contest is None:
            continue
        full, degree = np.mean(contest.one), np.mean(contest.other)
        hold.append(bool(contest.difference.low > 0 and degree > 0.7))
        lines.append(f"{graph}: the degree alone {degree:.3f}, with vectors {full:.3f}, difference {contest.text}")
    return verdict(hold), lines


def ours_lead(scores: Scores, measure: str) -> Verdict:
    """Whether a setting of residuum is the best, or not told apart from the best; rivals need two runs in common."""
    hold, lines, complete = [], [], True
    for graph in scores.graphs:
        rivals = rivals_of(scores, graph, measure)
        known = [kind for kind in scores.kinds(graph, measure) if is_ours(kind)]
        if not known or not rivals:
            continue
        ours = scores.best(graph, measure, known)
        met = {k: one for k, one in scores.contests(graph, ours, rivals, measure).items() if len(one.one) > 1}
        if met:
            winners = [k for k in met if met[k].difference.high < 0]
            hold.append(not winners)
            rival = hardest({k: met[k] for k in winners or met})
            above = f" ({'; '.join(winners)} above it)" if winners else ""
            lines.append(f"{graph}: {beside(ours, rival, met[rival])}{above}")
        if few := [k for k in rivals if k not in met]:
            complete = False
            lines.append(not_compared(graph, ours, few, least="fewer than two runs"))
    return verdict(hold, complete=complete), lines


def above_published(scores: Scores, measure: str, place: int) -> Verdict:
    """Whether parameters that are chosen on training edges beat the best published model, to three digits."""
    hold, lines = [], []
    for graph in (g for g in scores.graphs if g in PUBLISHED_MODELS):
        value, best = round(scores.mean(graph, "r2v-config, chosen", measure), 3), PUBLISHED_MODELS[graph][place]
        if np.isnan(value):
            continue
        hold.append(value > best)
        lines.append(f"{graph}: {value:.3f}, best of 32 published {best:.3f}")
    return verdict(hold), lines


def communities_rank(scores: Scores, sweep: str, ours: str) -> Verdict:
    """Whether at most one method but ours is above; a mixing at which none is above chance has no ranks."""
    hold, lines, complete = [], [], True
    for graph in (g for g in scores.graphs if g.startswith(sweep)):
        mixing, rivals = graph.removeprefix(sweep + ", "), rivals_of(scores, graph, "AUC")
        met = scores.contests(graph, ours, rivals, "AUC")
        if not met:
            continue
        if all(scores.mean(graph, kind, "AUC") <= CHANCE + NEARLY for kind in scores.kinds(graph, "AUC")):
            lines.append(f"{mixing}: left out, no method is above chance")
            continue
        # What differs in the fourth digit only is no higher place.
        above = [k for k, one in met.items() if one.difference.high < 0 and one.difference.mean < -1e-3]
        hold.append(len(above) <= 1)
        once = [k for k, one in met.items() if len(one.one) == 1]
        lines.append(
            f"{mixing}: {scores.mean(graph, ours, 'AUC'):.3f}, place {len(above) + 1} of {len(met) + 1}"
            + (f" (one run: {'; '.join(once)})" if once else "")
        )
        if unmet := [k for k in rivals if k not in met]:
            complete = False
            lines.append(not_compared(mixing, ours, unmet))
    return verdict(hold, complete=complete), lines


def weak_at_little_mixing(scores: Scores) -> Verdict:
    graph = "LFR, τ = 3, μ = 0.05"
    found = {kind: scores.mean(graph, kind, "AUC") for kind in ("DeepWalk", "Laplacian eigenmap")}
    if np.isnan(list(found.values())).any():
        return verdict([]), []
    best = scores.mean(graph, scores.best(graph, "AUC", scores.kinds(graph, "AUC")), "AUC")
    hold = [value < best - 0.05 for value in found.values()]
    return verdict(hold), [*(f"{kind}: {value:.3f}" for kind, value in found.items()), f"the best: {best:.3f}"]


def walkers_prefer_hubs(scores: Scores) -> Verdict:
    nodes, walkers, expected = (
        scores.mean("core-periphery", kind, "mean degree")
        for kind in ("each node once", "random walkers", "degree / sum of degrees")
    )
    if np.isnan(nodes + walkers + expected):
        return verdict([]), []
    hold = [walkers > 1.5 * nodes, abs(walkers - expected) < 0.02 * expected]
    return verdict(hold), [
        f"mean degree of a node {nodes:.1f}, of a visited node {walkers:.1f}, expected {expected:.1f}"
    ]


# How far a figure of Table 1 may be from the paper's: nodes and the edges and degrees that a release or loops change,
# as a share; coefficients by more than their last printed digit.
_SIZES = {"N": 1e-3, "M": 1e-3, "max. degree": 1e-2}
_COEFFICIENTS = {"assortativity": 0.005, "clustering coef.": 0.001}


def sizes(scores: Scores) -> Verdict:
    hold, lines = [], []
    for graph in (g for g in scores.graphs if g in TABLE):
        found = {name: scores.mean(graph, "residuum", name) for name in TABLE[graph]}
        if np.isnan(list(found.values())).any():
            continue
        far = [
            f"{name} {found[name]:g} (paper {paper:g})"
            for name, paper in TABLE[graph].items()
            if abs(found[name] - paper) > (_COEFFICIENTS[name] if name in _COEFFICIENTS else _SIZES[name] * paper)
        ]
        hold.append(not far)
        lines.append(f"{graph}: {', '.join(far) if far else 'as in the paper'}")
    if lines:
        lines.append(
            "tolerances: N and M 0.1 %, maximum degree 1 %, assortativity 0.005, clustering 0.001; see table-1.md for "
            "self-loops and for the degrees of the airport graph, which the paper counts in routes"
        )
    return verdict(hold), lines


def block_correlation(scores: Scores) -> Verdict:
    lines, means = [], {}
    for form in ("one exact step", "automatic"):
        found = {g: v for g in scores.graphs if np.isfinite(v := scores.mean(g, form, "correlation"))}
        if found:
            means[form] = float(np.mean(list(found.values())))
            lines.append(f"{form}: mean {means[form]:.3f} ({', '.join(f'{g} {v:.2f}' for g, v in found.items())})")
    return verdict([value >= 0.85 for value in means.values()]), lines


def less_of_the_year(scores: Scores) -> Verdict:
    hold, lines = [], []
    for graph in scores.graphs:
        contest = scores.contest((graph, "r2v-config"), (graph, "r2v-dcSBM"), "R², year")
        if contest is None:
            continue
        hold.append(contest.difference.low > 0)
        erased = scores.mean(graph, "r2v-dcSBM, year erased", "R², year")
        lines.append(
            f"{graph}: {beside('r2v-config', 'r2v-dcSBM', contest)}"
            + (f"; r2v-dcSBM, year erased {erased:.3f}" if np.isfinite(erased) else "")
        )
    return verdict(hold), lines


# R² below 0 is as good as 0: nothing is told. Beyond this, one R² is above another.
_TELLS_NOTHING = 1e-3


def laplacian_is_least_biased(scores: Scores) -> Verdict:
    hold, lines, judged = [], [], "Laplacian eigenmap"
    for graph in scores.graphs:
        for measure in ("R², degree", "R², year"):
            kinds = [k for k in scores.kinds(graph, measure) if k not in (judged, "r2v-dcSBM, year erased")]
            met = scores.contests(graph, judged, kinds, measure)
            if not met:
                continue
            gaps = {k: max(np.mean(one.one), 0.0) - max(np.mean(one.other), 0.0) for k, one in met.items()}
            lowest = max(gaps, key=gaps.__getitem__)
            hold.append(bool(gaps[lowest] <= _TELLS_NOTHING))
            lines.append(f"{graph}, {measure}: {beside(judged, lowest, met[lowest])}")
    return verdict(hold), lines


def predicts(scores: Scores, task: str) -> Verdict:
    """Whether one setting of residuum for each graph is nearly the best at least, for every number of neighbours."""
    hold, lines, complete = [], [], True
    measures = scores.measures(task)
    for graph in scores.graphs:
        known = [k for k in scores.kinds(graph, measures[0]) if is_ours(k)]
        rivals = rivals_of(scores, graph, measures[0])
        if not known or not rivals:
            continue
        ours = max(known, key=lambda kind: np.mean([scores.mean(graph, kind, name) for name in measures]))
        met = {name: scores.contests(graph, ours, rivals, name) for name in measures}
        closest = {name: (rival := hardest(one), one[rival]) for name, one in met.items() if one}
        near = {name: contest.difference.low >= -NEARLY for name, (_, contest) in closest.items()}
        hold += near.values()
        lines.append(f"{graph}: {ours} is the best or nearly the best for {sum(near.values())} of {len(near)} k")
        lines += [f"{graph}, {name}: {beside(ours, *found)}" for name, found in closest.items()]
        if unmet := [k for k in rivals if any(k not in one for one in met.values())]:
            complete = False
            lines.append(not_compared(graph, ours, unmet))
    return verdict(hold, complete=complete), lines


def worse_when_directed(scores: Scores) -> Verdict:
    hold, lines = [], []
    for graph in (g for g in scores.graphs if f"{g}, directed" in scores.graphs):
        for measure in ("field, micro-F1, k = 10", "impact, R², k = 10"):
            found = {
                kind: scores.contest((graph, kind), (f"{graph}, directed", kind), measure)
                for kind in scores.kinds(graph, measure)
            }
            met = {kind: one for kind, one in found.items() if one is not None}
            if not met:
                continue
            worse = sum(one.difference.low > 0 for one in met.values())
            hold.append(worse == len(met))
            once = [kind for kind, one in met.items() if len(one.one) == 1]
            lines.append(
                f"{graph}, {measure}: worse for {worse} of {len(met)} methods"
                + (f" (one run: {len(once)} of them)" if once else "")
            )
    return verdict(hold), lines
