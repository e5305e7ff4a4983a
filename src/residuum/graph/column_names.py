"""Column names of edge tables: which columns are the two ends of an edge, and which is its weight."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from residuum.errors import InvalidGraphError

__all__ = ["are_column_names", "are_letters", "end_columns", "named_ends", "other_columns", "weight_column"]


def _vocabulary(text: str) -> set[str]:
    return set(text.split())


# Words that distinguish the two ends; the rest of the two names must be equal (protein1, protein2).
_ROLES = (
    *(("source", "target"), ("src", "dst"), ("src", "tgt"), ("from", "to"), ("head", "tail"), ("start", "end")),
    *(("origin", "destination"), ("orig", "dest"), ("sender", "receiver"), ("sender", "recipient")),
    *(("follower", "followee"), ("follower", "followed"), ("follower", "following"), ("citing", "cited")),
    *(("parent", "child"), ("buyer", "seller"), ("trustor", "trustee"), ("truster", "trustee"), ("rater", "ratee")),
    *(("rater", "rated"), ("caller", "callee"), ("payer", "payee"), ("lender", "borrower"), ("subject", "object")),
    *(("ego", "alter"), ("predator", "prey"), ("voter", "votee"), ("reviewer", "reviewed"), ("mentor", "mentee")),
    *(("importer", "exporter"), ("reporter", "partner"), ("left", "right"), ("row", "column"), ("row", "col")),
    *(("one", "two"), ("first", "second"), ("0", "1"), ("1", "2"), ("a", "b"), ("i", "j"), ("u", "v"), ("x", "y")),
    ("s", "t"),
)
_LETTERS = {word for role in _ROLES for word in role if len(word) == 1}
_SOURCES, _TARGETS = ({role[end] for role in _ROLES if len(role[end]) > 1} for end in (0, 1))
# Words for what nodes are; two of them name the ends of an edge (user, item).
_NOUNS = _vocabulary(
    """
    account actor agent airport alias artist article author blog book buyer category character city coauthor company
    concept contact country course customer director disease district document drug employee employer entity event
    film firm follower friend gene group hashtag host individual institution investor ip item journal keyword member
    mention merchant movie neighbor neighbour neuron organization page paper patient people person player playlist
    product protein publication query reader recipient reference region repository reviewer route school sender site
    skill song species station stop student subreddit supplier tag teacher team term thread topic track url user
    venue visitor website word
    """
)
_WEIGHTS = ("weight", "weights", "w", "wt", "count", "counts", "value", "values", "strength", "frequency", "freq")
_TIMES = _vocabulary(
    """
    time timestamp timestamps ts date datetime year month day hour epoch created updated when
    """
)
_INDICES = {(), ("unnamed",), ("index",), ("idx",), ("rownames",), ("row",), ("edge",), ("eid",), ("key",)}
_QUALITIES = _vocabulary(
    """
    type label relation rel relationship kind category sign rating score distance length duration comment
    probability confidence similarity amount price trips miles direction color lat lon latitude longitude
    """
)
_FILLERS = {"id", "ids", "name", "node", "nodes", "vertex", "number", "no"}


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name: ``FromNodeId`` is ("from",), ``protein_1`` is ("protein", "1")."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)", " ", name)
    words = tuple(re.split(r"[\W_]+", spaced.lower().strip()))
    words = tuple(word for word in words if word)
    return tuple(word for word in words if word not in _FILLERS) or words


def named_ends(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of two columns whose names say that they are the ends of an edge.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.

    Returns
    -------
    tuple of two ints, or None
        Source and target; None if no two names belong together.

    Examples
    --------
    >>> named_ends(["year", "protein1", "protein2"]), named_ends(["ToNodeId", "FromNodeId"]), named_ends(["to", "be"])
    ((1, 2), (1, 0), None)
    """
    # Names that are equal but for one word, by this word; the first column of each word.
    alike: dict[tuple[Any, ...], dict[str, int]] = {}
    for column, name in enumerate(names):
        words = _words(name)
        for position, word in enumerate(words):
            others = (words[:position], words[position + 1 :])
            alike.setdefault(others, {}).setdefault(word, column)
    groups = [group for group in alike.values() if len(group) > 1]
    for source, target in _ROLES:
        for group in groups:
            if source in group and target in group:
                return group[source], group[target]
    nouns = [[column for word, column in group.items() if word in _NOUNS][:2] for group in groups]
    return min(((pair[0], pair[1]) for pair in nouns if len(pair) == 2), default=None)


