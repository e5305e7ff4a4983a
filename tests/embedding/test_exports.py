import sys

import numpy as np
import pytest

from residuum import Embedding
from residuum.errors import MissingExtraError

EMBEDDING = Embedding(["a", "b", "c"], [[1.0, 0.25], [0.5, 0.0], [0.0, 1.0]])


def test_pandas_and_polars_keep_ids_and_values() -> None:
    frame = EMBEDDING.to_pandas()
    assert frame.index.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(frame.to_numpy(), EMBEDDING.vectors)
    table = EMBEDDING.to_polars()
    assert table["id"].to_list() == ["a", "b", "c"]
    np.testing.assert_array_equal(np.array(table["vector"].to_list()), EMBEDDING.vectors)


def test_torch_keeps_values(gnn: None) -> None:
    tensor = EMBEDDING.to_torch()
    np.testing.assert_array_equal(tensor.numpy(), EMBEDDING.vectors)
    tensor[0, 0] = 7.0
    assert EMBEDDING.vectors[0, 0] == 1.0


def test_tuples_stay_ids_in_pandas() -> None:
    frame = Embedding([("a", 1), ("b", 2)], np.eye(2)).to_pandas()
    assert frame.index.tolist() == [("a", 1), ("b", 2)]


def test_clusters_are_in_the_order_of_the_ids() -> None:
    assert EMBEDDING.cluster(2).labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("to_pandas", "pandas", "graphs"), ("to_polars", "polars", "graphs"), ("to_torch", "torch", "gnn")],
)
def test_a_missing_library_is_named(name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"this needs {module}.*residuum\[{extra}\]"):
        getattr(EMBEDDING, name)()


def test_the_html_representation_is_escaped() -> None:
    html = Embedding(["<b>x", "c"], np.eye(2), metadata={"method": "<i>Residual2Vec"})._repr_html_()
    assert "&lt;b&gt;x" in html
    assert "&lt;i&gt;Residual2Vec" in html
    assert "<b>" not in html
