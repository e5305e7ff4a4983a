from report_cases import HOSTILE, PROVENANCE, summary
from residuum.evaluation import THRESHOLDS
from residuum.report import LIMITS, model_card

CARD = model_card(summary(), title=f"Audit {HOSTILE}", provenance=PROVENANCE)


def test_the_card_has_the_verdicts_the_files_and_the_limits():
    assert CARD.startswith("# Audit ")
    assert "| year | red: clear trace |" in CARD
    assert f"SHA-256 {'ab' * 32}" in CARD
    assert all(limit in CARD for limit in LIMITS)
    assert all(text in CARD for text in THRESHOLDS.values())


def test_the_card_shows_the_interval_of_an_auc():
    (row,) = [row for row in summary()["measures"] if row["name"] == "edge AUC"]
    assert f"| edge AUC | {row['values']['before']:.3f} ± {row['margins']['before']:.3f} |" in CARD


def test_hostile_names_have_no_effect():
    assert "<img" not in CARD.replace("\\<", "")
    assert "</script" not in CARD.replace("\\<", "")


def test_every_row_of_a_table_has_the_same_number_of_cells():
    tables = [block for block in CARD.split("\n\n") if block.startswith("| ")]
    assert len(tables) == 2
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table.splitlines()}) == 1


def test_a_name_with_a_pipe_or_a_line_break_stays_in_its_cell():
    changed = {**summary(), "subjects": [{**summary()["subjects"][-1], "name": "a|b\nc"}]}
    assert "| a\\|b c |" in model_card(changed, title="x", provenance={})


def test_nothing_is_required_of_the_record():
    assert "- seed: 0" in model_card(summary(), title="x", provenance={})
