"""
Erasure: leakage against strength
=================================

Distance from chance of the strongest of nine attackers, who predict the group from the vectors, for each level and
strength of erasure.
"""

import matplotlib.pyplot as plt

from residuum import Residual2Vec, datasets
from residuum.evaluation import attack

graph = datasets.planted_groups(300, 2, random_state=0)
group = graph.node_attributes["group"]
strengths = [0.0, 0.5, 1.0]
for level, style in (("linear", "o--"), ("distribution", "o-")):
    leakage = []
    for strength in strengths:
        model = Residual2Vec(16, erase="group", erase_level=level, erase_strength=strength, random_state=0).fit(graph)
        leakage.append(attack(model.embedding_, group).strongest.leak)
    plt.plot(strengths, leakage, style, label=level)
plt.axhline(0, color="gray", linewidth=0.8)
plt.xlabel("erase_strength")
plt.ylabel("leakage, |accuracy − chance| (lower is better)")
plt.legend(title="erase_level")
plt.show()
