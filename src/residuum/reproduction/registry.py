"""The targets by name."""

from residuum.reproduction import blocks, community_sweeps, network_table
from residuum.reproduction.links import DEGREE_CORRECTED, LINK_PREDICTION
from residuum.reproduction.target import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        network_table.TARGET,
        LINK_PREDICTION,
        community_sweeps.TARGET,
        blocks.TARGET,
        DEGREE_CORRECTED,
    )
}
