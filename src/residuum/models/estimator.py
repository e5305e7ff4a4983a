"""The protocol of scikit-learn's transformers, without the import of scikit-learn.

scikit-learn recognizes estimators by their methods. Its base classes would take longer to import (0.5 s, 60 MiB) than a
small graph takes to embed, so they are not inherited; ``sklearn`` is imported only by the methods that need it.
"""

import inspect
import sys
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from residuum._html import html_table
from residuum._validation import check_choice, import_extra
from residuum.errors import InvalidParameterError

__all__ = ["Estimator"]


class Estimator:
    """Parameters, representation, tags and output containers of an estimator with a ``fit`` method.

    ``__init__`` stores its arguments unchanged under their names, and ``fit`` sets ``embedding_``.

    Examples
    --------
    >>> from residuum import Residual2Vec
    >>> model = Residual2Vec(8, random_state=0)
    >>> model.set_params(window=5)
    Residual2Vec(n_components=8, window=5, random_state=0)
    >>> model.get_params()["window"]
    5
    """

    embedding_: NDArray[np.float32]

    @classmethod
    def _parameters(cls) -> dict[str, Any]:
        """Return the defaults of the parameters by name."""
        return {name: parameter.default for name, parameter in inspect.signature(cls).parameters.items()}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of this estimator.

        Parameters
        ----------
        deep : bool, default True
            Whether to include the parameters of estimators among the values, as ``name__parameter``.

        Returns
        -------
        dict of str to value
            Values by name.
        """
        values = {name: getattr(self, name) for name in self._parameters()}
        if deep:
            for name, value in list(values.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    values.update((f"{name}__{inner}", part) for inner, part in value.get_params().items())
        return values

    def set_params(self, **params: Any) -> Self:
        """Set parameters of this estimator.

        Parameters
        ----------
        **params : dict
            Values by name; ``name__parameter`` sets a parameter of an estimator among the values.

        Returns
        -------
        self
            This estimator.

        Raises
        ------
        InvalidParameterError
            If a parameter does not exist.
        """
        names = self._parameters()
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in names:
                raise InvalidParameterError(
                    f"{type(self).__name__} has no parameter {name!r}; its parameters are {', '.join(names)}."
                )
            if inner:
                getattr(self, name).set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in self._parameters().items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _repr_html_(self) -> str:
        """Return parameters that differ from their defaults and, after a fit, the outcome."""
        rows: dict[str, object] = {
            name: repr(getattr(self, name))
            for name, default in self._parameters().items()
            if repr(getattr(self, name)) != repr(default)
        }
        if not hasattr(self, "embedding_"):
            return html_table(f"{type(self).__name__} (not fitted)", rows)
        outcomes = ("null_model", "solver", "approximation_error", "erased")
        found = {f"{name}_": getattr(self, f"{name}_", None) for name in outcomes}
        rows |= {"embedding_": f"array of shape {self.embedding_.shape}"}
        return html_table(type(self).__name__, rows | {name: value for name, value in found.items() if value})

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), transformer_tags=TransformerTags())

    def set_output(self, *, transform: str | None = None) -> Self:
        """Set the container that ``transform`` and ``fit_transform`` return.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            A numpy array, or a data frame. None changes nothing.

        Returns
        -------
        self
            This estimator.
        """
        if transform is not None:
            check_choice("transform", transform, ["default", "pandas", "polars"])
            # The attribute that sklearn.base.clone copies.
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the dimensions: the class name in lower case, and a number.

        Parameters
        ----------
        input_features : ignored
            Present for compatibility with scikit-learn.

        Returns
        -------
        array of shape (K,)
            Names, for example "residual2vec0".
        """
        del input_features
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{k}" for k in range(self.embedding_.shape[1])], dtype=object)

    def _check_fitted(self) -> None:
        if not hasattr(self, "embedding_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first.")

    def _as_output(self, vectors: NDArray[np.float32], index: NDArray[Any] | None = None) -> Any:
        """Return vectors in the container of :meth:`set_output`, or of scikit-learn's global configuration."""
        container = getattr(self, "_sklearn_output_config", {}).get("transform")
        if container is None and "sklearn" in sys.modules:
            container = sys.modules["sklearn"].get_config()["transform_output"]
        if container == "pandas":
            return import_extra("pandas", "graphs").DataFrame(vectors, index, self.get_feature_names_out())
        if container == "polars":
            return import_extra("polars", "graphs").DataFrame(vectors, list(self.get_feature_names_out()), orient="row")
        return vectors
