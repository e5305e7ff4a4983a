import numpy as np
import pyarrow as pa
import pytest

from residuum.errors import InvalidGraphError
from residuum.graph.edge_table import ascending_order, graph_from_table, is_table, read_pairs


def edges(**columns: list[object]) -> pa.Table:
    return pa.table(columns)


def test_ids_are_in_order_of_first_appearance_row_by_row() -> None:
    graph = graph_from_table(edges(source=["d", "a", "c"], target=["b", "d", "e"]))
    assert graph.node_ids.tolist() == ["d", "b", "a", "c", "e"]


def test_ids_are_in_order_of_first_appearance_across_chunks() -> None:
    first, second = edges(source=["9", "4"], target=["5", "9"]), edges(source=["1", "5"], target=["4", "7"])
    assert graph_from_table(pa.concat_tables([first, second])).node_ids.tolist() == ["9", "5", "4", "1", "7"]


def test_rows_with_the_same_pair_are_summed_in_either_order() -> None:
    graph = graph_from_table(edges(source=["a", "b", "a"], target=["b", "a", "b"]))
    assert graph.adjacency.toarray().tolist() == [[0, 3], [3, 0]]


def test_self_loop_counts_once() -> None:
    graph = graph_from_table(edges(source=[0, 0], target=[1, 0], weight=[1.0, 2.0]))
    assert graph.adjacency.toarray().tolist() == [[2, 1], [1, 0]]


def test_i2_a_numeric_third_column_with_a_name_is_not_the_weight() -> None:
    assert graph_from_table(edges(a=[1], b=[2], c=[5.0])).adjacency[0, 1] == 1


def test_i2_a_third_column_without_name_is_the_weight_unless_it_looks_like_something_else() -> None:
    def weighted(third: list[object]) -> bool:
        return graph_from_table(edges(**{"0": [1, 1, 2], "1": [2, 3, 3], "2": third})).is_weighted

    assert weighted([2.5, 1.0, 7.0])
    assert not weighted([1999, 2000, 1999])
    assert not weighted(["x", "y", "z"])


def test_i1_integer_ids_are_in_ascending_order() -> None:
    graph = graph_from_table(edges(source=[9, 4, 5], target=[5, 9, 1], weight=[1.0, 2.0, 3.0]))
    assert graph.node_ids.tolist() == [1, 4, 5, 9]
    assert graph.adjacency.toarray().tolist() == [[0, 0, 3, 0], [0, 0, 0, 2], [3, 0, 0, 1], [0, 2, 1, 0]]
    assert ascending_order(np.array(["b", "a"], dtype=object)) is None


@pytest.mark.parametrize(
    "source", [[1.0, np.nan], ["", "a"], [" ", "a"], [None, "a"]], ids=["nan", "empty", "blank", "null"]
)
def test_i4_an_id_that_is_missing_is_refused(source: list[object]) -> None:
    row = 1 if source[0] == 1.0 else 0
    with pytest.raises(InvalidGraphError, match=f"row {row} of the edge table has no source"):
        graph_from_table(pa.table({"source": pa.array(source, from_pandas=False), "target": ["b", "c"]}))


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        (np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]"), r"timestamp\[ns\]"),
        (np.array([True, False]), "bool"),
        (np.array([1.5, 2.0]), "1.5"),
    ],
)
def test_i4_ids_that_are_not_integers_or_strings_are_refused(ids: np.ndarray, kind: str) -> None:
    with pytest.raises(InvalidGraphError, match=f"node ids must be integers or strings; got .*{kind}"):
        graph_from_table(pa.table({"source": ids, "target": ids}))


def test_i4_whole_numbers_are_integer_ids() -> None:
    assert graph_from_table(edges(source=[1.0, 3.0], target=[2, 1])).node_ids.tolist() == [1, 2, 3]


