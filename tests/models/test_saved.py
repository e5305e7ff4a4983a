import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from residuum import DeepWalk, NetMF, Node2Vec, Residual2Vec, Residual2VecCV, datasets, nulls
from residuum.errors import EmbeddingFileError, InvalidParameterError, ResiduumError
from residuum.graph import Graph

# Warnings about groups, structure and solvers are not the subject here.
pytestmark = pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")

KARATE = datasets.karate_club()
NEW = KARATE.adjacency[[0, 5, 33]]
CLUBS = KARATE.node_attributes["club"][[0, 5, 33]]
XY = np.random.default_rng(0).normal(size=(34, 2))
WALKS = {"n_walks": 1, "walk_length": 5, "epochs": 1, "window": 2, "n_jobs": 1, "random_state": 0}

MODELS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "default": (lambda: Residual2Vec(4, random_state=0), {}),
    "landmark": (lambda: Residual2Vec(4, solver="landmark", random_state=0), {}),
    "block": (lambda: Residual2Vec(4, solver="block", random_state=0), {}),
    "skipgram": (lambda: Residual2Vec(4, solver="skipgram", random_state=0, n_jobs=1), {}),
    "refined": (lambda: Residual2Vec(4, refine=2, random_state=0), {}),
    "window": (lambda: Residual2Vec(4, window=[2, 1], random_state=0), {}),
    "groups": (lambda: Residual2Vec(4, null_model=nulls.DegreeCorrectedSBM("club"), random_state=0), {"groups": CLUBS}),
    "degrees": (lambda: Residual2Vec(4, null_model="degree-correlated", random_state=0), {}),
    "product": (
        lambda: Residual2Vec(4, null_model=nulls.DegreeCorrectedSBM("club") * nulls.DegreeCorrelated(), random_state=0),
        {"groups": CLUBS},
    ),
    "spatial": (lambda: Residual2Vec(4, null_model=nulls.Spatial(XY), random_state=0), {"groups": XY[:3]}),
    "erased null": (
        lambda: Residual2Vec(4, null_model=nulls.DegreeCorrectedSBM("club"), erase="null", random_state=0),
        {"groups": CLUBS},
    ),
    "erased degree": (lambda: Residual2Vec(4, erase="degree", random_state=0), {}),
    "erased label": (lambda: Residual2Vec(4, erase="club", random_state=0), {"attributes": {"club": CLUBS}}),
    "distribution": (
        lambda: Residual2Vec(4, erase="club", erase_level="distribution", random_state=0),
        {"attributes": {"club": CLUBS}},
    ),
    "netmf": (lambda: NetMF(4, random_state=0), {}),
    "deepwalk": (lambda: DeepWalk(4, **WALKS), {}),
    "node2vec": (lambda: Node2Vec(4, p=0.5, **WALKS), {}),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_loaded_model_transforms_and_scores_as_the_saved_one(tmp_path: Path, name: str) -> None:
    make, values = MODELS[name]
    model = make().fit(KARATE)
    model.save(tmp_path / "x.r2m")
    loaded = type(model).load(tmp_path / "x.r2m")
    np.testing.assert_allclose(loaded.transform(NEW, **values), model.transform(NEW, **values), rtol=1e-6, atol=1e-6)
    assert loaded.to_embedding() == model.to_embedding()
    np.testing.assert_array_equal(loaded.score_pairs(0, [1, 33], "full"), model.score_pairs(0, [1, 33], "full"))
    assert repr(loaded) == repr(model.set_params(n_jobs=None))
    described, expected = loaded.to_embedding().metadata, model.to_embedding().metadata
    assert {key: described[key] for key in ("method", "graph", "solver", "erased", "window")} == {
        key: expected[key] for key in ("method", "graph", "solver", "erased", "window")
    }


@pytest.mark.parametrize("floor", [-3.0, 0.0])
def test_a_directed_graph_with_text_ids(tmp_path: Path, floor: float) -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((20, 20)) < 0.2).astype(float)
    graph = Graph(dense, [f"n{i}" for i in range(20)], directed=True)
    model = Residual2Vec(4, floor=floor, erase="degree", random_state=0).fit(graph)
    model.save(tmp_path / "x.r2m")
    loaded = Residual2Vec.load(tmp_path / "x.r2m")
    assert loaded.node_ids_.tolist() == graph.node_ids.tolist()
    np.testing.assert_allclose(loaded.transform(dense[:4]), model.transform(dense[:4]), rtol=1e-6, atol=1e-6)


def test_a_tuned_model_is_saved_as_its_best_estimator(tmp_path: Path) -> None:
    model = Residual2VecCV(4, search={"floor": [-1.0, -2.0]}, random_state=0).fit(KARATE)
    model.save(tmp_path / "x.r2m")
    loaded = Residual2Vec.load(tmp_path / "x.r2m")
    np.testing.assert_allclose(loaded.transform(NEW), model.transform(NEW), rtol=1e-6, atol=1e-6)


