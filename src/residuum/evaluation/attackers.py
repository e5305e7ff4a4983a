"""Attackers: predictors of an attribute from the vectors, and the strongest of them."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Kind, Values, of_kind, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Bins, is_known

__all__ = ["ATTACKERS", "Attack", "AttackReport", "attack"]

_FOLDS = 5
_PERMUTATIONS = 200
_MIN_NODES = 10
_MOST_LABELS = 10
_BINS = 5
_LINK_NEIGHBORS = 10
# The predictions of a fold come from one classifier and err together, so that accuracies spread more than those of the
# same predictions for permuted labels. On random vectors (300 nodes, 60 trials) the ratio was 1.1 to 1.4; with this
# factor 3 % of the trials had an attacker outside its interval, without it 18 %.
_SPREAD = 1.3

Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


@dataclass(frozen=True)
class Attack:
    """Balanced accuracy of one attacker in five-fold cross-validation.

    Attributes
    ----------
    name : str
        Name of the attacker.
    accuracy : float
        Mean over the labels of the share of their nodes that are predicted correctly.
    margin : float
        Half the width of the 95 % confidence interval of the accuracy.
    chance : float
        Mean accuracy of the same predictions for permuted labels.
    low, high : float
        Interval of the accuracy for permuted labels: with probability 95 %, no attacker is outside its interval.

    Examples
    --------
    >>> result = Attack("boosted trees", accuracy=0.41, margin=0.02, chance=0.5, low=0.47, high=0.53)
    >>> round(result.leak, 2), result.is_leak
    (0.09, True)
    """

    name: str
    accuracy: float
    margin: float
    chance: float
    low: float
    high: float

    @property
    def leak(self) -> float:
        """``|accuracy − chance|``: an attacker below chance is right if it avoids its own prediction."""
        return abs(self.accuracy - self.chance)

    @property
    def is_leak(self) -> bool:
        """Whether the accuracy is outside the interval of permuted labels."""
        return not self.low <= self.accuracy <= self.high

    def __str__(self) -> str:
        """Return the result as a sentence."""
        text = f"{self.name}: balanced accuracy {self.accuracy:.3f} ± {self.margin:.3f}, chance {self.chance:.3f}"
        if not self.is_leak:
            return f"{text} ({self.low:.3f} to {self.high:.3f}): no better than guessing"
        if self.accuracy < self.chance:
            return f"{text}: below chance, which is a leak, because the opposite of its prediction is above chance"
        return f"{text}: above chance, so the vectors encode it"


@dataclass(frozen=True)
class AttackReport:
    """Results of all attackers.

    Attributes
    ----------
    attacks : tuple of Attack
        One result per attacker.
    n_nodes : int
        Number of nodes used.
    n_labels : int
        Number of labels predicted.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> attack(rng.standard_normal((200, 4)), np.arange(200) % 2, attackers=["5 nearest neighbors"]).strongest.is_leak
    False
    """

    attacks: tuple[Attack, ...]
    n_nodes: int
    n_labels: int

    @property
    def strongest(self) -> Attack:
        """The attacker with the largest ``|accuracy − chance|``."""
        return max(self.attacks, key=lambda result: result.leak)

    def __str__(self) -> str:
        """Return the strongest attacker in one sentence."""
        return f"strongest of {len(self.attacks)} attackers, {self.strongest}"


def attack(
    vectors: Vectors,
    attribute: Values,
    *,
    context_vectors: ArrayLike | None = None,
    kind: Kind | None = None,
    attackers: Sequence[str] | None = None,
    test: ArrayLike | None = None,
    n_nodes: int = 2000,
    random_state: int | np.random.Generator | None = 0,
) -> AttackReport:
    """Predict an attribute from the vectors with many kinds of predictors.

    The predictors are logistic regression, a linear support vector machine, 1, 5 and 20 nearest neighbors, boosted
    trees, a random forest, a neural network, and the vote of the ten nodes with the strongest association ``u · v``.
    Labels count equally, whatever their number of nodes. Context vectors are attacked together with the vectors.

    Nodes with a zero vector or a missing value (None, NaN or an empty string) are ignored, and so are labels with fewer
    than ten nodes and all but the ten most frequent labels. Numbers are predicted as one of five bins of equal counts.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node. An Embedding also provides context vectors.
    attribute : array of shape (N,), or mapping of node id to value
        An array follows the order of the vectors; a mapping requires an Embedding.
    context_vectors : array of shape (N, K), optional
        Context vectors, if ``vectors`` is an array.
    kind : {"number", "label"}, optional
        Type of the attribute. By default floating-point values are numbers and all others are labels.
    attackers : sequence of str, optional
        Names of the attackers, keys of :data:`ATTACKERS`; all by default.
    test : bool array of shape (N,), optional
        Nodes to predict by attackers trained on all others, such as out-of-sample nodes. By default all nodes are
        predicted in five-fold cross-validation.
    n_nodes : int
        Maximum number of nodes used; a random sample if there are more.
    random_state : int, Generator or None
        Seed of the sample, the folds, the predictors and the permutations.

    Returns
    -------
    AttackReport
        Results of all attackers.

    Raises
    ------
    InvalidParameterError
        If fewer than two labels have ten nodes, or an attacker is unknown.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> report = attack(vectors, graph.node_attributes["club"], attackers=["logistic regression", "boosted trees"])
    >>> report.strongest.name, report.strongest.is_leak
    ('logistic regression', True)
    """
    names = list(ATTACKERS) if attackers is None else list(attackers)
    unknown = [name for name in names if name not in ATTACKERS]
    if unknown or not names:
        raise InvalidParameterError(f"attackers must be among {', '.join(map(repr, ATTACKERS))}; got {names!r}.")
    rng = as_generator(random_state)
    u = as_vectors(vectors)
    if isinstance(vectors, Embedding):
        context_vectors = vectors.context_vectors
    v = u if context_vectors is None else as_vectors(context_vectors)
    rows, y = _sample(u, *of_kind(values_of(vectors, attribute, "attribute"), kind, "attribute"), n_nodes, rng)
    u, v = u[rows], v[rows]
    X = u if np.allclose(np.abs(u), np.abs(v), atol=1e-5 * float(np.abs(u).max())) else np.concatenate([u, v], axis=1)
    X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)
    folds = _folds(y, rng) if test is None else _split(np.asarray(test, dtype=bool)[rows])
    scored = np.concatenate([predicted for _, predicted in folds])
    attacked = _Attacked(X, u, v, y, folds, int(rng.integers(2**31)))
    with thread_limit(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # predictors that stop before they converge
        results = tuple(_result(name, y[scored], ATTACKERS[name](attacked)[scored], len(names), rng) for name in names)
    return AttackReport(results, len(scored), len(np.unique(y[scored])))


@dataclass(frozen=True)
class _Attacked:
    """Standardized features, vectors, label codes, folds and the seed of the predictors."""

    features: NDArray[np.float64]
    u: NDArray[np.float64]
    v: NDArray[np.float64]
    labels: NDArray[np.int64]
    folds: Folds
    seed: int


def _sample(
    u: NDArray[np.float64], values: NDArray[Any], numeric: bool, n_nodes: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of a sample of nodes, and the codes of their labels."""
    rows = np.flatnonzero(u.any(axis=1) & is_known(values))
    codes: NDArray[Any]
    if numeric and len(rows):
        codes = Bins.equal_counts(values[rows], _BINS).codes(values[rows])
    else:
        labels = values[rows].astype(str) if values.dtype == object else values[rows]
        codes = np.unique(labels, return_inverse=True)[1].ravel()
    counts = np.bincount(codes) if len(codes) else np.zeros(1, dtype=np.int64)
    frequent = np.argsort(-counts, kind="stable")[:_MOST_LABELS]
    kept = np.isin(codes, frequent)
    rows, codes = rows[kept], codes[kept]
    if len(rows) > n_nodes:
        drawn = rng.choice(len(rows), n_nodes, replace=False)
        rows, codes = rows[drawn], codes[drawn]
    kept = np.isin(codes, np.flatnonzero(np.bincount(codes, minlength=1) >= _MIN_NODES))
    rows, codes = rows[kept], codes[kept]
    if len(np.unique(codes)) < 2:
        raise InvalidParameterError(
            f"attribute must have at least two labels with {_MIN_NODES} or more nodes each; "
            f"got {len(np.unique(codes))}."
        )
    return rows, np.unique(codes, return_inverse=True)[1].ravel().astype(np.int64)


