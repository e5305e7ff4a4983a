"""Figures."""

from residuum.report.degree_figure import degree_figure

__all__ = ["degree_figure"]
