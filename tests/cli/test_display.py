import io

from residuum.cli import display
from residuum.cli.display import attribute_names, print_lines, print_table, wrapped


def test_numbers_are_right_aligned_and_brackets_are_kept(capsys):
    print_table("title", [("name", False), ("value", True)], [("a", "1.0"), ("[b]", "10.0")])
    shown = capsys.readouterr().out
    assert "[b]" in shown
    assert "│   1.0 │" in shown


def test_words_are_not_broken_in_a_narrow_table(capsys, monkeypatch):
    monkeypatch.setattr(display, "_WIDTH", 50)
    print_table("title", [("measure", False), ("meaning", False)], [("friendship-paradox ratio", "many words " * 9)])
    assert "friendship-paradox" in capsys.readouterr().out


def test_long_descriptions_wrap_in_their_column(capsys):
    print_lines({"one": "word " * 40, "three": "short"})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("one    word")
    assert lines[1].startswith("       word")
    assert lines[-1].split() == ["three", "short"]
    assert max(map(len, lines)) <= 100


def test_u14_attributes_with_the_same_column_have_different_names() -> None:
    assert attribute_names(["a.csv:x", "a.csv:y", "b.csv:x", "a.csv:y"]) == {
        "a.csv:x": "a.csv:x",
        "a.csv:y": "y",
        "b.csv:x": "b.csv:x",
    }


def test_a_paragraph_fits_the_terminal_and_is_one_line_elsewhere(monkeypatch):
    terminal = io.StringIO()
    text = "word " * 40 + "end"
    assert wrapped(text, terminal, "  ") == f"  {text}"
    terminal.isatty = lambda: True
    monkeypatch.setenv("COLUMNS", "60")
    lines = wrapped(text, terminal, "  ").splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[0].startswith("  word")
    assert all(line.startswith("    w") for line in lines[1:])
    assert " ".join("".join(lines).split()) == text
