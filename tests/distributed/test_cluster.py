import operator
import time

import dask
import numpy as np
import pytest

import distributed
from residuum._progress import Stage
from residuum._threads import n_threads
from residuum.distributed.cluster import Cluster, alone
from residuum.errors import ClusterError, InvalidGraphError


def fail(number):
    if number == 3:
        raise InvalidGraphError("row 3 is damaged.")
    return number


def test_results_are_in_the_order_of_the_items_and_advance_the_stage(cluster):
    events = []
    stage = Stage("powers", 10, events.append)
    assert cluster.map("powers", pow, [(k, 2) for k in range(10)], stage) == [k**2 for k in range(10)]
    assert events[-1].done == 10


@pytest.mark.parametrize("n_items", [1, 8, 30])
def test_sums_are_added_up_in_a_tree(cluster, n_items):
    total = cluster.total("sums", np.full, [(2, float(k)) for k in range(n_items)])
    np.testing.assert_array_equal(total, np.full(2, n_items * (n_items - 1) / 2))


def test_several_sums_are_on_the_cluster_at_once(cluster):
    events = []
    groups = [[(k, 2) for k in range(n)] for n in (1, 9, 3)]
    totals = cluster.totals("squares", pow, groups, Stage("squares", 13, events.append))
    assert totals == [0, 204, 5]
    assert events[-1].done == 13


def test_only_a_few_graphs_are_on_the_cluster_at_a_time(cluster):
    built = []

    def build(number):
        built.append((number, len(done)))
        return [dask.delayed(operator.add)(number, 1)]

    done = []
    graphs = [lambda number=number: build(number) for number in range(6)]
    assert cluster.compute("sums", graphs, 2, done.append) == [[number + 1] for number in range(6)]
    assert all(number - finished < 2 for number, finished in built)
    assert done == list(range(6))


def test_an_error_of_a_task_is_raised_as_it_is(cluster):
    with pytest.raises(InvalidGraphError, match="row 3 is damaged"):
        cluster.map("checks", fail, [(k,) for k in range(6)])


def timed_out(number):
    if number == 3:
        raise TimeoutError("the disk does not answer")
    return number


def test_a_task_that_times_out_is_an_error(cluster):
    with pytest.raises(ClusterError, match="stage 'reads'"):
        cluster.map("reads", timed_out, [(k,) for k in range(6)])


def test_a_cluster_that_lost_all_workers_is_given_up(monkeypatch):
    monkeypatch.setattr("residuum.distributed.cluster._PATIENCE", 0.3)
    settings = {"processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=0, **settings) as empty, distributed.Client(empty) as client:
        with pytest.raises(ClusterError, match=r"no worker is left, .* run the same command again"):
            Cluster(client).map("powers", pow, [(2, 2)])
        with pytest.raises(ClusterError, match="no worker is left"):
            Cluster(client).compute("sums", [lambda: [dask.delayed(operator.add)(1, 1)]])


def test_a_closed_client_is_refused(tmp_path):
    with distributed.Client(processes=False, n_workers=1, dashboard_address=":0") as client:
        pass
    with pytest.raises(ClusterError, match="the client of the cluster is closed"):
        Cluster(client).check_storage(tmp_path)


def test_slow_tasks_are_waited_for(cluster, monkeypatch):
    monkeypatch.setattr("residuum.distributed.cluster._PATIENCE", 0.1)
    assert cluster.map("naps", slowly, [(k,) for k in range(3)]) == [0, 1, 2]


def slowly(number):
    time.sleep(0.3)
    return number


def test_a_folder_that_workers_do_not_see_is_refused(cluster, tmp_path, monkeypatch):
    cluster.check_storage(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("residuum.distributed.cluster._sees", lambda path: False)
    with pytest.raises(ClusterError, match=r"2 of 2 workers do not see .* on storage that this machine and all"):
        cluster.check_storage(tmp_path)


def test_a_task_has_one_thread():
    assert alone(n_threads) == 1


def test_the_cluster_knows_its_threads_and_memory(cluster):
    assert cluster.n_threads == 2
    assert cluster.thread_bytes > 0
