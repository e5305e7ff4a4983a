"""Where chance would lead a walker: the null models, each a statement of what the vectors must not say."""

from residuum.nulls.base import FittedNull, NullModel
from residuum.nulls.bipartite import Bipartite, two_sides
from residuum.nulls.block_null import BlockNull
from residuum.nulls.blocks import Blocks
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM
from residuum.nulls.degree_correlated import DegreeCorrelated
from residuum.nulls.draws import DrawTables, draw_tables, no_tables
from residuum.nulls.erdos_renyi import ErdosRenyi
from residuum.nulls.grouped import GroupedNull, ProductNull
from residuum.nulls.labels import group_codes
from residuum.nulls.multilayer import Multilayer
from residuum.nulls.registry import describe_null_models, null_model_from_name, null_model_names
from residuum.nulls.rewiring import rewired
from residuum.nulls.sampled import FittedSamples, SampledNull
from residuum.nulls.spatial import Spatial, pair_distances
from residuum.nulls.temporal import Temporal

__all__ = [
    "Bipartite",
    "BlockNull",
    "Blocks",
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
    "group_codes",
    "no_tables",
    "null_model_from_name",
    "null_model_names",
    "pair_distances",
    "rewired",
    "two_sides",
]
