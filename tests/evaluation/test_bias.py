import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from residuum import Embedding, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import attribute_auc, label_predictability, similarity_dependence
from residuum.evaluation.bias import auc_meaning


def test_similarity_depends_on_an_attribute_that_the_vectors_encode():
    x = np.random.default_rng(0).uniform(0, 1.5, 500)
    circle = np.stack([np.cos(x), np.sin(x)], axis=1)
    assert similarity_dependence(circle, x) > 0.9


def test_similarity_of_random_vectors_does_not_depend_on_an_attribute():
    rng = np.random.default_rng(0)
    assert similarity_dependence(rng.standard_normal((500, 8)), rng.random(500)) == pytest.approx(0.0, abs=0.01)


def test_zero_vectors_are_ignored():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((300, 4))
    vectors[:100] = 0
    attribute = np.r_[np.full(100, 1e9), rng.random(200)]
    assert np.isfinite(similarity_dependence(vectors, attribute))
    assert similarity_dependence(vectors, attribute) == pytest.approx(0.0, abs=0.02)


def test_an_attribute_can_be_a_label():
    labels = np.repeat(["a", "b"], 150)
    vectors = np.where(labels[:, None] == "a", [1.0, 0.0], [0.0, 1.0])
    assert similarity_dependence(vectors, labels) == pytest.approx(1.0)


def test_each_predictor_detects_only_the_signal_it_can_represent():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 300)
    noise = rng.standard_normal((600, 3))
    ring = rng.uniform(0, 2 * np.pi, 600)
    radius = np.where(labels == 1, 2.0, 1.0)
    inside = np.stack([radius * np.cos(ring), radius * np.sin(ring)], axis=1)
    result = {
        "noise": label_predictability(noise, labels),
        "line": label_predictability(noise + labels[:, None], labels),
        "ring": label_predictability(inside, labels),
    }
    assert all(value.accuracy < 0.58 for value in result["noise"].values())
    assert result["line"]["linear"].above_chance
    assert result["ring"]["linear"].accuracy < 0.58
    assert result["ring"]["nearest neighbors"].accuracy > 0.95
    assert result["ring"]["boosted trees"].accuracy > 0.9
    assert result["ring"]["linear"].chance == 0.5


def test_linear_attribute_auc_equals_scikit_learn():
    rng = np.random.default_rng(0)
    labels = np.repeat(["a", "b", "c"], 80)
    vectors = rng.standard_normal((240, 4)) + np.eye(4)[np.repeat([0, 1, 2], 80)]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, class_weight="balanced"))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    predicted = cross_val_predict(model, vectors, labels, cv=folds, method="predict_proba")
    result = attribute_auc(vectors, labels)
    assert result["linear"] == pytest.approx(roc_auc_score(labels, predicted, multi_class="ovr"))
    assert 0.6 < result["linear"] < 0.9


def test_attribute_auc_of_perfect_random_and_degree_only_vectors():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, random_state=0)
    group, degree = graph.node_attributes["group"], np.log(graph.out_strength)
    noise = np.random.default_rng(0).standard_normal((400, 8))
    by_degree = np.stack([degree, np.ones(400)], axis=1)
    for predictor in ("linear", "nearest neighbors"):
        assert attribute_auc(np.eye(4)[group] + 0.01 * noise[:, :4], group)[predictor] == 1.0
        assert attribute_auc(noise, group)[predictor] == pytest.approx(0.5, abs=0.06)
        assert attribute_auc(by_degree, degree)[predictor] > 0.98
        assert attribute_auc(by_degree, group)[predictor] == pytest.approx(0.5, abs=0.08)


def test_attribute_auc_rejects_a_single_label():
    with pytest.raises(InvalidParameterError, match="at least two labels"):
        attribute_auc(np.ones((30, 2)), np.zeros(30, dtype=int))


def test_an_embedding_is_accepted():
    vectors = np.random.default_rng(0).standard_normal((200, 4)).astype(np.float32)
    labels = np.repeat([0, 1], 100)
    assert similarity_dependence(Embedding(np.arange(200), vectors), labels) == similarity_dependence(vectors, labels)


def test_nodes_with_a_missing_attribute_are_ignored():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((400, 4))
    missing = np.arange(400) >= 250
    # The vectors encode which values are missing, but not the values.
    vectors[missing] += 5
    number, label = rng.random(400), rng.choice(["a", "b"], 400).astype(object)
    for attribute, missing_value in ((number, np.nan), (label, None), (label, np.nan), (label, "")):
        incomplete = attribute.copy()
        incomplete[missing] = missing_value
        assert attribute_auc(vectors, incomplete) == attribute_auc(vectors[~missing], attribute[~missing])
        result, expected = (
            similarity_dependence(*both) for both in ((vectors, incomplete), (vectors[~missing], attribute[~missing]))
        )
        assert result == expected
    predicted = label_predictability(vectors, np.where(missing, "", label))
    assert predicted == label_predictability(vectors[~missing], label[~missing])


def test_the_maximum_is_high_if_it_equals_the_median():
    number = (np.arange(300) < 200).astype(float)
    assert attribute_auc(np.stack([number, np.ones(300)], axis=1), number)["linear"] == 1.0


def test_an_attribute_without_values_is_rejected():
    with pytest.raises(InvalidParameterError, match="at least two nodes with a nonzero vector; got 0"):
        similarity_dependence(np.ones((30, 2)), np.full(30, np.nan))
    with pytest.raises(InvalidParameterError, match="at least two labels"):
        attribute_auc(np.ones((30, 2)), np.full(30, np.nan))


def r2_of_left_out_folds(features, values):
    folds = KFold(5).split(features)
    predicted = [
        (test, LinearRegression().fit(features[train], values[train]).predict(features[test])) for train, test in folds
    ]
    return np.mean([r2_score(values[test], prediction) for test, prediction in predicted])


