import json

import pytest

from report_cases import HOSTILE, hostile_audit, summary
from residuum.evaluation import attribute_checks, worst_level
from residuum.report import LEVEL_WORDS


def test_the_summary_is_json():
    assert json.loads(json.dumps(summary(), allow_nan=False)) == summary()


def test_attributes_come_first_and_degree_last():
    assert [subject["name"] for subject in summary()["subjects"]] == [f"party {HOSTILE}", "year", "degree"]


def test_levels_and_sentences_are_those_of_the_checks():
    result = hostile_audit()[0]
    for subject in summary()["subjects"][:-1]:
        for name, embedding in result.embeddings.items():
            checks = attribute_checks(embedding.attributes[subject["name"]])
            shown = subject["embeddings"][name]
            assert shown["level"] == worst_level(checks)
            assert shown["verdict"] == LEVEL_WORDS[shown["level"]]
            assert [check["text"] for check in shown["checks"]] == [check.text for check in checks]
            assert len(shown["attackers"]) == 9


def test_a_change_compares_with_the_first_embedding():
    party = summary()["subjects"][0]
    (change,) = party["changes"]
    before = party["embeddings"]["before"]["checks"][0]["value"]
    assert change.startswith(f"From before to after {HOSTILE}: balanced accuracy of the strongest attacker")
    assert f"{100 * before:.1f}% →" in change


def test_measures_have_a_value_for_each_embedding():
    names = [embedding["name"] for embedding in summary()["embeddings"]]
    rows = {row["name"]: row["values"] for row in summary()["measures"]}
    assert {"edge AUC", "hubness", "never a neighbor", "degree and length"} <= set(rows)
    assert all(list(values) == names for values in rows.values())


def test_aucs_have_the_margins_of_the_audit():
    rows = {row["name"]: row["margins"] for row in summary()["measures"]}
    for name, embedding in hostile_audit()[0].embeddings.items():
        for finding in embedding.links:
            assert 0.0 < finding.margin < 0.2
            assert rows[finding.name][name] == finding.margin
    assert set(rows["hubness"].values()) == {None}


def test_shares_of_neighbors_sum_to_one():
    mix = summary()["mixes"][0]
    assert len(mix["groups"]) == 2
    for row in (*mix["neighbors"], *mix["expected"]):
        assert sum(row) == pytest.approx(1.0)


def test_quartiles_of_lengths_are_in_order_of_degree():
    bins = summary()["lengths"]["before"]
    degrees = [entry["degree"] for entry in bins]
    assert degrees == sorted(degrees)
    assert all(entry["low"] <= entry["middle"] <= entry["high"] for entry in bins)
