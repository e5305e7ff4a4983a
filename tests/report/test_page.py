import base64
import hashlib
import html.parser
import json
import re
from pathlib import Path

import pytest

import residuum.report.page
from report_cases import FRONTIER, HOSTILE, PROVENANCE, maps, summary
from residuum.report import LIMITS, audit_page, map_page

FOLDER = Path(residuum.report.page.__file__).parent
# Elements without an end tag.
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Reader(html.parser.HTMLParser):
    """Collects elements, their attributes and their text, and checks that they are nested."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.texts.append((self.open[-1] if self.open else "", text))


@pytest.fixture(scope="module")
def page():
    return audit_page(summary(), maps(), title=f"Audit {HOSTILE}", provenance=PROVENANCE, frontier=FRONTIER)


@pytest.fixture(scope="module")
def read(page):
    return Reader(page)


def test_hostile_names_make_no_elements(page, read):
    assert "<img" not in page
    assert "img" not in {tag for tag, _ in read.elements}
    assert "b" not in {tag for tag, _ in read.elements}
    assert [tag for tag, _ in read.elements].count("script") == 3


def test_hostile_names_are_shown_as_text(read):
    texts = "".join(text for tag, text in read.texts if tag not in ("script", "style"))
    for name in (f"Audit {HOSTILE}", f"party {HOSTILE}", f"side 1 {HOSTILE}", f"after {HOSTILE}", f"{HOSTILE}.csv"):
        assert name in texts


def test_no_element_has_a_handler_or_a_style(read):
    names = {name for _, attributes in read.elements for name in attributes}
    assert not {name for name in names if name.startswith("on") or name == "style"}


def test_the_data_come_back_unchanged(read):
    text, _ = (text for tag, text in read.texts if tag == "script" and text.startswith("{"))
    assert json.loads(text) == json.loads(json.dumps(maps()))
    assert any(HOSTILE in node for node in json.loads(text)["ids"])


def test_the_page_contains_the_record_of_the_command_without_the_methods(read):
    _, text = (text for tag, text in read.texts if tag == "script" and text.startswith("{"))
    assert json.loads(text) == {key: PROVENANCE[key] for key in ("residuum", "command", "inputs")}


def test_the_policy_allows_only_the_script_and_the_style_of_the_page(read):
    (policy,) = (a["content"] for tag, a in read.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    for element, rule in (("script", "script-src"), ("style", "style-src")):
        text = [text for tag, text in read.texts if tag == element][-1]
        assert rules[rule] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_nothing_is_loaded(read):
    links = [value for _, a in read.elements for name, value in a.items() if name in ("src", "href", "action", "data")]
    assert all(link.startswith("#") or link == "data:," for link in links)
    script = next(text for tag, text in read.texts if tag == "script" and not text.startswith("{"))
    assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|import\(|eval\(|new Function|innerHTML", script)


def test_every_attribute_has_a_verdict_in_words(read):
    texts = "".join(text for tag, text in read.texts if tag not in ("script", "style"))
    for subject in summary()["subjects"]:
        for result in subject["embeddings"].values():
            assert result["verdict"] in texts
            assert all(check["text"] in texts for check in result["checks"])


def test_ids_are_unique_and_references_exist(read):
    ids = [a["id"] for _, a in read.elements if "id" in a]
    assert len(ids) == len(set(ids))
    named = [a[key] for _, a in read.elements for key in ("aria-labelledby", "aria-describedby", "for") if key in a]
    named += [a["href"][1:] for _, a in read.elements if a.get("href", "").startswith("#")]
    assert set(named) <= set(ids)


def test_the_frontier_is_there_only_if_it_is_given(page):
    assert 'id="frontier"' in page
    assert 'id="frontier"' not in audit_page(summary(), maps(), title="x", provenance={})


def test_the_map_alone():
    read = Reader(map_page(maps(), title=HOSTILE))
    assert [tag for tag, _ in read.elements].count("canvas") == 2
    assert "img" not in {tag for tag, _ in read.elements}


def test_templates_never_mark_names_as_safe():
    for template in (FOLDER / "templates").glob("*.html"):
        assert not re.search(r"\|\s*safe|autoescape", template.read_text(encoding="utf-8"))


def test_the_rates_of_false_alarms_are_those_that_were_measured():
    file = Path(__file__).parents[2] / "benchmarks/quality/results/false_alarms.md"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in file.read_text().splitlines()[2:]]
    levels = {(int(nodes), kind.split(",")[0]): (trials, amber, red) for nodes, kind, trials, _, amber, red in rows}
    (text,) = (limit for limit in LIMITS if limit.startswith("Amber"))
    for nodes, shown in ((500, "500 nodes"), (2000, "2,000 nodes")):
        trials, amber, red = levels[nodes, "random"]
        assert f"{amber} of {trials} trials with {shown}" in text
        assert red == "0"
    assert levels[120, "random"][0] == levels[120, "random"][1]
    trials, _, red = levels[120, "leak"]
    assert f"a real leak was red in {red} of {trials}" in text