@pytest.mark.parametrize("kind", ["number", "label"])
def test_dependence_equals_scikit_learn_on_the_same_pairs(kind):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 2, 60)
    # Lengths differ by orders of magnitude, and directions rotate with the number.
    vectors = np.stack([np.cos(2 * x), np.sin(2 * x), x], axis=1) + 0.3 * rng.standard_normal((60, 3))
    vectors *= rng.lognormal(0, 1, (60, 1))
    i, j = np.random.default_rng(3).integers(60, size=(2, 200))
    i, j = i[i != j], j[i != j]
    label = np.array(["low", "high"])[(x > 1).astype(int)]
    features = {
        "number": np.stack([x[i] + x[j], np.abs(x[i] - x[j]), x[i] * x[j]], axis=1),
        "label": (label[i] == label[j])[:, None].astype(float),
    }
    expected = r2_of_left_out_folds(features[kind], cosine_similarity(vectors)[i, j])
    result = similarity_dependence(vectors, x if kind == "number" else label, n_pairs=200, random_state=3)
    assert result == pytest.approx(expected, rel=1e-9)
    assert 0.1 < result < 0.9


def test_predictability_equals_scikit_learn_with_unbalanced_labels():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], [120, 50, 30])
    vectors = rng.standard_normal((200, 4)) + np.eye(4)[codes]
    labels = np.array(["a", "b", "c"])[codes]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    result = label_predictability(vectors, labels)
    for name, predictor in {
        "linear, forced": LogisticRegression(max_iter=300, class_weight="balanced"),
        "nearest neighbors": KNeighborsClassifier(10),
    }.items():
        model = make_pipeline(StandardScaler(), predictor)
        scores = cross_val_score(model, vectors, labels, cv=folds, scoring="balanced_accuracy")
        assert result[name].accuracy == pytest.approx(scores.mean())
        assert result[name].margin == pytest.approx(student.ppf(0.95, 4) * scores.std(ddof=1) / np.sqrt(5), rel=1e-3)
        assert result[name].chance == pytest.approx(1 / 3)
        assert result[name].above_chance


def test_degree_only_vectors_predict_the_degree_and_no_group():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, random_state=0)
    degree = np.log(graph.out_strength)
    vectors = np.stack([degree, np.ones(400)], axis=1)
    group = label_predictability(vectors, graph.node_attributes["group"])
    assert all(value.accuracy == pytest.approx(0.25, abs=0.07) for value in group.values())
    hub = label_predictability(vectors, degree > np.quantile(degree, 0.7))
    assert all(value.accuracy > 0.95 for value in hub.values())
    assert similarity_dependence(vectors, degree) > 0.5
    assert similarity_dependence(vectors, graph.node_attributes["group"]) == pytest.approx(0.0, abs=0.01)


def auc_of_scikit_learn(predictor, vectors, labels):
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = make_pipeline(StandardScaler(), predictor)
    predicted = cross_val_predict(model, vectors, labels, cv=folds, method="predict_proba")
    return roc_auc_score(labels, predicted[:, 1] if predicted.shape[1] == 2 else predicted, multi_class="ovr")


def test_nearest_neighbor_attribute_auc_equals_scikit_learn():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], [120, 80, 40])
    vectors = rng.standard_normal((240, 4)) + np.eye(4)[codes]
    for labels in (codes, codes == 2):
        result = attribute_auc(vectors, labels)["nearest neighbors"]
        assert result == pytest.approx(auc_of_scikit_learn(KNeighborsClassifier(10), vectors, labels))
        assert 0.6 < result < 0.9


def test_only_numbers_above_a_tied_median_are_high():
    rng = np.random.default_rng(0)
    number = np.repeat([0.0, 1.0, 2.0], [80, 90, 70])
    vectors = rng.standard_normal((240, 3)) + np.stack([number == 0, number == 1, number == 2], axis=1)
    result = attribute_auc(vectors, number)
    assert result == attribute_auc(vectors, number > 1)
    assert result["nearest neighbors"] == pytest.approx(
        auc_of_scikit_learn(KNeighborsClassifier(10), vectors, number > 1)
    )
    assert result["linear"] != pytest.approx(attribute_auc(vectors, number >= 1)["linear"])


@pytest.mark.parametrize("direction", [[1.0, 1.0], [1.0, 0.0], [0.3, -0.7, 0.1]])
@pytest.mark.parametrize("lengths", ["equal", "uneven"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dependence_is_zero_if_all_vectors_have_the_same_direction(direction, lengths, dtype):
    rng = np.random.default_rng(0)
    length = np.ones((200, 1)) if lengths == "equal" else rng.lognormal(0, 1, (200, 1))
    vectors = (length * np.array(direction)).astype(dtype)
    assert similarity_dependence(vectors, rng.random(200)) == 0.0
    assert similarity_dependence(vectors, rng.choice(["a", "b"], 200)) == 0.0


def test_u3_only_an_auc_clearly_below_chance_is_reported_as_such():
    # A random ranking of 100 nodes has a standard deviation of 0.058.
    assert auc_meaning(0.39, "linear predictor", 100) == "linear predictor; 0.5 = chance"
    assert "reversed, it has AUC 0.620" in auc_meaning(0.38, "linear predictor", 100)
    assert "below chance" in auc_meaning(0.45, "linear predictor", 1000)
    assert "below chance" not in auc_meaning(0.45, "linear predictor", 1000, share=0.01)


def test_labels_of_too_few_nodes_cannot_be_predicted():
    with pytest.raises(InvalidParameterError, match="at least two labels, each of at least 10 nodes"):
        label_predictability(np.eye(9), ["a", "b", "a"] * 3)
