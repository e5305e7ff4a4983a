"""Figures."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.report.degree_figure import degree_figure
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = ["degree_figure"]
