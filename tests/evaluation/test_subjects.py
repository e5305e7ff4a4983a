import sys
import types

import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, PERFECT
from residuum.evaluation import Finding, LabelSubject, grade_degree, metric, metrics_of, subjects
from residuum.evaluation.subjects import DegreeSubject, LinkGroupsSubject, LinkSubject, NumberSubject


def test_a_metric_in_a_new_module_is_measured(monkeypatch):
    module = types.ModuleType("residuum.evaluation.metrics.zz_new")

    @metric(DegreeSubject)
    def largest_degree(subject):
        return Finding("largest degree", float(subject.degree.max()), "")

    module.largest_degree = largest_degree
    monkeypatch.setitem(sys.modules, module.__name__, module)
    present = subjects.module_names("residuum.evaluation.metrics")
    monkeypatch.setattr(subjects, "module_names", lambda _: [*present, "zz_new"])
    finding = grade_degree(PERFECT, GRAPH)[-1]
    assert (finding.name, finding.value) == ("largest degree", GRAPH.out_strength.max())


SUBJECTS = [LinkSubject, LinkGroupsSubject, DegreeSubject, LabelSubject, NumberSubject]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_metric_belongs_to_two_subjects(subject):
    others = set(SUBJECTS) - {subject}
    assert metrics_of(subject)
    assert not set(metrics_of(subject)) & {measure for other in others for measure in metrics_of(other)}


def test_the_number_of_neighbors_is_limited_by_the_nodes_with_a_vector():
    few = np.where(np.arange(200)[:, None] < 7, PERFECT, 0.0)
    assert LabelSubject(few, GRAPH, 0, GROUP, "group").n_neighbors == 6
    assert LabelSubject(PERFECT, GRAPH, 0, GROUP, "group").n_neighbors == 10


def test_shares_are_the_fractions_of_the_groups():
    shares = LabelSubject(PERFECT, GRAPH, 0, GROUP, "group").shares
    np.testing.assert_allclose(shares, np.bincount(GROUP) / 200)
