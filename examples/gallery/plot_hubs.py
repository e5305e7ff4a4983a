"""
Walkers prefer hubs
===================

Mean association of all nodes with a node, against its degree. The Erdős–Rényi null model leaves the preference for hubs
in the vectors; the configuration model removes most of it.
"""

import matplotlib.pyplot as plt
import numpy as np

from residuum import Residual2Vec, datasets

graph = datasets.planted_groups(400, 4, degree_exponent=2.2, random_state=0)
degree = graph.out_strength
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharex=True, sharey=True)
for axis, null_model in zip(axes, ["erdos-renyi", "configuration"], strict=True):
    model = Residual2Vec(32, null_model=null_model, window=10, random_state=0).fit(graph)
    association = model.embedding_ @ model.context_embedding_.T
    axis.semilogx(degree, association.mean(axis=0), "o", markersize=3, alpha=0.6)
    axis.axhline(0, color="gray", linewidth=0.8)
    slope, _ = np.polyfit(np.log10(degree), association.mean(axis=0), 1)
    axis.set_title(f"{null_model}: {slope:+.1f} for ten times the degree")
    axis.set_xlabel("degree")
axes[0].set_ylabel("mean association (0 = no preference)")
plt.show()