def _folds(y: NDArray[np.int64], rng: np.random.Generator) -> Folds:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    return list(splitter.split(np.zeros((len(y), 1)), y))


def _split(is_test: NDArray[np.bool_]) -> Folds:
    if is_test.all() or not is_test.any():
        raise InvalidParameterError(f"test must select some nodes and not all; got {is_test.sum()} of {len(is_test)}.")
    return [(np.flatnonzero(~is_test), np.flatnonzero(is_test))]


def _result(
    name: str, y: NDArray[np.int64], predicted: NDArray[np.int64], n_attackers: int, rng: np.random.Generator
) -> Attack:
    counts = np.bincount(y)
    present = counts > 0
    counts = counts[present]

    def recalls(labels: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(labels[labels == predicted], minlength=len(present))[present] / counts)

    recall = recalls(y)
    permuted = np.array([recalls(rng.permutation(y)).mean() for _ in range(_PERMUTATIONS)])
    margin = 1.96 * float(np.sqrt((recall * (1.0 - recall) / counts).sum())) / len(counts)
    # Bonferroni: the more attackers, the farther the strongest is from chance without any leak.
    width = _SPREAD * NormalDist().inv_cdf(1.0 - 0.025 / n_attackers) * float(permuted.std())
    chance = float(permuted.mean())
    return Attack(name, float(recall.mean()), margin, chance, chance - width, chance + width)


