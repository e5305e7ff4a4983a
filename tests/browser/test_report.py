"""The audit page as a reader uses it, in headless Chromium."""

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from report_cases import HOSTILE, hostile_audit
from residuum.embedding.nearest import nearest_rows

# axe-core is not part of the repository; make browser installs it here.
AXE = Path(os.environ.get("RESIDUUM_AXE", Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"))
MARKED = "return page.panels.map(panel => [panel.scatter.chosen, panel.scatter.marked.length])"
PIXELS = """
const canvas = document.querySelectorAll("canvas[role]")[arguments[0]];
page.panels[arguments[0]].scatter.paint();
return canvas.toDataURL();
"""


def by_id(browser: Any, name: str) -> Any:
    return browser.find_element("id", name)


def search(browser: Any, text: str) -> None:
    from selenium.webdriver.common.keys import Keys

    box = by_id(browser, "search")
    box.clear()
    box.send_keys(text, Keys.ENTER)


def color_by(browser: Any, text: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(by_id(browser, "color")).select_by_visible_text(text)


def errors(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_no_script_error_no_request_and_no_element_of_a_hostile_name(open_report: Any, report: Path) -> None:
    browser = open_report()
    search(browser, "node 7")
    color_by(browser, "year")
    assert errors(browser) == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = {e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"}
    assert {url for url in urls if not url.startswith("data:")} == {report.as_uri()}
    assert browser.find_elements("css selector", "img, iframe, object, main b") == []
    assert browser.find_element("css selector", "h1").text == f"Audit {HOSTILE}"


def test_the_policy_stops_scripts_and_requests(open_report: Any) -> None:
    browser = open_report()
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.injected = 1'; document.body.append(s);"
        "const i = document.createElement('img'); i.setAttribute('onerror', 'window.handled = 1'); i.src = 'x';"
        "document.body.append(i);"
    )
    assert browser.execute_script("return [window.injected, window.handled]") == [None, None]
    assert any("Content Security Policy" in message for message in errors(browser))


def test_maps_are_drawn_by_webgl_and_colors_can_be_switched(open_report: Any) -> None:
    browser = open_report()
    painters = [
        canvas.get_attribute("data-painter") for canvas in browser.find_elements("css selector", "canvas[role]")
    ]
    assert painters == ["webgl", "webgl"]
    first = browser.execute_script(PIXELS, 0)
    assert len(first) > 3000
    for name, words in (("year", "20"), ("degree", "log scale")):
        color_by(browser, name)
        assert words in by_id(browser, "legend").text
        assert browser.execute_script(PIXELS, 0) != first
    # The two percent of the nodes with the highest degrees have the last color.
    assert "≥ " in by_id(browser, "legend").text


def test_without_webgl_a_canvas_draws_the_maps(open_report: Any, keep: Any) -> None:
    browser = open_report(1300, "--disable-gpu", "--disable-3d-apis")
    painters = [
        canvas.get_attribute("data-painter") for canvas in browser.find_elements("css selector", "canvas[role]")
    ]
    assert painters == ["canvas", "canvas"]
    assert len(browser.execute_script(PIXELS, 0)) > 3000
    assert errors(browser) == []
    keep(browser, "without-webgl.png")


def test_a_node_found_by_name_is_selected_in_both_maps_with_its_neighbors(open_report: Any, keep: Any) -> None:
    browser = open_report()
    search(browser, "node 7 ")
    assert browser.execute_script(MARKED) == [[7, 10], [7, 10]]
    shown = by_id(browser, "node")
    assert shown.find_element("css selector", "h3").text == f"node 7 {HOSTILE}"
    for number, embedding in enumerate(hostile_audit()[0].embeddings.values()):
        near = nearest_rows(embedding.vectors, 10)[1][7]
        texts = [
            b.text for b in shown.find_elements("css selector", "section")[number].find_elements("tag name", "button")
        ]
        assert texts == [f"node {node} {HOSTILE}" for node in near]
    keep(browser, "selected.png")


def test_a_neighbor_in_the_list_can_be_followed(open_report: Any) -> None:
    browser = open_report()
    search(browser, "node 7 ")
    link = by_id(browser, "node").find_element("css selector", "button")
    target = int(link.text.split()[1])
    browser.execute_script("arguments[0].click()", link)
    assert [chosen for chosen, _ in browser.execute_script(MARKED)] == [target, target]


def test_a_name_that_no_node_has_is_said(open_report: Any) -> None:
    browser = open_report()
    by_id(browser, "search").send_keys("nobody")
    assert by_id(browser, "found").text == "No node has this name."


def test_a_click_and_a_box_in_one_map_are_seen_in_the_other(open_report: Any) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser = open_report()
    canvas = browser.find_elements("css selector", "canvas[role]")[0]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    x, y = browser.execute_script(
        "const s = page.panels[0].scatter, v = s.view; s.resize();"
        "return [(s.points[0] * v.sx + v.tx) / s.ratio, (v.ty - s.points[1] * v.sy) / s.ratio]"
    )
    width, height = canvas.size["width"], canvas.size["height"]
    ActionChains(browser).move_to_element_with_offset(canvas, x - width / 2, y - height / 2).click().perform()
    (chosen, _), (linked, _) = browser.execute_script(MARKED)
    assert chosen == linked >= 0
    drag = ActionChains(browser).key_down(Keys.SHIFT).move_to_element_with_offset(canvas, 4 - width / 2, 4 - height / 2)
    drag.click_and_hold().move_by_offset(int(width) - 60, int(height) - 8).release().key_up(Keys.SHIFT).perform()
    (first, boxed), (second, also) = browser.execute_script(MARKED)
    assert (first, second) == (-1, -1)
    assert boxed == also > 60
    assert "nodes selected" in by_id(browser, "node").text


def test_a_selection_draws_only_the_marked_nodes(open_report: Any) -> None:
    browser = open_report()
    browser.execute_script("paints = []; page.panels.forEach((p, k) => { p.scatter.paint = () => paints.push(k); })")
    blank = browser.execute_script("return page.panels.map(panel => panel.scatter.above.toDataURL())")
    search(browser, "node 7 ")
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert browser.execute_script("return paints") == []
    marked = browser.execute_script("return page.panels.map(panel => panel.scatter.above.toDataURL())")
    assert all(len(after) > len(before) for before, after in zip(blank, marked, strict=True))
    dimmed = "return [...document.querySelectorAll('canvas[role]')].map(c => getComputedStyle(c).opacity)"
    assert browser.execute_script(dimmed) == ["0.25", "0.25"]


def test_a_slow_map_draws_a_part_of_its_nodes_until_it_rests(open_report: Any) -> None:
    browser = open_report()
    steps = browser.execute_async_script(
        "const done = arguments[0], s = page.panels[0].scatter, paint = s.paint, steps = [];"
        "s.cost = 40; s.paint = () => { steps.push(s.step); if (steps.length === 2) done(steps); }; s.pan(5, 0);"
    )
    assert steps == [4, 1]


def test_the_map_is_used_by_keyboard(open_report: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = open_report()
    canvas = browser.find_elements("css selector", "canvas[role]")[0]
    canvas.send_keys("+", Keys.ARROW_LEFT, Keys.ENTER)
    zoom, center, chosen = browser.execute_script(
        "const s = page.panels[0].scatter; return [s.zoom, s.center[0], s.chosen]"
    )
    assert zoom > 1
    assert center < 0
    assert chosen >= 0
    canvas.send_keys(Keys.ESCAPE, "0")
    assert browser.execute_script("const s = page.panels[0].scatter; return [s.zoom, s.chosen]") == [1, -1]


def test_a_node_under_the_pointer_shows_its_name(open_report: Any) -> None:
    browser = open_report()
    browser.execute_script("page.showTip(3, 200, 200)")
    assert by_id(browser, "tip").text.startswith(f"node 3 {HOSTILE} · party")


@pytest.mark.parametrize(("theme", "background"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 26)")])
def test_the_theme_follows_the_system_and_the_button(open_report: Any, keep: Any, theme: str, background: str) -> None:
    browser = open_report()
    feature = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    paper = "return getComputedStyle(document.documentElement).backgroundColor"
    assert browser.execute_script(paper) == background
    keep(browser, f"{theme}.png")
    by_id(browser, "theme").click()
    assert browser.execute_script(paper) != background


def test_a_phone_shows_the_page_without_scrolling_sideways(open_report: Any, keep: Any) -> None:
    browser = open_report()
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    tops = browser.execute_script(
        "return [...document.querySelectorAll('canvas[role]')].map(c => c.getBoundingClientRect().x)"
    )
    assert len(set(tops)) == 1
    keep(browser, "phone.png")


def test_print_is_light_complete_and_without_controls(open_report: Any, keep: Any) -> None:
    browser = open_report()
    by_id(browser, "theme").click()
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    paper = browser.execute_script("return getComputedStyle(document.documentElement).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert not by_id(browser, "theme").is_displayed()
    assert browser.execute_script("return [...document.querySelectorAll('details')].every(node => node.open)")
    printed = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert printed.startswith(b"%PDF")
    keep(browser, "print.png").with_suffix(".pdf").write_bytes(printed)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_violation(open_report: Any, theme: str) -> None:
    if not AXE.is_file():
        pytest.skip(f"axe-core is not installed: {AXE} does not exist; make browser installs it")
    browser = open_report()
    feature = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    search(browser, "node 7 ")
    # The policy of the page forbids other scripts; the driver's own are exempt.
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    result = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    serious = [(v["id"], v["nodes"][0]["html"]) for v in result["violations"] if v["impact"] in ("serious", "critical")]
    assert serious == []
