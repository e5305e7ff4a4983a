"""Where chance would lead a walker: the null models, each a statement of what the vectors must not say."""

from residuum.nulls.base import FittedNull, NullModel
from residuum.nulls.blocks import BlockNull, Blocks
from residuum.nulls.configuration import Configuration
from residuum.nulls.dcsbm import DegreeCorrectedSBM
from residuum.nulls.erdos_renyi import ErdosRenyi
from residuum.nulls.registry import null_model_from_name, null_model_names

__all__ = [
    "BlockNull",
    "Blocks",
    "Configuration",
    "DegreeCorrectedSBM",
    "ErdosRenyi",
    "FittedNull",
    "NullModel",
    "null_model_from_name",
    "null_model_names",
]
