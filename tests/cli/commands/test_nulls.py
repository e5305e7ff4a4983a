import json

from click.testing import CliRunner

from residuum.cli import main
from residuum.nulls import describe_null_models, null_model_names


def test_every_null_model_has_a_description() -> None:
    lines = CliRunner().invoke(main, ["nulls"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == null_model_names()
    assert all(len(line.split()) > 1 for line in lines)


def test_json_has_every_null_model() -> None:
    described = json.loads(CliRunner().invoke(main, ["nulls", "--json"]).stdout)
    assert described == describe_null_models()
