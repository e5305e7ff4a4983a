import numpy as np
import pytest

from residuum.embedding import Embedding
from residuum.errors import InvalidParameterError
from residuum.evaluation import Attack, attack
from residuum.evaluation.attackers import ATTACKERS

FAST = ["logistic regression", "1 nearest neighbor", "associations"]


def noise(n=300, k=4, seed=0):
    return np.random.default_rng(seed).standard_normal((n, k))


@pytest.mark.parametrize("name", ATTACKERS)
def test_every_attacker_finds_a_shifted_group(name):
    labels = np.arange(200) % 2
    result = attack(noise(200) + np.where(labels[:, None] == 0, -3.0, 3.0), labels, attackers=[name]).strongest
    assert result.accuracy > 0.95
    assert result.is_leak


def test_all_attackers_are_near_chance_on_noise():
    report = attack(noise(400), np.arange(400) % 2)
    assert len(report.attacks) == len(ATTACKERS)
    assert not report.strongest.is_leak
    assert "no better than guessing" in str(report)


def test_nearest_neighbors_find_what_linear_attackers_do_not():
    x = np.random.default_rng(0).uniform(-1, 1, (600, 2))
    labels = (x[:, 0] * x[:, 1] > 0).astype(int)
    report = attack(x, labels, attackers=["linear SVM", "5 nearest neighbors"])
    assert not report.attacks[0].is_leak
    assert report.strongest.name == "5 nearest neighbors"


def test_twins_of_the_other_group_are_a_leak_below_chance():
    x = noise(200, 3)
    twins = np.concatenate([x, x + 1e-6])
    result = attack(twins, np.repeat(["a", "b"], 200), attackers=["1 nearest neighbor"]).strongest
    assert result.accuracy < 0.25
    assert result.leak > 0.25
    assert "below chance, which is a leak" in str(result)


def test_rare_labels_count_as_much_as_frequent_ones():
    labels = np.repeat([0, 1], [380, 20])
    x = noise(400, 2) + 4.0 * labels[:, None]
    for name in ("logistic regression", "20 nearest neighbors", "boosted trees", "random forest"):
        assert attack(x, labels, attackers=[name]).strongest.accuracy > 0.85, name


def test_context_vectors_are_attacked_too():
    labels = np.arange(300) % 2
    context = noise(seed=1) + 5.0 * labels[:, None]
    attackers = ["logistic regression"]
    assert not attack(noise(), labels, attackers=attackers).strongest.is_leak
    assert attack(noise(), labels, context_vectors=context, attackers=attackers).strongest.accuracy > 0.95
    embedding = Embedding(np.arange(300), noise(), context_vectors=context)
    assert attack(embedding, labels, attackers=attackers).strongest.accuracy > 0.95


def test_associations_vote_by_the_signed_score():
    labels = np.arange(200) % 2
    u = np.where(labels[:, None] == 0, 1.0, -1.0) + 0.1 * noise(200, 1)
    result = attack(u, labels, context_vectors=-u, attackers=["associations"]).strongest
    assert result.accuracy < 0.05  # the strongest associations are with the other group


def test_numbers_are_attacked_by_bins():
    x = noise(500, 1)
    report = attack(x, x[:, 0], attackers=["20 nearest neighbors"])
    assert report.n_labels == 5
    assert report.strongest.accuracy > 0.8


def test_missing_values_zero_vectors_and_rare_labels_are_ignored():
    x = noise(100)
    x[:10] = 0.0
    labels = np.array(["a", "b"] * 50, dtype=object)
    labels[10:20] = None
    labels[20:25] = "rare"
    report = attack(x, labels, attackers=FAST)
    assert report.n_nodes == 75
    assert report.n_labels == 2


def test_large_inputs_are_sampled():
    assert attack(noise(5000), np.arange(5000) % 2, attackers=FAST[:1]).n_nodes == 2000


def test_same_seed_gives_the_same_result():
    labels = np.arange(300) % 2
    reports = [attack(noise(), labels, attackers=[*FAST, "random forest"], random_state=3) for _ in range(2)]
    assert reports[0] == reports[1]


def test_interval_of_the_strongest_of_many_attackers_is_wider():
    labels = np.arange(300) % 2
    few, many = (attack(noise(), labels, attackers=FAST[:n]).attacks[0] for n in (1, 3))
    assert many.high - many.low > few.high - few.low


def test_one_label_or_an_unknown_attacker_is_an_error():
    with pytest.raises(InvalidParameterError, match="at least two labels"):
        attack(noise(), np.zeros(300, dtype=int))
    with pytest.raises(InvalidParameterError, match="attackers must be among"):
        attack(noise(), np.arange(300) % 2, attackers=["oracle"])


def test_sentence_above_chance_says_that_the_vectors_encode_the_attribute():
    result = Attack("boosted trees", 0.8, 0.02, 0.5, 0.46, 0.54)
    assert str(result) == (
        "boosted trees: balanced accuracy 0.800 ± 0.020, chance 0.500: above chance, so the vectors encode it"
    )


def test_attackers_trained_on_some_nodes_predict_the_others():
    rng = np.random.default_rng(0)
    labels = np.arange(300) % 2
    X = rng.standard_normal((300, 3)) + labels[:, None]
    test = np.arange(300) >= 200
    # The test nodes have the opposite sign, so that attackers trained on the others are wrong.
    X[test] = 1.0 - X[test]
    report = attack(X, labels, attackers=["logistic regression"], test=test)
    assert report.n_nodes == 100
    assert report.strongest.accuracy < 0.3
    with pytest.raises(InvalidParameterError, match="some nodes and not all"):
        attack(X, labels, test=np.ones(300, dtype=bool))
