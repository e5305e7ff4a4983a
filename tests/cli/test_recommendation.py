import click
import pytest
from click.testing import CliRunner

from residuum.cli.attribute_options import attribute_options
from residuum.cli.graph_options import graph_options
from residuum.cli.recommendation import Bias, recommend_options, repeated_options
from residuum.evaluation import Finding

RATIO = Bias(Finding("friendship-paradox ratio", 2.0, "", "configuration"))
CLUB = Bias(Finding("assortativity by club", 0.5, "", "dcsbm", 0.001), "--groups", "people.csv:club")
COIN = Bias(Finding("assortativity by coin", 0.3, "", None, 0.2), "--groups", "people.csv:coin")
YEAR = Bias(Finding("assortativity by year", 0.2, "", "temporal", 1e-9), "--time", "people.csv:year")
PLACE = Bias(Finding("distance decay", 0.7, "", "spatial", 1e-9), "--coordinates", "people.csv:x,y")
SIDES = Bias(Finding("bipartivity", 1.0, "", "bipartite"), "--null", "bipartite")


def test_significant_labels_and_times_are_removed_together():
    assert recommend_options([RATIO, SIDES, CLUB, COIN, YEAR]) == (
        "dcsbm × temporal, because assortativity by club is 0.50 (p = 0.001) "
        "and assortativity by year is 0.20 (p < 0.001)",
        ["--groups", "people.csv:club", "--time", "people.csv:year", "--erase", "null"],
    )


def test_the_larger_of_place_and_labels_is_removed():
    assert recommend_options([CLUB, PLACE])[1] == ["--coordinates", "people.csv:x,y"]
    near = Bias(Finding("distance decay", 0.4, "", "spatial", 1e-9), "--coordinates", "people.csv:x,y")
    assert recommend_options([CLUB, near])[1] == ["--groups", "people.csv:club", "--erase", "null"]


def test_sides_are_recommended_if_no_attribute_is_significant():
    assert recommend_options([RATIO, SIDES, COIN]) == (
        "bipartite, because bipartivity is 1.00",
        ["--null", "bipartite"],
    )
    assert recommend_options([RATIO]) == ("configuration, the default, which removes degree", [])


def test_missing_labels_are_allowed_by_the_command():
    missing = Bias(CLUB.finding, CLUB.option, CLUB.value, missing=True)
    assert recommend_options([missing])[1][-2:] == ["--missing", "unknown"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--directed", "--no-header", "--delimiter", "\t"],
        ["--undirected", "--header", "--source", "a b"],
        ["--id-column", "user", "--missing-code", "0", "--missing-code", "-1"],
        [],
    ],
)
def test_options_for_reading_are_repeated(arguments):
    @click.command()
    @attribute_options(missing="unknown", meaning="left out")
    @graph_options
    @click.pass_context
    def command(context, **_):
        assert sorted(repeated_options(context)) == sorted(arguments)

    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
