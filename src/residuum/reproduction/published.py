"""Published results: degree-corrected benchmark (Aiyappa et al., ICML 2025), and the CogDL leaderboard."""

__all__ = ["COGDL", "HALVES", "PUBLISHED"]

# Best of 32 published models, degree-matched and uniform, and published node2vec, degree-matched; by dataset, in
# alphabetical order of the names in the benchmark. The openflights graph of the benchmark is not our "airport".
PUBLISHED = {
    "American75": (0.9151, 0.9619, 0.8994),
    "fb-amherst": (0.9145, 0.9494, 0.8815),
    "Bowdoin47": (0.9069, 0.9456, 0.8808),
    "Brandeis99": (0.9040, 0.9541, 0.8828),
    "Bucknell39": (0.9301, 0.9587, 0.9034),
    "Carnegie49": (0.9149, 0.9706, 0.9017),
    "Colgate88": (0.9255, 0.9557, 0.9024),
    "Hamilton46": (0.9076, 0.9452, 0.8797),
    "Haverford76": (0.8858, 0.9309, 0.8496),
    "fb-johnshopkins": (0.9196, 0.9650, 0.9009),
    "Lehigh96": (0.9293, 0.9625, 0.9101),
    "Middlebury45": (0.9200, 0.9544, 0.8974),
    "Oberlin44": (0.8925, 0.9478, 0.8711),
    "Pepperdine86": (0.8963, 0.9483, 0.8777),
    "Rochester38": (0.9300, 0.9659, 0.9009),
    "Simmons81": (0.8995, 0.9414, 0.8750),
    "Smith60": (0.9175, 0.9490, 0.8893),
    "Tufts18": (0.9139, 0.9646, 0.9016),
    "USFCA72": (0.9032, 0.9533, 0.8791),
    "Wake73": (0.9182, 0.9600, 0.8972),
    "William77": (0.9149, 0.9635, 0.8978),
    "Williams40": (0.9152, 0.9526, 0.8929),
    "as-22july06": (0.8122, 0.9634, 0.6848),
    "bitcoinalpha": (0.7623, 0.9525, 0.7016),
    "ca-astroph": (0.9861, 0.9957, 0.9574),
    "ca-GrQc": (0.9721, 0.9838, 0.9427),
    "ca-HepPh": (0.9760, 0.9943, 0.9336),
    "ca-hepth": (0.9443, 0.9717, 0.9215),
    "celegans": (0.8319, 0.8999, 0.7991),
    "dblp-cite": (0.9310, 0.9653, 0.8975),
    "opsahl-ucsocial": (0.6233, 0.9277, 0.5813),
    "p2p-Gnutella05": (0.5859, 0.8187, 0.5840),
    "p2p-Gnutella06": (0.6365, 0.8205, 0.5857),
    "p2p-Gnutella08": (0.6434, 0.8518, 0.6156),
    "p2p-Gnutella24": (0.5986, 0.8820, 0.5523),
    "polblogs": (0.8205, 0.9516, 0.8033),
    "sociopatterns-infectious": (0.9511, 0.9666, 0.9169),
    "cora-full": (0.9694, 0.9727, 0.9694),
    "wiki-vote": (0.8196, 0.9792, 0.7993),
}

# Parameters were settled on the first half, every other graph. Of the second half, windows were also compared on
# ca-hepth, solvers on Tufts18, and features of the pair head on p2p-Gnutella05; see docs/results.md.
HALVES = {
    "tuning half": tuple(PUBLISHED)[::2],
    "held-out half": tuple(PUBLISHED)[1::2],
    "all graphs": tuple(PUBLISHED),
}

# Micro-F1 in percent of multi-label node classification, 90 % of the labels for training (results.md of CogDL).
COGDL = {
    "NetMF": {"ppi": 23.73, "blogcatalog": 42.47, "wikipedia-pos": 57.42},
    "ProNE": {"ppi": 24.60, "blogcatalog": 41.14, "wikipedia-pos": 56.06},
    "NetSMF": {"ppi": 23.88, "blogcatalog": 40.62, "wikipedia-pos": 53.81},
    "node2vec": {"ppi": 20.67, "blogcatalog": 40.16, "wikipedia-pos": 54.59},
    "LINE": {"ppi": 21.82, "blogcatalog": 38.06, "wikipedia-pos": 52.46},
    "DeepWalk": {"ppi": 20.74, "blogcatalog": 40.48, "wikipedia-pos": 49.53},
}
