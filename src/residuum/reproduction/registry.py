"""The targets by name."""

from residuum.reproduction import blocks, case_study, community_sweeps, network_table, walk_bias
from residuum.reproduction.links import DEGREE_CORRECTED, LINK_PREDICTION
from residuum.reproduction.target import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        walk_bias.TARGET,
        network_table.TARGET,
        LINK_PREDICTION,
        community_sweeps.TARGET,
        blocks.TARGET,
        case_study.TARGET,
        DEGREE_CORRECTED,
    )
}
