import shutil

import pyarrow.parquet as pq
import pytest

from distributed_cases import write_edges
from residuum import Embedding, datasets
from residuum.distributed import DaskResidual2Vec
from residuum.distributed.vectors import check_vectors_folder
from residuum.errors import InvalidParameterError
from residuum.solvers import Landmark


@pytest.fixture
def vectors(client, edges):
    solver = Landmark(n_landmarks=150)
    model = DaskResidual2Vec(4, client=client, window=3, solver=solver, random_state=0, n_partitions=3)
    return model.fit(edges).vectors_


def test_parts_are_embeddings_with_ids_offsets_and_metadata(vectors, graph, tmp_path):
    vectors.write(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "_SUCCESS",
        *(f"part-{part:05d}.parquet" for part in range(3)),
    ]
    assert pq.read_table(tmp_path / "out").num_rows == graph.n_nodes
    part = Embedding.load(tmp_path / "out" / "part-00001.parquet")
    assert part.ids.tolist() == graph.node_ids[133:266].tolist()
    assert part.vectors.shape == (133, 4)
    assert part.metadata["method"] == "DaskResidual2Vec"
    assert "client" not in part.metadata["parameters"]


def test_a_folder_that_exists_is_replaced_only_if_asked(vectors, tmp_path):
    vectors.write(tmp_path / "out")
    shutil.copy(tmp_path / "out" / "part-00000.parquet", tmp_path / "out" / "part-00009.parquet")
    with pytest.raises(InvalidParameterError, match=r"out exists; use overwrite=True"):
        vectors.write(tmp_path / "out")
    vectors.write(tmp_path / "out", overwrite=True)
    assert not (tmp_path / "out" / "part-00009.parquet").exists()


def test_a_folder_with_other_files_is_never_replaced(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InvalidParameterError, match=r"holds 'notes\.txt', which is not a file of vectors"):
        check_vectors_folder(tmp_path, overwrite=True)
    edges = write_edges(datasets.karate_club(), tmp_path / "edges")
    with pytest.raises(InvalidParameterError, match=r"\.parquet', which is not a file of vectors"):
        check_vectors_folder(edges, overwrite=True)
    with pytest.raises(InvalidParameterError, match="is a file; vectors of a cluster are a folder"):
        check_vectors_folder(tmp_path / "notes.txt", overwrite=True)
    with pytest.raises(InvalidParameterError, match="does not exist; create it first"):
        check_vectors_folder(tmp_path / "a" / "b", overwrite=True)
