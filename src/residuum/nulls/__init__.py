"""Null models: random graphs with the structure that the vectors must not encode."""

from residuum.nulls.base import FittedNull, NullModel
from residuum.nulls.bipartite import Bipartite
from residuum.nulls.block_form import BlockForm
from residuum.nulls.block_null import BlockNull
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM, Multilayer
from residuum.nulls.degree_correlated import DegreeCorrelated
from residuum.nulls.draws import DrawTables, draw_tables, no_tables
from residuum.nulls.erdos_renyi import ErdosRenyi
from residuum.nulls.grouped import GroupedNull, ProductNull
from residuum.nulls.registry import describe_null_models, null_model_class, null_model_from_name, null_model_names
from residuum.nulls.sampled import FittedSamples, SampledNull, rewired
from residuum.nulls.spatial import Spatial, pair_distances
from residuum.nulls.temporal import Temporal

__all__ = [
    "Bipartite",
    "BlockForm",
    "BlockNull",
    "Configuration",
    "DegreeCorrectedSBM",
    "DegreeCorrelated",
    "DrawTables",
    "ErdosRenyi",
    "FittedNull",
    "FittedSamples",
    "GroupedNull",
    "Multilayer",
    "NullModel",
    "ProductNull",
    "SampledNull",
    "Spatial",
    "Temporal",
    "describe_null_models",
    "draw_tables",
    "no_tables",
    "null_model_class",
    "null_model_from_name",
    "null_model_names",
    "pair_distances",
    "rewired",
]