def are_column_names(cells: Sequence[str]) -> bool:
    """Return whether the cells of a row are usual column names of edge tables.

    Parameters
    ----------
    cells : sequence of str
        First row of a file.

    Returns
    -------
    bool
        True if two cells name the ends of an edge, or if each cell is a usual name.

    Examples
    --------
    >>> are_column_names(["follower", "followee", "zz"]), are_column_names(["source", "source"])
    (True, True)
    >>> are_column_names(["Valjean", "Javert"])
    False
    """
    if named_ends(cells) is not None:
        return True
    return all(_penalty(cell) > 0 or (set(_words(cell)) & (_SOURCES | _TARGETS | _NOUNS)) for cell in cells)


def are_letters(cells: Sequence[str]) -> bool:
    """Return whether the cells are names of one letter, such as i and j, which may also be node ids.

    Parameters
    ----------
    cells : sequence of str
        First row of a file.

    Returns
    -------
    bool
        True if all cells are single letters that are used as column names.
    """
    return {cell.lower() for cell in cells} <= _LETTERS


def end_columns(names: Sequence[str], source: str | None, target: str | None) -> tuple[str, str]:
    """Return the names of the source and target columns.

    They are the columns chosen by the user, else those whose names belong together (``follower`` and ``followee``,
    ``gene_a`` and ``gene_b``), else the first two that are not an index, a time, a weight or a quality of the edge.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.
    source, target : str or None
        Names chosen by the user; None to detect them.

    Returns
    -------
    source, target : str
        Two different names.
    """
    if len(names) < 2:
        raise InvalidGraphError(f"an edge table needs two columns, source and target; got {list(names)}.")
    duplicate, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise InvalidGraphError(f"the column name {duplicate!r} occurs twice; rename one of the columns.")
    _require_column("source", source, names)
    _require_column("target", target, names)
    if source is not None and source == target:
        raise InvalidGraphError(f"source and target must be two columns; both are {source!r}.")
    if source is None and target is None:
        ends = named_ends(names)
        if ends is not None:
            return names[ends[0]], names[ends[1]]
    chosen = {source, target}
    target = target or next((name for name in names if name not in chosen and set(_words(name)) & _TARGETS), None)
    remaining = sorted((name for name in names if name not in {source, target}), key=_penalty)
    source = source or next((name for name in remaining if set(_words(name)) & _SOURCES), None)
    free = (name for name in sorted(remaining[:2], key=list(names).index) if name != source)
    source = source or next(free)
    return source, target or next(free)


def _require_column(parameter: str, name: str | None, names: Sequence[str]) -> None:
    if name is not None and name not in names:
        listed = ", ".join(map(repr, names))
        raise InvalidGraphError(f"{parameter} must be a column of the edge table, which has {listed}; got {name!r}.")


def _penalty(name: str) -> int:
    """Return how unlikely a column holds node ids, from 0 (likely) to 4."""
    words = _words(name)
    if not words or words in _INDICES or words[0] == "unnamed":
        return 4
    if set(words) & _TIMES:
        return 3
    if words[-1] in _WEIGHTS or set(words) & _QUALITIES:
        return 2
    return 1 if words == ("id",) else 0


def weight_column(names: Sequence[str], weight: str | None, ends: Sequence[str]) -> str | None:
    """Return the name of the weight column: as chosen, else by usual name (``weight`` first), else None.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.
    weight : str or None
        Name chosen by the user; None to detect it.
    ends : sequence of str
        Names of the source and target columns.

    Returns
    -------
    str or None
        None if no column has a usual name.

    Examples
    --------
    >>> weight_column(["a", "b", "year", "Edge Weight"], None, ["a", "b"])
    'Edge Weight'
    >>> weight_column(["a", "b", "year"], None, ["a", "b"]) is None
    True
    """
    if weight is not None:
        _require_column("weight", weight, names)
        if weight in ends:
            raise InvalidGraphError(f"weight must be another column than the two ends; got {weight!r}.")
        return weight
    words = {name: _words(name) for name in names if name not in ends}
    for usual in _WEIGHTS:
        named = next((name for name, of_name in words.items() if of_name == (usual,)), None)
        if named is not None:
            return named
    return next((name for name, of_name in words.items() if of_name[-1:] == ("weight",)), None)


def other_columns(names: Sequence[str], used: Sequence[str | None]) -> str:
    """Return a remark that names the columns that are not used, or an empty string.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.
    used : sequence of str or None
        Source, target and weight.

    Returns
    -------
    str
        Remark for the description of what was read.

    Examples
    --------
    >>> other_columns(["a", "b", "year"], ["a", "b", None])
    "not used: 'year' (name a column as weight to use it)"
    """
    others = [repr(name) for name in names if name not in used]
    if not others:
        return ""
    hint = " (name a column as weight to use it)" if None in used else ""
    return f"not used: {', '.join(others[:5])}{', …' if len(others) > 5 else ''}{hint}"
