"""Example graphs: built in, generated, and the real graphs of the benchmarks."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.datasets.builtin import karate_club, les_miserables
    from residuum.datasets.generators import core_periphery, lfr, planted_groups
    from residuum.datasets.journals import JournalCitations, journal_citations
    from residuum.datasets.real import DATA_VARIABLE, data_folder, load, names
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = [
    "DATA_VARIABLE",
    "JournalCitations",
    "core_periphery",
    "data_folder",
    "journal_citations",
    "karate_club",
    "les_miserables",
    "lfr",
    "load",
    "names",
    "planted_groups",
]
