from pathlib import Path

import pytest

from residuum.report import FrontierRow, frontier_figure

POINTS = {"none": (0.4, 0.9), "linear 1": (0.3, 0.8), "distribution 1": (0.01, 0.7), "FairWalk": (0.4, 0.8)}
ROWS = [FrontierRow(name, leak, 0.02, auc, 0.01) for name, (leak, auc) in POINTS.items()]


@pytest.mark.parametrize(("ending", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_the_figure_is_written_in_the_format_of_its_extension(tmp_path: Path, ending: str, magic: bytes) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before = pyplot.get_fignums()
    frontier_figure(tmp_path / f"x{ending}", ROWS, "party", "linear 1")
    assert (tmp_path / f"x{ending}").read_bytes().startswith(magic)
    assert pyplot.get_fignums() == before


def test_every_point_is_named_and_axes_say_what_is_better(tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    with pyplot.rc_context({"svg.fonttype": "none"}):
        frontier_figure(tmp_path / "x.svg", ROWS, "party", "linear 1")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert all(name in text for name in (*POINTS, "lower is better", "higher is better", "95 % intervals"))
