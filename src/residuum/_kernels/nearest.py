"""The largest entries of the rows of a matrix, in descending order."""

import numba
import numpy as np

__all__ = ["largest_entries"]


@numba.njit(nogil=True, cache=True)
def largest_entries(scores, excluded, columns, begin, end):
    """Write the columns of the largest entries of each row; of equal entries, the first columns.

    Parameters
    ----------
    scores : float array of shape (m, n)
        Entries; no NaN.
    excluded : int64 array of shape (m,)
        Column that is ignored in each row; −1 for none.
    columns : int64 array of shape (m, k), written
        Columns of the k largest entries, largest first; at least k columns must remain.
    begin, end : int
        Range of rows.
    """
    k = columns.shape[1]
    kept = np.empty(k)
    for row in range(begin, end):
        count = 0
        lowest = -np.inf
        for column in range(scores.shape[1]):
            score = scores[row, column]
            if (count == k and score <= lowest) or column == excluded[row]:
                continue
            place = count if count < k else k - 1
            while place > 0 and kept[place - 1] < score:
                kept[place] = kept[place - 1]
                columns[row, place] = columns[row, place - 1]
                place -= 1
            kept[place] = score
            columns[row, place] = column
            count = min(count + 1, k)
            lowest = kept[count - 1]
