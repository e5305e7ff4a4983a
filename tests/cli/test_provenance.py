import json
from pathlib import Path

import numpy as np
import pytest

from residuum import Embedding, __version__
from residuum.cli.provenance import (
    check_inputs,
    check_vectors,
    provenance,
    read_provenance,
    record_file,
    save_vectors,
    write_record,
)
from residuum.errors import InvalidParameterError
from residuum.models.record import input_record

RECORD = {"residuum": "1", "command": ["split", "x.csv"], "inputs": []}


def test_a_record_has_version_inputs_and_facts() -> None:
    record = provenance([{"role": "graph", "file": "x.csv"}], seed=3)
    assert record == {
        "residuum": __version__,
        "command": [],
        "inputs": [{"role": "graph", "file": "x.csv"}],
        "seed": 3,
    }


def test_the_record_of_a_text_file_is_next_to_it(tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    file.write_text("source,target\n")
    write_record(file, RECORD)
    assert record_file(file) == tmp_path / "links.csv.json"
    assert read_provenance(file) == RECORD


@pytest.mark.parametrize("ending", ["parquet", "npz"])
def test_the_record_of_vectors_is_their_metadata(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"vectors.{ending}"
    Embedding([1, 2], np.eye(2), metadata=RECORD).save(file)
    assert read_provenance(file) == RECORD


def test_the_record_of_a_model_is_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"record": RECORD}))
    assert read_provenance(tmp_path) == RECORD


@pytest.mark.parametrize("record", [{}, {"command": "embed"}, {"command": []}, {"command": [1]}])
def test_a_file_without_a_command_is_an_error(tmp_path: Path, record: dict[str, object]) -> None:
    file = tmp_path / "vectors.npz"
    Embedding([1, 2], np.eye(2), metadata=record).save(file)
    with pytest.raises(InvalidParameterError, match="has no record of a command"):
        read_provenance(file)


def test_text_vectors_have_their_record_next_to_them(tmp_path: Path) -> None:
    file = tmp_path / "x.w2v"
    save_vectors(Embedding(["a", "b"], np.eye(2), metadata=RECORD), file, overwrite=False)
    assert read_provenance(file) == RECORD
    file.unlink()
    with pytest.raises(InvalidParameterError, match=r"x\.w2v\.json exists"):
        check_vectors(file, overwrite=False, inputs=[])


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="does not exist"):
        read_provenance(tmp_path / "no.csv")


def test_inputs_must_be_as_recorded(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1,2")
    record = {"inputs": [input_record("graph", file), {"role": "groups", "attribute": "side"}]}
    check_inputs(record)
    file.write_text("1,3")
    with pytest.raises(InvalidParameterError, match=r"x\.csv has changed since"):
        check_inputs(record)
    file.unlink()
    with pytest.raises(InvalidParameterError, match=r"x\.csv does not exist"):
        check_inputs(record)
