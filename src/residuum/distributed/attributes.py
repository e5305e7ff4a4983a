"""Values of erased attributes on shared storage, from which tasks compute the columns of their nodes."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.grid import Grid
from residuum.graph import Labels
from residuum.residual import Erasure
from residuum.residual.erasure import LabelColumns, Part

__all__ = ["as_numbers", "store_attributes", "stored_columns"]


def as_numbers(attribute: Part) -> Part:
    """Return an attribute with its labels as codes, which can be written to files of arrays.

    Parameters
    ----------
    attribute : Part
        Labels or numbers.

    Returns
    -------
    Part
        Attribute with the same columns and numbers as values.
    """
    encoder, values = attribute.encoder, attribute.values
    if isinstance(encoder, LabelColumns):
        n_labels = len(encoder.labels)
        values, encoder = encoder.codes(values, values, n_labels), LabelColumns(Labels(np.arange(n_labels)))
    return Part(attribute.name, encoder, values)


def store_attributes(grid: Grid, erasure: Erasure) -> Erasure:
    """Write the values of erased attributes to shared storage.

    Parameters
    ----------
    grid : Grid
        Partition of the nodes.
    erasure : Erasure
        Attributes with values.

    Returns
    -------
    Erasure
        Attributes without their values, which tasks can be sent.
    """
    coded = [as_numbers(attribute) for attribute in erasure.parts]
    for number, attribute in enumerate(coded):
        grid.stages.save(f"erased-{number}", attribute.values)
    return replace(erasure, parts=[replace(attribute, values=attribute.values[:0]) for attribute in coded])


def stored_columns(grid: Grid, erasure: Erasure, part: int) -> NDArray[np.float64]:
    """Return the columns Z of the nodes of a part.

    Parameters
    ----------
    grid : Grid
        Partition of the nodes.
    erasure : Erasure
        Output of :func:`store_attributes`.
    part : int
        Number of the part.

    Returns
    -------
    array of shape (n, c)
        Columns of all attributes side by side.
    """
    nodes = grid.nodes(part)
    values = [np.array(grid.stages.load(f"erased-{number}")[nodes]) for number in range(len(erasure.parts))]
    parts = [replace(attribute, values=own) for attribute, own in zip(erasure.parts, values, strict=True)]
    return replace(erasure, parts=parts).columns()
