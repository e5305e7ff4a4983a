import json

import numpy as np
import pytest
from click.testing import CliRunner

from distributed_cases import read_vectors, write_edges
from residuum import Residual2Vec, datasets
from residuum.cli.main import main
from residuum.solvers import Landmark

distributed = pytest.importorskip("distributed", reason="the [distributed] extra is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:Exception ignored in. <function BaseEventLoop")

GRAPH = datasets.planted_groups(400, 4, random_state=0)
OPTIONS = ["--dim", "4", "--landmarks", "150", "--window", "3", "--partitions", "2"]


@pytest.fixture(scope="module")
def address():
    settings = {"processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **settings) as cluster:
        yield cluster.scheduler_address


def run(*arguments):
    return CliRunner().invoke(main, ["embed", *map(str, arguments)])


def test_a_folder_of_edges_becomes_a_folder_of_vectors(address, tmp_path):
    edges = write_edges(GRAPH, tmp_path / "edges")
    result = run(edges, "-o", tmp_path / "vectors", "--scheduler", address, *OPTIONS)
    assert result.exit_code == 0, result.output
    assert "vectors: 400 nodes, 4 dimensions, landmark solver, 2 files" in result.output
    solver = Landmark(n_landmarks=150)
    local = Residual2Vec(4, window=3, solver=solver, random_state=0).fit(GRAPH)
    np.testing.assert_allclose(read_vectors(tmp_path / "vectors")["vector"], local.embedding_, atol=1e-4)


def test_attributes_of_a_file_are_matched_by_id(address, tmp_path):
    edges = write_edges(GRAPH, tmp_path / "edges")
    rows = "\n".join(f"{node},{'ab'[node % 2]}" for node in range(400))
    (tmp_path / "people.csv").write_text(f"id,side\n{rows}\n")
    result = run(
        edges, "-o", tmp_path / "vectors", "--scheduler", address, *OPTIONS, "--floor", "0", "--json", "--groups",
        f"{tmp_path / 'people.csv'}:side", "--checkpoint", tmp_path / "run",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    outcome = json.loads(result.stdout)
    assert outcome["null_model"].startswith("DegreeCorrectedSBM")
    assert (tmp_path / "run" / "graph" / "graph.json").exists()


REFUSED = {
    "method": (["--method", "deepwalk"], "--method does not apply to --scheduler"),
    "tune": (["--tune", "both"], "--tune does not apply to --scheduler: tune the parameters on a sample"),
    "threads": (["--threads", "2"], "--threads does not apply to --scheduler"),
    "solver": (["--solver", "exact"], "on a cluster; got 'exact'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_options_of_one_machine_are_refused(address, tmp_path, case):
    edges = write_edges(GRAPH, tmp_path / "edges")
    arguments, message = REFUSED[case]
    options = OPTIONS if case != "solver" else ["--dim", "4"]
    result = run(edges, "-o", tmp_path / "vectors", "--scheduler", address, *options, *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.output.split())
    assert not (tmp_path / "vectors").exists()


def test_the_input_is_never_replaced_and_partitions_need_a_scheduler(tmp_path):
    edges = write_edges(GRAPH, tmp_path / "edges")
    result = run(edges, "-o", edges / "vectors", "--scheduler", "local")
    assert "is, lies in, or contains the input" in " ".join(result.output.split())
    result = run(next(edges.glob("*.parquet")), "-o", edges, "--scheduler", "local", "--overwrite")
    assert "which is not a file of vectors" in " ".join(result.output.split())
    (tmp_path / "link").symlink_to(edges)
    for output in (tmp_path / "link", tmp_path / "link" / "vectors"):
        assert run(edges, "-o", output, "--scheduler", "local", "--overwrite").exit_code != 0
    assert len(list(edges.glob("*.parquet"))) > 1
    result = run(edges, "-o", tmp_path / "vectors.parquet", "--partitions", "2")
    assert "--partitions applies to a cluster only" in " ".join(result.output.split())


def test_an_address_without_a_scheduler_is_an_error_with_a_way_out(tmp_path, monkeypatch):
    import dask

    edges = write_edges(GRAPH, tmp_path / "edges")
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        result = run(edges, "-o", tmp_path / "vectors", "--scheduler", "tcp://127.0.0.1:9")
    assert "no scheduler answers at tcp://127.0.0.1:9; start one with 'dask scheduler'" in " ".join(
        result.output.split()
    )
