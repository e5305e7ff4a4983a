import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags

from residuum import Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.models.estimator import Estimator


class Counter(Estimator):
    """Gives every node the vector 0, 1, …."""

    def __init__(self, n_components=2, step=1.0, inner=None):
        self.n_components = n_components
        self.step = step
        self.inner = inner

    def fit(self, X, y=None):
        self.embedding_ = np.tile(np.arange(self.n_components, dtype=np.float32) * self.step, (len(X), 1))
        return self

    def transform(self, X):
        return self._as_output(self.embedding_[: len(X)])


def test_parameters_are_those_of_init():
    assert Counter(3).get_params() == {"n_components": 3, "step": 1.0, "inner": None}


def test_parameters_of_an_inner_estimator_are_included_unless_shallow():
    model = Counter(inner=LogisticRegression(C=2.0))
    assert model.get_params()["inner__C"] == 2.0
    assert "inner__C" not in model.get_params(deep=False)


def test_setting_parameters_returns_the_estimator():
    model = Counter(inner=Counter())
    assert model.set_params(step=2.0, inner__step=3.0) is model
    assert (model.step, model.inner.step) == (2.0, 3.0)


def test_an_unknown_parameter_is_refused_with_the_names_that_exist():
    with pytest.raises(InvalidParameterError, match=r"Counter has no parameter 'size'; .* n_components, step, inner"):
        Counter().set_params(size=3)


def test_the_representation_shows_what_differs_from_the_defaults():
    assert repr(Counter()) == "Counter()"
    assert repr(Counter(2, step=np.nan, inner=Counter(4))) == "Counter(step=nan, inner=Counter(n_components=4))"


def test_a_clone_has_the_parameters_and_the_output_container_but_not_the_fit():
    model = Counter(3).set_output(transform="pandas").fit(range(4))
    copy = clone(model)
    assert not hasattr(copy, "embedding_")
    assert copy.get_params() == model.get_params()
    assert isinstance(copy.fit(range(4)).transform(range(2)), pd.DataFrame)


def test_an_estimator_survives_pickling():
    model = pickle.loads(pickle.dumps(Counter(3).fit(range(4))))
    assert model.embedding_.shape == (4, 3)


def test_tags_describe_a_transformer_that_needs_no_target():
    tags = get_tags(Counter())
    assert tags.transformer_tags is not None
    assert not tags.target_tags.required


@pytest.mark.parametrize(
    ("container", "kind"), [("default", np.ndarray), ("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
def test_output_has_the_requested_container(container, kind):
    vectors = Counter(3).set_output(transform=container).fit(range(4)).transform(range(2))
    assert isinstance(vectors, kind)
    np.testing.assert_array_equal(np.asarray(vectors), [[0, 1, 2], [0, 1, 2]])
    if container != "default":
        assert list(vectors.columns) == ["counter0", "counter1", "counter2"]


def test_output_follows_the_configuration_of_scikit_learn():
    model = Counter().fit(range(4))
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(model.transform(range(2)), pl.DataFrame)
        assert isinstance(model.set_output(transform="pandas").transform(range(2)), pd.DataFrame)
    assert isinstance(model.set_output().transform(range(2)), pd.DataFrame)


def test_an_unknown_container_is_refused():
    with pytest.raises(InvalidParameterError, match="transform must be one of"):
        Counter().set_output(transform="arrow")


def test_feature_names_need_a_fit():
    with pytest.raises(sklearn.exceptions.NotFittedError, match="this Counter is not fitted yet; call fit first"):
        Counter().get_feature_names_out()


def test_a_fit_does_not_import_scikit_learn_or_pandas():
    script = (
        "import sys; from residuum import Residual2Vec, Graph; "
        "Residual2Vec(2).fit(Graph([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]])).to_embedding(); "
        "print(*sys.modules)"
    )
    modules = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert not {"pandas", "rich", "scipy.stats", "sklearn"} & set(modules)


def test_the_html_representation_is_escaped_and_shows_the_outcome() -> None:
    model = Residual2Vec(4, null_model="<b>", random_state=0)
    assert "&lt;b&gt;" in model._repr_html_()
    assert "(not fitted)" in model._repr_html_()
    html = model.set_params(null_model="configuration").fit(datasets.karate_club())._repr_html_()
    assert "array of shape (34, 4)" in html
    assert "exact" in html
    assert "(not fitted)" not in html
