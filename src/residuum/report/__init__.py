"""Figures."""

from residuum.report.degree_figure import degree_figure
from residuum.report.frontier_figure import frontier_figure

__all__ = ["degree_figure", "frontier_figure"]
