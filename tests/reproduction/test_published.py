from residuum.reproduction.published import COGDL, HALVES, PUBLISHED


def test_published_auc_is_between_chance_and_1():
    for matched, uniform, node2vec in PUBLISHED.values():
        assert 0.45 < node2vec <= matched <= uniform < 1


def test_the_halves_alternate_and_cover_all_graphs():
    tuning, held_out = HALVES["tuning half"], HALVES["held-out half"]
    assert len(tuning) - len(held_out) in (0, 1)
    assert {*tuning, *held_out} == set(PUBLISHED) == set(HALVES["all graphs"])
    assert tuple(PUBLISHED)[:2] == (tuning[0], held_out[0])


def test_the_leaderboard_has_percentages_of_the_same_graphs():
    assert len({tuple(scores) for scores in COGDL.values()}) == 1
    assert all(20 < value < 60 for scores in COGDL.values() for value in scores.values())
