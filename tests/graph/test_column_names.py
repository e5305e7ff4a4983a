import pytest

from residuum.errors import InvalidGraphError
from residuum.graph.column_names import (
    are_column_names,
    are_letters,
    end_columns,
    named_ends,
    other_columns,
    weight_column,
)


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        (["source", "target"], ("source", "target")),
        (["weight", "To", "FROM"], ("FROM", "To")),
        (["x", "y", "z"], ("x", "y")),
        (["target", "x"], ("x", "target")),
        (["x", "src"], ("src", "x")),
    ],
)
def test_ends_are_identified_by_name_else_by_position(names: list[str], ends: tuple[str, str]) -> None:
    assert end_columns(names, None, None) == ends


@pytest.mark.parametrize(
    ("source", "target", "ends"),
    [("c", None, ("c", "a")), (None, "a", ("b", "a")), (None, "source", ("a", "source")), ("b", "a", ("b", "a"))],
)
def test_a_named_column_is_never_both_ends(source: str | None, target: str | None, ends: tuple[str, str]) -> None:
    names = ["a", "b", "c"] if "source" not in (source, target) else ["a", "source"]
    assert end_columns(names, source, target) == ends


@pytest.mark.parametrize(
    "header",
    [
        *("protein1,protein2", "follower,followee", "citing,cited", "user,item", "i,j", "a,b", "Node A,Node B"),
        *("FromNodeId,ToNodeId", "from_user_id,to_user_id", "source_id,target_id", "gene_a,gene_b", "ID1,ID2"),
        *("user_id,movie_id", "sender,recipient", "author,paper", "person,friend", "ego,alter", "subject,object"),
    ],
)
def test_i3_pairs_of_names_are_recognized(header: str) -> None:
    names = header.split(",")
    assert named_ends(names) == (0, 1)
    assert are_column_names(names)
    # Other columns before them do not matter.
    assert end_columns(["id", "year", *names, "weight"], None, None) == tuple(names)


@pytest.mark.parametrize("cells", [("ann", "bob"), ("to", "be"), ("TP53", "BRCA1"), ("Valjean", "Javert")])
def test_names_of_nodes_are_not_column_names(cells: tuple[str, str]) -> None:
    assert named_ends(cells) is None
    assert not are_column_names(cells)


def test_single_letters_may_be_nodes() -> None:
    assert are_letters(["i", "J"])
    assert not are_letters(["i", "ann"])


def test_i4_a_name_that_occurs_twice_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match="column name 'source' occurs twice"):
        end_columns(["source", "source"], None, None)


def test_i2_columns_that_hold_no_ids_are_the_last_choice() -> None:
    assert end_columns(["Unnamed: 0", "timestamp", "p", "q"], None, None) == ("p", "q")
    assert end_columns(["year", "p"], None, None) == ("year", "p")


def test_weight_and_ends_are_different_columns() -> None:
    with pytest.raises(InvalidGraphError, match="must be another column than the two ends; got 'a'"):
        weight_column(["a", "b"], "a", ["a", "b"])
    with pytest.raises(InvalidGraphError, match="source and target must be two columns; both are 'a'"):
        end_columns(["a", "b"], "a", "a")


def test_columns_that_are_not_used_are_named_with_the_way_to_use_them() -> None:
    assert other_columns(["a", "b", "n"], ["a", "b", "n"]) == ""
    assert other_columns(list("abcdefgh"), ["a", "b", "c"]) == "not used: 'd', 'e', 'f', 'g', 'h'"
