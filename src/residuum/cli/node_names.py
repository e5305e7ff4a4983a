"""Nodes on the command line: ids as text, and names from a node table."""

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from residuum.cli.display import printed_log
from residuum.errors import InvalidParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NodeNames"]


class NodeNames:
    """Node ids and the names that people know the nodes by.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids.
    names : dict of node id to str, optional
        Names; nodes without a name are known by their ids.

    Examples
    --------
    >>> import numpy as np
    >>> names = NodeNames(np.array([17, 18]), {17: "JFK", 18: "LHR"})
    >>> names.identity("JFK"), names.identity("18"), names.name(18)
    (17, 18, 'LHR')
    """

    def __init__(self, ids: "NDArray[Any]", names: dict[Any, str] | None = None) -> None:
        self._ids = set(ids.tolist())
        self._name_of = names or {}
        self._id_of = {name: node for node, name in self._name_of.items()}
        self._n_named = Counter(self._name_of.values())

    @classmethod
    def read(cls, ids: "NDArray[Any]", text: str | None, *, quiet: bool = False) -> "NodeNames":
        """Return the names in a column of a node table.

        Parameters
        ----------
        ids : array of shape (N,)
            Node ids.
        text : str or None
            Value of ``--names``: ``FILE:COLUMN``. None if nodes have no names.
        quiet : bool
            Whether not to print what the file was taken for.

        Returns
        -------
        NodeNames
            Ids and names.
        """
        if text is None:
            return cls(ids)
        # Slow to import, and not needed without names.
        from scipy import sparse

        from residuum.graph import Graph, read_node_column

        file, _, column = text.rpartition(":")
        if not file or not column:
            raise InvalidParameterError(f"--names must be FILE:COLUMN; got {text!r}.")
        # Node tables are read for the nodes of a graph; self-loops are the least graph that has them.
        nodes = Graph(sparse.eye_array(len(ids), format="csr"), ids)
        with printed_log(not quiet):
            values = read_node_column(Path(file), column, nodes)
        known = {node: values.get(node) for node in ids.tolist()}
        return cls(ids, {node: str(value) for node, value in known.items() if value is not None})

    def identity(self, text: str) -> Any:
        """Return the node that a text means: a name, an id, or the integer id it spells.

        Parameters
        ----------
        text : str
            Argument of a command.

        Returns
        -------
        node id
            The text itself if no node has this name or id.

        Raises
        ------
        InvalidParameterError
            If several nodes have this name.
        """
        if self._n_named[text] > 1:
            raise InvalidParameterError(
                f"{self._n_named[text]} nodes have the name {text!r}; use the id, such as {self._id_of[text]!r}."
            )
        if text in self._id_of:
            return self._id_of[text]
        if text not in self._ids and re.fullmatch(r"-?[0-9]+", text) and int(text) in self._ids:
            return int(text)
        return text

    def name(self, identity: Any) -> str:
        """Return the name of a node, or its id as text.

        Parameters
        ----------
        identity : node id
            Node of the graph or embedding.

        Returns
        -------
        str
            Name or id.
        """
        return self._name_of.get(identity, str(identity))

    def columns(self, title: str, nodes: list[Any]) -> dict[str, list[Any]]:
        """Return a column of ids and, if nodes have names, a column of names.

        Parameters
        ----------
        title : str
            Name of the column of ids.
        nodes : list of node ids
            One per row.

        Returns
        -------
        dict of str to list
            Cells by column.
        """
        columns = {title: nodes}
        return {**columns, f"{title}_name": list(map(self.name, nodes))} if self._name_of else columns
