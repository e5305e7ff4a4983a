import csv

import pytest

from residuum.reproduction import reproduce

pytest.importorskip("matplotlib")


def test_the_null_of_years_leaves_less_of_the_year(tmp_path):
    methods = ["r2v-dcSBM, year erased", "r2v-config"]
    graphs = ["journals 0.002"]
    files = reproduce("case-study", tmp_path, runs=1, quick=True, graphs=graphs, methods=methods)
    with files[0].open(encoding="utf-8", newline="") as stream:
        rows = {row["method"]: row for row in csv.DictReader(stream)}
    year = {name: float(row["R², year"]) for name, row in rows.items()}
    assert year["r2v-dcSBM, year erased"] < year["r2v-config"]
    assert "| r2v-config |" in files[1].read_text(encoding="utf-8")
    # The plane of the fields is kept for the figure.
    kept = sorted(file.name for file in tmp_path.glob("*.npz"))
    assert kept == [
        "case-study.quick-journals-0-002-r2v-config.npz",
        "case-study.quick-journals-0-002-r2v-dcsbm-year-erased.npz",
    ]
