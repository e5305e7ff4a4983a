"""Graphs to try things on: built in, generated, and the real ones of the benchmarks."""

from residuum.datasets.builtin import karate_club, les_miserables
from residuum.datasets.generators import core_periphery, lfr, planted_groups
from residuum.datasets.real import DATA_VARIABLE, data_folder, load, names

__all__ = [
    "DATA_VARIABLE",
    "core_periphery",
    "data_folder",
    "karate_club",
    "les_miserables",
    "lfr",
    "load",
    "names",
    "planted_groups",
]
