"""Claims of the paper and their verdicts: writes results/report.md from the raw scores in that folder.

    residuum reproduce TARGET --output benchmarks/paper/results [--runs N] [--short-walks]
    python benchmarks/paper/report.py

Every verdict follows from the scores: "holds", "holds in part" (in some cases, or if rivals were not compared), "does
not hold", "not enough runs" (fewer than two) or "not measured". Methods are compared on shared runs,
by the 90 % t-interval of the mean difference. A method is "significantly above" another if the interval is above 0,
which is the paired t-test at a level of 10 % (two-sided), and "nearly the best" if the interval is above −0.01. Each
comparison is tested by itself, without a correction for their number.
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
            "residual2vec, as published, is the best or nearly the best on all graphs (score of the paper).",
            lambda: best_or_nearly(links, "AUC, paper", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same for residual2vec with the defaults of residuum.",
            lambda: best_or_nearly(links, "AUC, paper", "residual2vec"),
        ),
        (
            "Figure 3",
            "residual2vec, as published, outperforms the other random-walk methods in all cases (score of the paper).",
            lambda: above_walkers(links, "AUC, paper", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same for residual2vec with the defaults of residuum.",
            lambda: above_walkers(links, "AUC, paper", "residual2vec"),
        ),
        ("Figure 3", "The offset alone is a strong predictor, and vectors improve it.", lambda: offset_helps(links)),
        (
            "beyond",
            "No method is significantly above the best setting of residuum: "
            "half held out, full score, uniform negatives.",
            lambda: ours_lead(links, "AUC, uniform"),
        ),
        (
            "beyond",
            "The same for the residual score and degree-matched negatives.",
            lambda: ours_lead(links, "AUC, degree-matched"),
        ),
        (
            "beyond",
            "residual2vec, tuned, is above the best published model: "
            "a quarter held out, K = 128, degree-matched negatives.",
            lambda: above_published(corrected, "AUC, degree-matched", 0),
        ),
        ("beyond", "The same for uniform negatives.", lambda: above_published(corrected, "AUC, uniform", 1)),
        (
            "beyond",
            "No method is significantly above the best setting of residuum: "
            "a quarter held out, K = 128, uniform negatives.",
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
            "residual2vec has the highest or the second-highest AUC (LFR, τ = 3; as published).",
            lambda: communities_rank(groups, "LFR, τ = 3", PUBLISHED),
        ),
        (
            "Figure 3",
            "The same with the defaults of residuum.",
            lambda: communities_rank(groups, "LFR, τ = 3", "residual2vec"),
        ),
        ("Supplement", "The same for τ = 6, as published.", lambda: communities_rank(groups, "LFR, τ = 6", PUBLISHED)),
        (
            "Section 3",
            "The block approximation of ln P_d has a mean correlation of 0.85.",
            lambda: block_correlation(blocks),
        ),
        (
            "Figure 4",
            "residual2vec with the dcSBM null model depends less on the year than residual2vec.",
            lambda: less_of_the_year(case),
        ),
        (
            "Figure 4",
            "The Laplacian eigenmap depends least on degree and year (erasure excluded).",
            lambda: laplacian_is_least_biased(case),
        ),
        (
            "Figure 4",
            "residual2vec is the best or nearly the best in predicting the field, for every k.",
            lambda: predicts(case, "field, micro-F1"),
        ),
        (
            "Figure 4",
            "residual2vec is the best or nearly the best in predicting the impact, for every k.",
            lambda: predicts(case, "impact, R²"),
        ),
        ("Supplement", "All methods predict worse on the directed graph.", lambda: worse_when_directed(case)),
    ]


def main() -> None:
    parts = [
        "# Claims of the paper and measurements",
        (RESULTS / "notes.md").read_text().strip() if (RESULTS / "notes.md").exists() else "",
    ]
    verdicts = [(where, claim, *judge()) for where, claim, judge in claims()]
    body = [f"| {where} | {claim} | **{outcome}** |" for where, claim, outcome, _ in verdicts]
    summary = ["| where | claim | verdict |", "| --- | --- | --- |", *body]
    parts.append("\n".join(summary))
    for number, (where, claim, outcome, lines) in enumerate(verdicts, 1):
        parts.append(f"## {number}. {claim}\n\n{where}: **{outcome}**.\n\n" + "\n".join(f"- {line}" for line in lines))
    (RESULTS / "report.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(summary) + "\n")


if __name__ == "__main__":
    main()