def test_no_file_is_a_pickle(tmp_path: Path) -> None:
    Residual2Vec(4, erase="club", random_state=0).fit(KARATE).save(tmp_path / "x.r2m")
    for file in (tmp_path / "x.r2m").glob("*.npz"):
        with np.load(file, allow_pickle=False) as arrays:
            assert all(arrays[name].dtype != object for name in arrays)


def test_a_parameter_that_is_an_object_must_be_set_before_a_fit(tmp_path: Path) -> None:
    Residual2Vec(4, null_model=nulls.DegreeCorrectedSBM("club"), random_state=0).fit(KARATE).save(tmp_path / "x.r2m")
    loaded = Residual2Vec.load(tmp_path / "x.r2m")
    with pytest.raises(InvalidParameterError, match="null_model of this loaded model was not saved"):
        loaded.fit(KARATE)
    assert loaded.set_params(null_model="configuration").fit(KARATE).solver_ == "exact"


def test_a_sampled_null_model_cannot_be_saved(tmp_path: Path) -> None:
    model = Residual2Vec(4, null_model=nulls.SampledNull(n_samples=2), random_state=0).fit(KARATE)
    with pytest.raises(InvalidParameterError, match="sampled null model cannot embed out-of-sample nodes"):
        model.save(tmp_path / "x.r2m")
    assert not (tmp_path / "x.r2m").exists()


def test_existing_folders_are_kept(tmp_path: Path) -> None:
    model = Residual2Vec(4, random_state=0).fit(KARATE)
    model.save(tmp_path / "x.r2m")
    with pytest.raises(InvalidParameterError, match="exists; use overwrite=True"):
        model.save(tmp_path / "x.r2m")
    model.save(tmp_path / "x.r2m", overwrite=True)
    (tmp_path / "mine.r2m").mkdir()
    with pytest.raises(InvalidParameterError, match="is a folder, but not a model"):
        model.save(tmp_path / "mine.r2m", overwrite=True)
    with pytest.raises(InvalidParameterError, match=r"must end in \.r2m"):
        model.save(tmp_path / "x.npz")


def test_a_model_of_another_class_is_an_error(tmp_path: Path) -> None:
    NetMF(4, random_state=0).fit(KARATE).save(tmp_path / "x.r2m")
    with pytest.raises(EmbeddingFileError, match="has a NetMF, not a Residual2Vec"):
        Residual2Vec.load(tmp_path / "x.r2m")


@pytest.mark.parametrize("path", ["no.r2m", "empty.r2m"])
def test_a_missing_model_is_an_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "empty.r2m").mkdir()
    with pytest.raises(EmbeddingFileError, match=r"does not exist|it has no model\.json"):
        Residual2Vec.load(tmp_path / path)


def damaged(folder: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    header = json.loads((folder / "model.json").read_text())
    with np.load(folder / "arrays.npz") as stored:
        arrays = dict(stored)
    change(header, arrays)
    (folder / "model.json").write_text(json.dumps(header))
    np.savez(folder / "arrays.npz", **arrays)


def argument(header: dict[str, Any], *path: str) -> Any:
    code = header["out_of_sample"]
    for name in path:
        code = code["arguments"][name]
    return code


def out_of_range(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays[argument(header, "matrix", "null", "block_form", "groups")["array"]] += 7


def too_short(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    name = argument(header, "matrix", "null", "block_form", "theta")["array"]
    arrays[name] = arrays[name][:-1]


def fewer_vectors(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    name = header["vectors"][0]["array"]
    arrays[name] = arrays[name][:-1]


@pytest.mark.parametrize(
    "change",
    [
        out_of_range,
        too_short,
        fewer_vectors,
        lambda header, _: header.update(format="other"),
        lambda header, _: header.update(method="os.system"),
        lambda header, _: header["out_of_sample"].update({"class": "subprocess.Popen"}),
        lambda header, _: header.pop("vectors"),
        lambda header, _: header["out_of_sample"]["arguments"].pop("readout"),
        lambda _, arrays: arrays.clear(),
    ],
)
def test_a_damaged_model_is_an_error_that_names_it(
    tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]
) -> None:
    Residual2Vec(4, random_state=0).fit(KARATE).save(tmp_path / "x.r2m")
    damaged(tmp_path / "x.r2m", change)
    with pytest.raises(ResiduumError, match=r"x\.r2m"):
        Residual2Vec.load(tmp_path / "x.r2m")


def test_damaged_parts_that_only_new_nodes_need_are_an_error_that_names_the_model(tmp_path: Path) -> None:
    graph = datasets.karate_club()
    Residual2Vec(2, erase="club", random_state=0).fit(graph).save(tmp_path / "x.r2m")
    loaded = Residual2Vec.load(tmp_path / "x.r2m")
    loaded._out_of_sample = None  # type: ignore[assignment]
    with pytest.raises(EmbeddingFileError, match=r"x\.r2m is damaged, or was written by another version"):
        loaded.transform(graph.adjacency[:1], attributes={"club": ["Mr. Hi"]})
