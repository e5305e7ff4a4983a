"""A real report in headless Chromium."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from report_cases import FRONTIER, HOSTILE, PROVENANCE, maps, summary

ARTEFACTS = "RESIDUUM_SCREENSHOTS"


def start(width: int, *arguments: str) -> Any:
    """Return a browser that records its log and its requests."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    fixed = ("--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader", f"--window-size={width},900")
    for argument in (*fixed, *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report in which every name is hostile; skip, and say so, where there is no browser."""
    pytest.importorskip("selenium", reason="selenium is not installed; make setup installs it")
    pytest.importorskip("jinja2", reason="the [report] extra is not installed; make setup installs it")
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        pytest.skip("chromium and chromedriver are not installed; make browser installs them")
    from residuum.report import audit_page

    file = tmp_path_factory.mktemp("report") / "report.html"
    page = audit_page(summary(), maps(), title=f"Audit {HOSTILE}", provenance=PROVENANCE, frontier=FRONTIER)
    file.write_text(page, encoding="utf-8")
    return file


@pytest.fixture
def open_report(report: Path) -> Iterator[Any]:
    """Return a function that opens the report in a browser of a width; all are closed at the end."""
    browsers = []

    def opened(width: int = 1300, *arguments: str) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        browser = start(width, *arguments)
        browsers.append(browser)
        browser.get(report.as_uri())
        ready = "return document.documentElement.dataset.ready === 'true'"
        WebDriverWait(browser, 60).until(lambda page: page.execute_script(ready))
        return browser

    yield opened
    for browser in browsers:
        browser.quit()


@pytest.fixture
def keep(tmp_path: Path) -> Any:
    """Return a function that keeps a picture of the whole page, in the folder of RESIDUUM_SCREENSHOTS."""
    import base64

    folder = Path(os.environ.get(ARTEFACTS, tmp_path))
    folder.mkdir(parents=True, exist_ok=True)

    def kept(browser: Any, name: str) -> Path:
        # Maps are drawn again in the frame after a change of size.
        browser.execute_async_script("setTimeout(() => requestAnimationFrame(arguments[0]), 500)")
        size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 9000), "scale": 1}
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        (folder / name).write_bytes(base64.b64decode(picture["data"]))
        return folder / name

    return kept
