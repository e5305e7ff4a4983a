"""How fast a page with many nodes answers: time to load, frames while zooming and panning, hover, search and selection.

    python benchmarks/speed/report_page.py [--runs 3] [--graph "50000 nodes"]

The page has two maps and is opened in headless Chromium (``make chromium`` installs it), 1300 pixels wide. Without a
graphics card Chromium draws WebGL on the processor, which is most of a frame; "script" is what the page itself takes.
The median of many actions is reported, and of the runs the lowest.
"""

import json
import shutil
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main, temporary_folder
from residuum.report import label_coloring, map_data, map_page, number_coloring
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import markdown, names_of
from residuum.reproduction.target import chosen

MEASURES = ("script ms", "frame ms")
SIZES = {"5000 nodes": 5_000, "50000 nodes": 50_000}
# Each action is JavaScript that does what the handler of the event does; k counts up.
ACTIONS = {
    "zoom": "first.scatter.zoomAt(300, 250, k % 20 < 10 ? 1.1 : 1 / 1.1)",
    "pan": "first.scatter.pan(k % 20 < 10 ? 6 : -6, 0)",
    "hover": "send('pointermove', 40 + 17 * k % 500, 40 + 29 * k % 400)",
    "search, a letter typed": "type('node 4' + k % 10)",
    "search, no match": "type('nobody' + k)",
    "click on a node, seen in both maps": "page.select(37 * k % page.ids.length)",
    "box around many nodes, seen in both maps": "page.selectMany(first.scatter.nodesIn(0, 0, 250 + k % 50, 900))",
    "other colors": "recolor(k % 2)",
}
# Do the action once a frame, and return the times of the script in each frame, and between frames.
MEASURE = """
const done = arguments[0], first = page.panels[0], canvas = first.canvas, scripts = [], frames = [];
const send = (kind, x, y) => {
  const box = canvas.getBoundingClientRect(), place = { clientX: box.left + x, clientY: box.top + y };
  canvas.dispatchEvent(new PointerEvent(kind, { ...place, pointerId: 1, bubbles: true }));
};
const type = (text) => {
  const input = document.getElementById("search");
  input.value = text;
  input.dispatchEvent(new Event("input"));
};
const recolor = (k) => {
  document.getElementById("color").value = k;
  page.recolor();
};
let k = 0, painting = 0, last = 0;
for (const name of ["paint", "paintMarks"]) {
  const paint = Scatter.prototype[name];
  Scatter.prototype[name] = function () {
    const began = performance.now();
    paint.call(this);
    painting += performance.now() - began;
  };
}
function step() {
  const began = performance.now();
  if (k) frames.push(began - last);
  if (k === COUNT) return done([scripts, frames]);
  last = began;
  ACTION;
  scripts.push(painting + performance.now() - began);
  painting = 0;
  k++;
  requestAnimationFrame(step);
}
canvas.scrollIntoView({ block: "center" });
setTimeout(() => requestAnimationFrame(step), 500);
"""
COUNT = 60


def cases(settings: Settings) -> list[Case]:
    names = ["load", *ACTIONS]
    sizes = chosen("graphs", SIZES, settings.graphs)
    return [Case(size, action) for size in sizes for action in chosen("methods", names, settings.methods)]


@lru_cache(maxsize=1)
def page_file(size: str) -> Path:
    """Write a page of two maps of random clusters."""
    rng, n = np.random.default_rng(0), SIZES[size]
    group = rng.integers(0, 12, n)
    vectors = {
        name: rng.normal(size=(12, 8))[group] * spread + rng.normal(size=(n, 8))
        for name, spread in (("before", 2.0), ("after", 0.5))
    }
    # Neighbors are only shown, so random ones do.
    nearest = {name: (np.arange(n), rng.integers(0, n, (n, 10))) for name in vectors}
    colorings = [
        label_coloring("group", [f"group {code}" for code in group]),
        number_coloring("degree", rng.pareto(1.5, n), is_log=True),
    ]
    data = map_data([f"node {node}" for node in range(n)], vectors, colorings, nearest=nearest, method="pca")
    file = temporary_folder() / "map.html"
    file.write_text(map_page(data, title=size, provenance={}), encoding="utf-8")
    return file


def start() -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", "--window-size=1300,900"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    browser.set_script_timeout(300)
    return browser


def load(browser: Any, file: Path) -> dict[str, float]:
    """Open a page; return the time of its script, and the time until it is ready and its maps are drawn."""
    began = time.perf_counter()
    browser.get(file.as_uri())
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    seconds = time.perf_counter() - began
    timing = json.loads(browser.execute_script("return JSON.stringify(performance.getEntriesByType('navigation')[0])"))
    return {"script ms": timing["domInteractive"] - timing["responseEnd"], "frame ms": 1000 * seconds}


def measure(case: Case, repeat: int, settings: Settings) -> dict[str, float]:
    del repeat, settings
    browser = start()
    try:
        loaded = load(browser, page_file(case.graph))
        if case.method == "load":
            return loaded
        times = browser.execute_async_script(
            MEASURE.replace("COUNT", str(COUNT)).replace("ACTION", ACTIONS[case.method])
        )
        return dict(zip(MEASURES, map(float, np.median(times, axis=1)), strict=True))
    finally:
        browser.quit()


def table(rows: list[Row], settings: Settings) -> str:
    del settings
    body = [
        [size, action, *(f"{min(row.values[name] for row in here):.1f}" for name in MEASURES)]
        for size in names_of(rows, lambda row: row.graph)
        for action in names_of(rows, lambda row: row.method)
        if (here := [row for row in rows if (row.graph, row.method) == (size, action)])
    ]
    text = (
        "Two maps in headless Chromium without a graphics card: the processor draws WebGL. Script: the page's own "
        "JavaScript for one action, median. Frame: time between two frames while the action is done once a frame, "
        "median, at least 16.7 ms (60 frames a second); for load, time until the maps are drawn. Lowest of the runs."
    )
    return f"{text}\n\n{markdown(['page', 'action', *MEASURES], body)}"


TARGET = Target("report_page", "A page with many nodes", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__, runs=3)