def test_i4_time_stamps_are_not_taken_for_ends() -> None:
    when = pa.array(np.array(["2020-01-01"], dtype="datetime64[ns]"))
    graph = graph_from_table(pa.table({"at": when, "p": ["a"], "q": ["b"]}))
    assert graph.node_ids.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "rest", [{"label": ["x"]}, {"year": [1990], "month": [2]}], ids=["a string column", "two columns with other names"]
)
def test_other_columns_are_not_used_as_weight(rest: dict[str, list[object]]) -> None:
    assert graph_from_table(edges(a=[1], b=[2], **rest)).adjacency[0, 1] == 1


def test_weight_column_can_be_chosen() -> None:
    table = edges(source=[1], target=[2], weight=[3.0], miles=[8.0])
    assert graph_from_table(table, weight="miles").adjacency[0, 1] == 8


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"])),
        (pa.array(["a", "b"], pa.large_string()), pa.array(["b", "c"], pa.string_view())),
    ],
)
def test_string_types_of_different_libraries_are_equal(source: pa.Array, target: pa.Array) -> None:
    graph = graph_from_table(pa.table({"source": source, "target": target}))
    assert graph.node_ids.tolist() == ["a", "b", "c"]


def test_integer_types_of_different_width_are_equal() -> None:
    table = pa.table({"source": pa.array([1, 2], pa.int8()), "target": pa.array([2, 3], pa.uint64())})
    assert graph_from_table(table).node_ids.tolist() == [1, 2, 3]


def test_integers_and_strings_become_strings() -> None:
    assert graph_from_table(edges(source=[1, 2], target=["2", "x"])).node_ids.tolist() == ["1", "2", "x"]


def test_pairs_are_returned_row_by_row() -> None:
    source, target, weight = read_pairs(edges(source=["a", "a"], target=["b", "b"]))
    assert (source, target, weight.tolist()) == (["a", "a"], ["b", "b"], [1.0, 1.0])


def test_an_array_is_not_a_table() -> None:
    assert is_table(edges(a=[1]))
    assert not is_table(np.eye(2))


@pytest.mark.parametrize("weight", [-1.0, float("inf"), float("nan")])
def test_error_names_row_and_ends_of_an_invalid_weight(weight: float) -> None:
    table = edges(source=["a", "a"], target=["b", "c"], weight=[1.0, weight])
    with pytest.raises(InvalidGraphError, match=rf"row 1 \(from 'a' to 'c'\) has weight {weight}"):
        graph_from_table(table)


@pytest.mark.parametrize("column", ["source", "target", "weight"])
def test_error_names_the_row_of_a_missing_value(column: str) -> None:
    columns: dict[str, list[float | None]] = {"source": [1, 2], "target": [2, 3], "weight": [1, 1]}
    columns[column][1] = None
    with pytest.raises(
        InvalidGraphError, match=f"row 1 of the edge table has no {column}; fill it in, or drop the row"
    ):
        graph_from_table(pa.table(columns))


@pytest.mark.parametrize(
    ("table", "names", "message"),
    [
        (edges(source=[1]), {}, r"needs two columns, source and target; got \['source'\]"),
        (
            edges(a=[1], b=[2]),
            {"source": "z"},
            "source must be a column of the edge table, which has 'a', 'b'; got 'z'",
        ),
        (
            edges(a=[1], b=[2]),
            {"weight": "z"},
            "weight must be a column of the edge table, which has 'a', 'b'; got 'z'",
        ),
        (edges(source=[], target=[]), {}, "empty: the edge table has no rows"),
        (edges(source=[1], target=[2], weight=["x"]), {}, "must be numbers; the weight column has type string"),
        (pa.table({"a": pa.array([2**63], pa.uint64()), "b": [1]}), {}, f"id {2**63} does not fit in a 64-bit integer"),
    ],
)
def test_invalid_edge_table_is_refused(table: pa.Table, names: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidGraphError, match=message):
        graph_from_table(table, **names)
