"""Figures, maps, the audit page and the model card."""

from residuum.report.card import model_card
from residuum.report.charts import FrontierRow
from residuum.report.degree_figure import degree_figure
from residuum.report.frontier_figure import frontier_figure
from residuum.report.maps import Coloring, label_coloring, map_data, number_coloring
from residuum.report.page import LIMITS, audit_page, map_page
from residuum.report.summary import LEVEL_WORDS, summarize

__all__ = [
    "LEVEL_WORDS",
    "LIMITS",
    "Coloring",
    "FrontierRow",
    "audit_page",
    "degree_figure",
    "frontier_figure",
    "label_coloring",
    "map_data",
    "map_page",
    "model_card",
    "number_coloring",
    "summarize",
]
