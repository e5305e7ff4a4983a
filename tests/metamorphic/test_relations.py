"""Every relation with every solver and every null model, except where it says that it does not hold."""

import pytest

from metamorphic.relation import KINDS, NULLS, RELATIONS, SOLVERS
from metamorphic.table import FOLDER, load, markdown
from residuum.nulls import null_model_names
from residuum.solvers import solver_names

load()
pytestmark = pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_holds_for_a_solver_with_every_null_model(name, solver):
    relation = RELATIONS[name]
    differences = {(case.null, case.kind): relation.difference(case) for case in relation.cases(solver)}
    # "not <=" also reports NaN.
    assert {case: value for case, value in differences.items() if not value <= relation.tolerance} == {}


@pytest.mark.parametrize("name", [name for name, relation in RELATIONS.items() if relation.fails])
def test_the_exceptions_of_a_relation_are_needed(name):
    relation = RELATIONS[name]

    def holds(case):
        try:
            return relation.difference(case) <= relation.tolerance
        except Exception:  # a combination that is refused, or that the statement does not speak of
            return False

    needless = [reason for reason in relation.fails if all(map(holds, relation.exceptions(reason)))]
    # A statement about undirected graphs may be true, and say nothing, of directed graphs.
    assert [reason for reason in needless if reason not in KINDS] == []


def test_there_are_at_least_25_relations():
    assert len(RELATIONS) >= 25


def test_every_solver_and_every_null_model_takes_part():
    assert set(SOLVERS) == set(solver_names())
    assert set(NULLS) == set(null_model_names())


def test_the_page_lists_all_relations():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == markdown(), "run python tests/metamorphic/table.py"
