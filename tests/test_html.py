from residuum._html import html_table


def test_every_text_is_escaped() -> None:
    hostile = '"><img src=x onerror=alert(1)>'
    html = html_table(hostile, {hostile: hostile})
    assert "<img" not in html
    assert html.count("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;") == 3


def test_long_values_are_cut() -> None:
    assert f"{'x' * 199}…</td>" in html_table("t", {"a": "x" * 500})
