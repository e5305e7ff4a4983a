"""What the paper claims and what was measured here: writes results/report.md from the raw scores beside it.

    residuum reproduce TARGET --output benchmarks/paper/results [--runs N] [--short-walks]
    python benchmarks/paper/report.py

Every verdict follows from the numbers: "holds", "holds in part" (in some of the cases, or with rivals that could not be
judged) or "does not hold". Methods are compared over the runs that both have, by the 90 % interval of the mean
difference: one is "above" if all of the interval is, "nearly the best" if none of it is more than 0.01 below another,
and "as good" if it has 0 in it. One run has no interval; its difference stands for it, and the line says so.
"""

import sys
from collections.abc import Callable

from judges import (
    PUBLISHED,
    Verdict,
    above_published,
    above_walkers,
    best_or_nearly,
    block_correlation,
    communities_rank,
    laplacian_is_least_biased,
    less_of_the_year,
    offset_helps,
    ours_lead,
    predicts,
    sizes,
    walkers_prefer_hubs,
    weak_at_little_mixing,
    worse_when_directed,
)
from scores import RESULTS, Scores


def claims() -> list[tuple[str, str, Callable[[], Verdict]]]:
    names = (
        "figure-1",
        "table-1",
        "link-prediction",
        "communities",
        "block-approximation",
        "case-study",
        "degree-corrected",
    )
    figure, table, links, groups, blocks, case, corrected = map(Scores, names)
    return [
        ("Figure 1", "Random walkers visit nodes in proportion to their degree.", lambda: walkers_prefer_hubs(figure)),
        ("Table 1", "Sizes and structure of the six graphs.", lambda: sizes(table)),
        (
            "Figure 3",
            "r2v-config, as published, is the best or nearly the best on all graphs (score of the paper).",
            lambda: best_or_nearly(links, "AUC, paper", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same for r2v-config with the defaults of residuum.",
            lambda: best_or_nearly(links, "AUC, paper", "r2v-config"),
        ),
        (
            "Figure 3",
            "r2v-config, as published, outperforms the other random-walk methods in all cases (score of the paper).",
            lambda: above_walkers(links, "AUC, paper", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same for r2v-config with the defaults of residuum.",
            lambda: above_walkers(links, "AUC, paper", "r2v-config"),
        ),
        ("Figure 3", "The offset is itself a strong predictor, and vectors add to it.", lambda: offset_helps(links)),
        (
            "beyond",
            "A setting of residuum has the best AUC or one not told apart from it: full score, uniform negatives.",
            lambda: ours_lead(links, "AUC, uniform"),
        ),
        (
            "beyond",
            "The same for the residual score and degree-matched negatives.",
            lambda: ours_lead(links, "AUC, degree-matched"),
        ),
        (
            "beyond",
            "A quarter hidden, K = 128, chosen parameters: above the best published model, degree-matched negatives.",
            lambda: above_published(corrected, "AUC, degree-matched", 0),
        ),
        ("beyond", "The same for uniform negatives.", lambda: above_published(corrected, "AUC, uniform", 1)),
        (
            "beyond",
            "There, a setting of residuum is the best of the methods here, or not told apart: uniform negatives.",
            lambda: ours_lead(corrected, "AUC, uniform"),
        ),
        (
            "beyond",
            "The same for degree-matched negatives.",
            lambda: ours_lead(corrected, "AUC, degree-matched"),
        ),
        (
            "Figure 3",
            "DeepWalk and the Laplacian eigenmap have a small AUC even at μ = 0.05.",
            lambda: weak_at_little_mixing(groups),
        ),
        (
            "Figure 3",
            "r2v-config has the highest or the second-highest AUC (LFR, τ = 3; as published).",
            lambda: communities_rank(groups, "LFR, τ = 3", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same with the defaults of residuum.",
            lambda: communities_rank(groups, "LFR, τ = 3", "r2v-config"),
        ),
        ("Supplement", "The same for τ = 6, as published.", lambda: communities_rank(groups, "LFR, τ = 6", PUBLISHED)),
        (
            "Section 3",
            "The block approximation of ln P_d has a mean correlation of 0.85.",
            lambda: block_correlation(blocks),
        ),
        ("Figure 4", "r2v-dcSBM depends less on the year than r2v-config.", lambda: less_of_the_year(case)),
        (
            "Figure 4",
            "The Laplacian eigenmap depends least on degree and year (erasure left aside).",
            lambda: laplacian_is_least_biased(case),
        ),
        (
            "Figure 4",
            "r2v is the best or nearly the best in predicting the field, for every k.",
            lambda: predicts(case, "field, micro-F1"),
        ),
        (
            "Figure 4",
            "r2v is the best or nearly the best in predicting the impact, for every k.",
            lambda: predicts(case, "impact, R²"),
        ),
        ("Supplement", "On the directed graph all methods predict worse.", lambda: worse_when_directed(case)),
    ]


def main() -> None:
    parts = [
        "# The paper's claims and what was measured here",
        (RESULTS / "notes.md").read_text().strip() if (RESULTS / "notes.md").exists() else "",
    ]
    found = [(where, claim, *judge()) for where, claim, judge in claims()]
    summary = ["| where | claim | here |", "| --- | --- | --- |", *(f"| {w} | {c} | **{v}** |" for w, c, v, _ in found)]
    parts.append("\n".join(summary))
    for number, (where, claim, outcome, lines) in enumerate(found, 1):
        parts.append(f"## {number}. {claim}\n\n{where}: **{outcome}**.\n\n" + "\n".join(f"- {line}" for line in lines))
    (RESULTS / "report.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(summary) + "\n")


if __name__ == "__main__":
    main()
