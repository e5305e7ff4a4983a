"""Alias tables for sampling contexts from a null model in block form inside kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.alias import alias_of
from residuum.nulls.block_form import BlockForm

__all__ = ["DrawTables", "draw_tables", "no_tables"]

# Arguments of the kernel draw_context that follow the center.
DrawTables = tuple[Any, ...]

_no_table = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)


def no_tables(n_nodes: int) -> DrawTables:
    """Return empty tables with the dtypes of :func:`draw_tables`, for null models without block form.

    Parameters
    ----------
    n_nodes : int
        Number of nodes N.

    Returns
    -------
    DrawTables
        Tables that kernels accept but cannot sample from.

    Examples
    --------
    >>> from residuum.nulls import no_tables
    >>> [len(table) for table in no_tables(34)]
    [34, 0, 0, 0, 1, 0, 0]
    """
    no_members = np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    return np.zeros(n_nodes, dtype=np.int32), *_no_table, *no_members, *_no_table


def draw_tables(form: BlockForm) -> DrawTables:
    """Return tables that sample contexts from P_0: a group by W, then a node by θ.

    Parameters
    ----------
    form : BlockForm
        Factors of ``P_0``.

    Returns
    -------
    DrawTables
        Groups; alias table of the groups; nodes sorted by group and group borders; alias table of the nodes within
        groups. Tables of uniform distributions are empty.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import Configuration, draw_tables
    >>> form = Configuration().fit(karate_club(), window=10).block_form
    >>> [len(table) for table in draw_tables(form)]
    [34, 0, 0, 34, 2, 34, 34]
    """
    n_groups = form.n_groups
    order = np.argsort(form.groups, kind="stable")
    order = order[form.theta[order] > 0]
    borders = np.searchsorted(form.groups[order], np.arange(n_groups + 1)).astype(np.int64)
    masses = np.bincount(form.groups, weights=form.theta, minlength=n_groups)
    choice = _no_table
    if n_groups > 1:
        weights = form.weights * masses
        # No context is sampled for groups without probability, but their tables must be valid.
        weights[weights.sum(axis=1) == 0] = masses
        choice = alias_of(np.arange(n_groups + 1) * n_groups, weights.ravel())
    members = order.astype(np.int32), borders
    return form.groups, *choice, *members, *_member_tables(form, order, borders)


def _member_tables(form: BlockForm, order: NDArray[np.int64], borders: NDArray[np.int64]) -> Any:
    theta = form.theta[order]
    even = np.repeat(theta[np.minimum(borders[:-1], len(theta) - 1)], np.diff(borders))
    return _no_table if np.array_equal(theta, even) else alias_of(borders, theta)
