"""Where chance would lead a walker: the null models, each a statement of what the vectors must not say."""

from residuum.nulls.base import FittedNull, NullModel
from residuum.nulls.bipartite import Bipartite, two_sides
from residuum.nulls.blocks import BlockNull, Blocks
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM
from residuum.nulls.degree_correlated import DegreeCorrelated
from residuum.nulls.erdos_renyi import ErdosRenyi
from residuum.nulls.grouped import GroupedNull, ProductNull
from residuum.nulls.multilayer import Multilayer
from residuum.nulls.registry import null_model_from_name, null_model_names
from residuum.nulls.spatial import Spatial
from residuum.nulls.temporal import Temporal

__all__ = [
    "Bipartite",
    "BlockNull",
    "Blocks",
    "Configuration",
    "DegreeCorrectedSBM",
    "DegreeCorrelated",
    "ErdosRenyi",
    "FittedNull",
    "GroupedNull",
    "Multilayer",
    "NullModel",
    "ProductNull",
    "Spatial",
    "Temporal",
    "null_model_from_name",
    "null_model_names",
    "two_sides",
]
