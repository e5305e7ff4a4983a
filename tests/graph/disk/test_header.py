import json
from pathlib import Path

import pytest

from residuum.errors import GraphFileError, InvalidParameterError
from residuum.graph import Graph, write_graph
from residuum.graph.disk.header import foreign_file, read_header

PAIR = Graph([[0, 1], [1, 0]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_graph(PAIR, tmp_path / "g.r2g")
    return tmp_path / "g.r2g"


def rewrite(folder: Path, **changes: object) -> None:
    file = folder / "header.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize("name", ["../indices.npy", "/etc/passwd", "reverse_indices.npy", ""])
def test_s8_a_header_lists_the_files_of_a_graph_and_no_others(folder: Path, name: str) -> None:
    files = read_header(folder)["files"]
    rewrite(folder, files=files | {name: files["indices.npy"]})
    with pytest.raises(GraphFileError, match=f"lists the file {name!r}, which no graph has"):
        read_header(folder)


@pytest.mark.parametrize("record", [None, 1, {}, {"bytes": "1", "checksum": "", "dtype": None, "length": None}])
def test_s7_an_incomplete_record_is_named(folder: Path, record: object) -> None:
    rewrite(folder, files=read_header(folder)["files"] | {"indices.npy": record})
    with pytest.raises(GraphFileError, match=r"the record of 'indices\.npy' is incomplete"):
        read_header(folder)


@pytest.mark.parametrize("changes", [{"n_nodes": True}, {"n_nodes": "2"}, {"n_entries": 0}, {"origin": [1]}])
def test_s7_values_of_the_wrong_type_are_refused(folder: Path, changes: dict[str, object]) -> None:
    rewrite(folder, **changes)
    with pytest.raises(GraphFileError, match=r"header\.json is damaged"):
        read_header(folder)


def test_s4_a_folder_with_other_content_is_never_replaced(folder: Path) -> None:
    assert foreign_file(folder) is None
    (folder / "thesis.tex").write_text("years of work")
    assert foreign_file(folder) == "thesis.tex"
    with pytest.raises(InvalidParameterError, match=r"g\.r2g contains 'thesis\.tex', which is not part of a graph"):
        write_graph(PAIR, folder, overwrite=True)
    assert (folder / "thesis.tex").read_text() == "years of work"


def test_s4_a_folder_with_the_header_of_something_else_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "site.r2g").mkdir()
    (tmp_path / "site.r2g" / "header.json").write_text('{"format": "web site"}')
    with pytest.raises(InvalidParameterError, match=r"site\.r2g exists and is not a residuum graph"):
        write_graph(PAIR, tmp_path / "site.r2g", overwrite=True)
    assert (tmp_path / "site.r2g" / "header.json").exists()