def _balanced(probability: NDArray[np.float64], training_labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the label whose probability is highest relative to its share of the training nodes."""
    return np.asarray((probability / np.bincount(training_labels)).argmax(axis=1))


def _by_probability(make: Callable[[int], Any]) -> Callable[[_Attacked], NDArray[np.int64]]:
    """Return an attacker from a function of a seed that returns a classifier."""

    def predict(attacked: _Attacked) -> NDArray[np.int64]:
        X, y = attacked.features, attacked.labels
        predicted = np.empty_like(y)
        for train, test in attacked.folds:
            classifier = make(attacked.seed).fit(X[train], y[train])
            predicted[test] = _balanced(classifier.predict_proba(X[test]), y[train])
        return predicted

    return predict


def _logistic(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=300, random_state=seed)


def _neighbors(k: int) -> Callable[[int], Any]:
    def make(seed: int) -> Any:
        from sklearn.neighbors import KNeighborsClassifier

        del seed
        return KNeighborsClassifier(k, algorithm="brute")

    return make


def _trees(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=30, max_leaf_nodes=15, early_stopping=False, random_state=seed)


def _forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(60, min_samples_leaf=2, random_state=seed)


def _network(seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier((64,), alpha=0.01, learning_rate_init=0.003, max_iter=40, random_state=seed)


def _support_vectors(attacked: _Attacked) -> NDArray[np.int64]:
    from sklearn.svm import LinearSVC

    predicted = np.empty_like(attacked.labels)
    for train, test in attacked.folds:
        classifier = LinearSVC(dual=False, C=0.1, class_weight="balanced", max_iter=200, random_state=attacked.seed)
        classifier.fit(attacked.features[train], attacked.labels[train])
        predicted[test] = classifier.predict(attacked.features[test])
    return predicted


def _associations(attacked: _Attacked) -> NDArray[np.int64]:
    """Let the ten training nodes with the strongest association vote."""
    u, v, y = attacked.u, attacked.v, attacked.labels
    predicted = np.empty_like(y)
    for train, test in attacked.folds:
        score = u[test] @ v[train].T + v[test] @ u[train].T
        k = min(_LINK_NEIGHBORS, len(train) - 1)
        top = np.argpartition(-score, k, axis=1)[:, :k]
        votes = np.eye(int(y.max()) + 1)[y[train]][top].sum(axis=1)
        predicted[test] = _balanced(votes, y[train])
    return predicted


#: Attackers by name.
ATTACKERS: dict[str, Callable[[_Attacked], NDArray[np.int64]]] = {
    "logistic regression": _by_probability(_logistic),
    "linear SVM": _support_vectors,
    "1 nearest neighbor": _by_probability(_neighbors(1)),
    "5 nearest neighbors": _by_probability(_neighbors(5)),
    "20 nearest neighbors": _by_probability(_neighbors(20)),
    "boosted trees": _by_probability(_trees),
    "random forest": _by_probability(_forest),
    "neural network": _by_probability(_network),
    "associations": _associations,
}
