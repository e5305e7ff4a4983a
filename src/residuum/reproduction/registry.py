"""The targets by name."""

from residuum.reproduction import (
    blocks,
    case_study,
    community_sweeps,
    degree_corrected,
    links,
    network_table,
    walk_bias,
)
from residuum.reproduction.target import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        walk_bias.TARGET,
        network_table.TARGET,
        links.TARGET,
        community_sweeps.TARGET,
        blocks.TARGET,
        case_study.TARGET,
        degree_corrected.TARGET,
    )
}
