import dataclasses

import pytest

from residuum.errors import InvalidParameterError
from residuum.reproduction.target import Case, Row, Settings, Target, chosen

GRAPHS = ("airport", "ppi", "wiki-vote")


def test_the_defaults_are_those_of_the_paper(tmp_path):
    settings = Settings(tmp_path)
    assert (settings.runs, settings.n_components) == (30, 64)
    assert not settings.quick
    assert not settings.short_walks
    assert settings.graphs is None
    assert settings.methods is None


def test_quick_settings_have_fewer_dimensions(tmp_path):
    assert Settings(tmp_path, quick=True).n_components == 16


def test_all_names_are_chosen_by_default():
    assert chosen("graphs", iter(GRAPHS), None) == list(GRAPHS)


def test_no_names_are_chosen_from_an_empty_selection():
    assert chosen("graphs", GRAPHS, ()) == []


def test_chosen_names_have_the_order_of_the_known_ones():
    assert chosen("graphs", GRAPHS, ("wiki-vote", "airport")) == ["airport", "wiki-vote"]
    assert chosen("graphs", GRAPHS, ("ppi", "ppi")) == ["ppi"]


@pytest.mark.parametrize("wanted", [("karate",), ("ppi", "karate")])
def test_an_unknown_name_is_refused(wanted):
    with pytest.raises(
        InvalidParameterError, match=r"graphs must be among 'airport', 'ppi', 'wiki-vote'; got 'karate'\."
    ):
        chosen("graphs", GRAPHS, wanted)


def test_equal_cases_are_one_key():
    assert {Case("airport", "NetMF"): 1}[Case("airport", "NetMF")] == 1
    assert Case("airport", "NetMF") != Case("NetMF", "airport")


def test_results_are_immutable(tmp_path):
    for result in (Settings(tmp_path), Case("a", "b"), Row("a", "b", 0, {})):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, dataclasses.fields(result)[0].name, "changed")


def test_a_target_repeats_and_has_no_figure_by_default():
    target = Target(
        "sizes", "Sizes", ("N",), lambda settings: [], lambda case, run, settings: {}, lambda rows, settings: ""
    )
    assert target.repeats
    assert target.draw is None
