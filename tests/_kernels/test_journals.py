import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.journals import _upper_bound, cite

# Journals 0 … n − 1 exist in a year with n journals; node first_of_year[t] + j is journal j in year t.
JOURNALS_PER_YEAR = np.array([20, 30, 40])
FIRST_OF_YEAR = np.array([0, 20, 50])
N, N_YEARS, N_FIELDS = 90, 3, 4
years = np.repeat(np.arange(N_YEARS), JOURNALS_PER_YEAR)
journals = np.arange(N) - FIRST_OF_YEAR[years]
# No journal of field 3 exists before the last year.
fields = np.where((journals >= 30) & (journals % 2 == 0), 3, journals % 3)
SISTERS = np.array([[1, 3], [0, 3], [0, 3], [1, 2]])
AGE = np.array([0.5, 1.0, 0.25])
ATTRACTIVENESS = np.random.default_rng(0).random(N) + 0.1


def tables():
    """Return the ``groups`` of :func:`cite`."""
    by_age = np.zeros((N_FIELDS + 1, N_YEARS, N_YEARS))
    start = np.zeros((N_FIELDS + 1, N_YEARS + 1), dtype=np.int64)
    members, pull = [], []
    for group in range(N_FIELDS + 1):
        totals = np.zeros(N_YEARS)
        for s in range(N_YEARS):
            nodes = np.flatnonzero((years == s) & ((fields == group) | (group == N_FIELDS)))
            start[group, s], start[group, s + 1] = len(members), len(members) + len(nodes)
            members.extend(nodes)
            pull.extend(np.cumsum(ATTRACTIVENESS[nodes]))
            totals[s] = ATTRACTIVENESS[nodes].sum()
        for t in range(N_YEARS):
            by_age[group, t, : t + 1] = np.cumsum(totals[: t + 1] * AGE[t::-1])
    return SISTERS, by_age, AGE, np.array(members), np.array(pull), start


TABLES = tables()


def cited(first_row, degrees, seed, mixing, n_ranges=1):
    """Return the targets of each row and their counts."""
    degrees = np.asarray(degrees, dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(degrees)])
    columns = np.full(degrees.sum(), -1, dtype=np.int32)
    weights = np.zeros(degrees.sum(), dtype=np.float32)
    nodes = (journals, years, fields, FIRST_OF_YEAR)
    sizes = np.full(len(degrees), -1)
    over_ranges(
        cite, first_row, degrees, offsets, np.uint64(seed), nodes, np.asarray(mixing, float), TABLES, columns, weights,
        sizes, length=len(degrees), n_ranges=n_ranges,
    )  # fmt: skip
    return [(columns[b : b + n], weights[b : b + n]) for b, n in zip(offsets[:-1], sizes, strict=True)]


def in_proportion(values):
    return values / values.sum()


def probabilities(row, mixing):
    """Return the probability that the first citation of a row goes to each node."""
    eligible = (years <= years[row]) * AGE[np.maximum(years[row] - years, 0)]
    result = mixing[0] * in_proportion(eligible * (journals == journals[row]))
    anyone = in_proportion(eligible * ATTRACTIVENESS)
    shares = [(fields[row], mixing[1]), *((sister, mixing[2] / 2) for sister in SISTERS[fields[row]])]
    for field, share in shares:
        pull = eligible * ATTRACTIVENESS * (fields == field)
        # A field that has no journal yet is replaced by all fields.
        result += share * (in_proportion(pull) if pull.any() else anyone)
    return result + (1 - sum(mixing)) * anyone


MIXINGS = {
    "journal": [1.0, 0.0, 0.0],
    "field": [0.0, 1.0, 0.0],
    "sisters": [0.0, 0.0, 1.0],
    "anyone": [0.0, 0.0, 0.0],
    "all": [0.1, 0.5, 0.2],
}


@pytest.mark.parametrize("mixing", MIXINGS)
@pytest.mark.parametrize("row", [0, 25, 89])
def test_citations_have_the_frequencies_of_the_model(row, mixing):
    n, expected = 2000, probabilities(row, MIXINGS[mixing])
    targets = [cited(row, [1], seed, MIXINGS[mixing])[0][0][0] for seed in range(n)]
    frequency = np.bincount(targets, minlength=N) / n
    assert expected.sum() == pytest.approx(1.0)
    assert not frequency[expected == 0].any()
    assert (np.abs(frequency - expected) <= 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12).all()


def test_targets_are_distinct_sorted_and_counted():
    for targets, counts in cited(3, [1, 3, 2, 5, 4], 1, MIXINGS["all"]):
        assert (np.diff(targets) > 0).all()
        assert (counts >= 1).all()
    assert [len(targets) for targets, _ in cited(3, [1, 3, 2, 5, 4], 1, MIXINGS["all"])] == [1, 3, 2, 5, 4]


def test_a_row_stops_at_the_last_requested_target():
    assert all(counts == [1.0] for _, counts in cited(0, [1] * N, 0, MIXINGS["all"]))


def test_a_row_with_too_few_eligible_targets_stops():
    ((targets, counts),) = cited(51, [5], 0, MIXINGS["journal"])
    assert targets.tolist() == [1, 21, 51]
    assert counts.sum() > 100


def test_rows_do_not_depend_on_the_other_rows():
    together = cited(0, [3] * N, 2, MIXINGS["all"])
    alone = [cited(row, [3], 2, MIXINGS["all"])[0] for row in range(N)]
    for expected, values in zip(alone, together, strict=True):
        np.testing.assert_array_equal(expected, values)


def test_the_result_does_not_depend_on_the_ranges():
    degrees = np.arange(N) % 5
    for once, parts in zip(*(cited(0, degrees, 5, MIXINGS["all"], n_ranges) for n_ranges in (1, 4)), strict=True):
        np.testing.assert_array_equal(once, parts)


@pytest.mark.parametrize("begin", [0, 3])
def test_the_upper_bound_equals_searchsorted(begin):
    values = np.array([9.0, 9.0, 9.0, 0.0, 0.5, 0.5, 2.0, 7.0])
    values[:begin] = np.arange(begin)
    values[begin:].sort()
    for x in (-1.0, 0.0, 0.25, 0.5, 1.9, 2.0, 6.0, 7.0, 100.0):
        expected = begin + min(np.searchsorted(values[begin:], x, side="right"), len(values) - begin - 1)
        assert _upper_bound(values, begin, len(values), x) == expected
