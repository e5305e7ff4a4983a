"""Names of all targets, for the program that starts one process for each."""

READERS = (
    *("graph-csv", "graph-txt", "graph-gz", "graph-parquet", "graph-npz", "graph-mtx", "graph-graphml", "graph-gml"),
    *("graph-r2g", "convert", "vectors-npz", "vectors-parquet", "vectors-w2v", "vectors-csv", "vectors-npy"),
    *("labels-csv", "labels-parquet", "hidden", "config", "model"),
)
PROPERTY_NAMES = ("graphs", "nulls", "fits", "evaluations", "commands")
NAMES = (*READERS, *PROPERTY_NAMES)
