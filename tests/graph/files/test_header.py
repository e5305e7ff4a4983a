import pytest

from residuum.graph.files.header import is_number, looks_like_header


@pytest.mark.parametrize(
    ("cell", "decimal", "expected"),
    [
        ("1", ".", True),
        ("-1e-300", ".", True),
        ("inf", ".", True),
        ("nan", ".", True),
        ("", ".", False),
        ("1,5", ".", False),
        ("1,5", ",", True),
        ("1_000", ".", False),
    ],
)
def test_numbers_are_what_float_accepts(cell: str, decimal: str, expected: bool) -> None:
    assert is_number(cell, decimal) is expected


@pytest.mark.parametrize(
    ("first", "rows", "expected"),
    [
        ("protein1 protein2", ["BRCA1 TP53"], True),
        ("i j", ["ann bob"], True),
        ("i j", ["k l"], False),
        ("a b", ["1 2"], True),
        ("foo bar", ["1 2"], True),
        ("foo bar baz", ["ann bob 2", "bob cid 3"], True),
        ("foo bar", ["ann bob", "bob cid"], False),
        ("node1 node2", ["node2 node3"], False),
        ("to be", ["be or", "or not"], False),
        ("1 2", ["3 4"], False),
        ("ann bob x", ["bob cid 1"], False),
    ],
)
def test_i3_a_header_is_detected_by_names_and_content(first: str, rows: list[str], expected: bool) -> None:
    assert looks_like_header(first.split(), [row.split() for row in rows]) is expected


def test_i3_words_that_never_occur_again_are_a_header_if_nearly_all_nodes_do() -> None:
    ring = [[f"n{k}", f"n{(k + 1) % 30}"] for k in range(30)]
    assert looks_like_header(["deltaker", "venn"], ring)
    pairs = [[f"n{k}", f"m{k}"] for k in range(30)]
    assert not looks_like_header(["deltaker", "venn"], pairs)


def test_an_empty_first_cell_is_the_index_of_a_data_frame_if_it_counts_rows() -> None:
    assert looks_like_header(["", "0", "1"], [["0", "5", "7"], ["1", "7", "9"]])
    assert not looks_like_header(["", "b", "2.5"], [["a", "c", "1"]])
