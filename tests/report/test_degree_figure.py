from pathlib import Path

import numpy as np
import pytest

from residuum.errors import MissingExtraError
from residuum.report import degree_figure

RNG = np.random.default_rng(0)
ARGUMENTS = (
    {"before": RNG.normal(size=(30, 5)), "after": np.zeros((30, 2))},
    np.arange(1, 31),
    np.repeat(["a", "b", "c"], 10),
    {"before": "R² = 0.5", "after": "R² = 0"},
)


@pytest.mark.parametrize(("ending", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")])
def test_the_figure_is_written_in_the_format_of_its_extension(tmp_path: Path, ending: str, magic: bytes) -> None:
    pytest.importorskip("matplotlib")
    degree_figure(tmp_path / f"x{ending}", *ARGUMENTS)
    assert (tmp_path / f"x{ending}").read_bytes().startswith(magic)
    assert [file.name for file in tmp_path.iterdir()] == [f"x{ending}"]


def test_no_figure_stays_open(tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before = pyplot.get_fignums()
    degree_figure(tmp_path / "x.png", *ARGUMENTS)
    assert pyplot.get_fignums() == before


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("residuum._validation.importlib.import_module", absent)
    with pytest.raises(MissingExtraError, match=r"needs matplotlib.*pip install 'residuum\[report\]'"):
        degree_figure(tmp_path / "x.png", *ARGUMENTS)
    assert list(tmp_path.iterdir()) == []
