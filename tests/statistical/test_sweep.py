"""Random graphs of difficult shapes against the dense reference; ``make sweep`` runs 5,000 of them."""

import pytest

from sweep_cases import Case, check


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_solvers_agree_with_the_dense_reference_on_random_graphs_of_all_shapes(first):
    problems = {seed: check(Case(seed))[0] for seed in range(first, first + 20)}
    assert not {seed: problem for seed, problem in problems.items() if problem}
