import numpy as np

from residuum._kernels.random import next_bits, next_uniform, stream

GOLDEN, MASK = 0x9E3779B97F4A7C15, 2**64 - 1


def mix(z):
    """Return the finalizer of splitmix64, in Python integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def sequence(function, state, n):
    """Return n values of a stream; numba returns states as Python integers."""
    values = []
    for _ in range(n):
        state, value = function(np.uint64(state))
        values.append(value)
    return values


def test_bits_are_those_of_splitmix64():
    # The published test vector of splitmix64 for the seed 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert sequence(next_bits, 1234567, 4) == published


def test_a_stream_starts_at_the_mixed_seed_and_number():
    for seed, number in [(7, 3), (0, 0), (2**63 - 1, 10**12)]:
        assert stream(np.uint64(seed), number) == mix((seed + mix((number + GOLDEN) & MASK)) & MASK)


def test_a_uniform_number_has_the_upper_53_bits():
    for state in (12345, 0, MASK):
        following, uniform = next_uniform(np.uint64(state))
        assert following == (state + GOLDEN) & MASK
        assert uniform == (mix((state + GOLDEN) & MASK) >> 11) / 2**53


def test_the_largest_uniform_number_is_below_one():
    # The state whose next output has all bits set: the inverse of the finalizer, which is a bijection.
    def unshift(z, by):
        result = z
        for _ in range(64 // by + 1):
            result = z ^ (result >> by)
        return result

    z = unshift(MASK, 31)
    z = unshift((z * pow(0x94D049BB133111EB, -1, 2**64)) & MASK, 27)
    z = unshift((z * pow(0xBF58476D1CE4E5B9, -1, 2**64)) & MASK, 30)
    _, bits = next_bits(np.uint64((z - GOLDEN) & MASK))
    assert int(bits) == MASK
    assert next_uniform(np.uint64((z - GOLDEN) & MASK))[1] == 1.0 - 2.0**-53


def test_streams_are_uniform_and_independent_of_each_other():
    n = 4000
    values = np.stack(
        [sequence(next_uniform, stream(np.uint64(seed), number), n) for seed in (5, 6) for number in (0, 1)]
    )
    assert ((values >= 0) & (values < 1)).all()
    # Five standard deviations of the mean, of the share of each tenth and of the correlation.
    assert (np.abs(values.mean(axis=1) - 0.5) < 5 * np.sqrt(1 / 12 / n)).all()
    tenths = np.stack([np.bincount((10 * row).astype(int), minlength=10) for row in values]) / n
    assert (np.abs(tenths - 0.1) < 5 * np.sqrt(0.09 / n)).all()
    correlation = np.corrcoef(values) - np.eye(4)
    assert np.abs(correlation).max() < 5 / np.sqrt(n)
