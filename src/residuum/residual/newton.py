"""Damped Newton steps of one side of the likelihood, and the schedule of sweeps; functions of some rows only."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FIRST_STEPS",
    "NewtonStep",
    "averaging_share",
    "has_settled",
    "remaining_error",
    "step_length",
    "sweep_seeds",
]

#: Lengths of the first steps from a random start, in Newton steps: the curvature of pairs with ``P_d = P_0`` is the
#: largest, and the gradient is still large compared with the noise of the samples.
FIRST_STEPS = (1.3, 1.3, 1.0)
# Length of the others: shorter steps average more samples.
_STEP = 0.75
# Longest step, in lengths of a typical vector.
_LONGEST = 1.0
# Share of the mean curvature that keeps the others invertible.
_RIDGE = 1e-6
# Exponent of the sweeps in the average: about the last half of them.
_AVERAGING = 3.0
# Sweeps without improvement after which no more follow.
_PATIENCE = 2
# Loss of zero vectors.
_ZERO_LOSS = 2.0 * np.log(2.0)
# Gains of sweeps are taken to fall at least this fast.
_HIGHEST_RATE = 0.9


@dataclass(frozen=True)
class NewtonStep:
    """Step of the vectors of one side, of limited length; the curvature is the same for all nodes of a degree.

    Attributes
    ----------
    curvature : float32 array of shape (K,)
        Eigenvalues of the curvature.
    basis : float32 array of shape (K, K)
        Its eigenvectors.
    longest : float32
        Longest step of a vector that is not longer itself.
    length : float32
        Length of the step, in Newton steps.

    Examples
    --------
    >>> step = NewtonStep.of(np.eye(2), mean_square=1.0, length=0.75)
    >>> x = np.zeros((1, 2), dtype=np.float32)
    >>> step.move(x, np.ones_like(x), np.zeros((1, 1), dtype=np.float32)).round(2)
    array([[0.71, 0.71]], dtype=float32)
    """

    curvature: NDArray[np.float32]
    basis: NDArray[np.float32]
    longest: np.float32
    length: np.float32

    @classmethod
    def of(cls, curvature: NDArray[np.float64], mean_square: float, length: float) -> "NewtonStep":
        """Return the steps at a curvature.

        Parameters
        ----------
        curvature : array of shape (K, K)
            Curvature of the likelihood in a row.
        mean_square : float
            Mean squared length of the vectors that move.
        length : float
            Length of the step, in Newton steps.

        Returns
        -------
        NewtonStep
            The steps.
        """
        values, basis = np.linalg.eigh(curvature)
        values = np.maximum(values, max(_RIDGE * values.mean(), np.finfo(np.float32).tiny))
        longest = np.float32(_LONGEST * np.sqrt(mean_square))
        return cls(values.astype(np.float32), basis.astype(np.float32), longest, np.float32(length))

    def move(
        self, x: NDArray[np.float32], gradient: NDArray[np.float32], prior: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return some vectors after the step.

        Parameters
        ----------
        x, gradient : float32 arrays of shape (n, K)
            Vectors, and the gradient of the likelihood there.
        prior : float32 array of shape (n, 1)
            Weight of the Gaussian prior in each row.

        Returns
        -------
        float32 array of shape (n, K)
            New vectors.
        """
        slope = gradient - prior * x
        step = self.length * ((slope @ self.basis) / (self.curvature + prior)) @ self.basis.T
        lengths = np.linalg.norm(step, axis=1, keepdims=True)
        most = np.maximum(self.longest, np.linalg.norm(x, axis=1, keepdims=True))
        return np.asarray(x + step * np.divide(most, lengths, out=np.ones_like(lengths), where=lengths > most))


def step_length(number: int, first_steps: tuple[float, ...]) -> float:
    """Return the length of the steps of a sweep, in Newton steps.

    Parameters
    ----------
    number : int
        Number of the sweep, from 1.
    first_steps : tuple of float
        Lengths in the first sweeps; 0.75 later.

    Returns
    -------
    float
        Length.

    Examples
    --------
    >>> step_length(2, FIRST_STEPS), step_length(4, FIRST_STEPS), step_length(1, ())
    (1.3, 0.75, 0.75)
    """
    return first_steps[number - 1] if number <= len(first_steps) else _STEP


def sweep_seeds(seed: int, number: int) -> tuple[int, int]:
    """Return the seeds of both halves of a sweep.

    Parameters
    ----------
    seed : int
        Seed of the run.
    number : int
        Number of the sweep, from 1.

    Returns
    -------
    centers, contexts : int
        Seeds.
    """
    centers, contexts = np.random.SeedSequence([seed, number]).generate_state(2, np.uint64)
    return int(centers), int(contexts)


def averaging_share(number: int) -> np.float32:
    """Return the share of the vectors after a sweep in the average.

    Parameters
    ----------
    number : int
        Number of the sweep, from 1.

    Returns
    -------
    float32
        1 after the first sweep, less later.

    Examples
    --------
    >>> averaging_share(1).item(), averaging_share(5).item()
    (1.0, 0.5)
    """
    return np.float32(min((_AVERAGING + 1.0) / (number + _AVERAGING), 1.0))


def has_settled(losses: list[float], tolerance: float) -> bool:
    """Return whether the last two sweeps hardly changed the loss.

    Parameters
    ----------
    losses : list of float
        Loss of the starting point and after each sweep.
    tolerance : float
        Smallest improvement, relative to the difference to zero vectors; 0 never settles.

    Returns
    -------
    bool
        Whether to stop.

    Examples
    --------
    >>> has_settled([1.3, 0.5, 0.4999, 0.4998], 0.003)
    True
    """
    gains = -np.diff(losses)
    least = tolerance * max(_ZERO_LOSS - losses[-1], 0.0)
    return tolerance > 0 and len(gains) >= _PATIENCE and bool((gains[-_PATIENCE:] < least).all())


def remaining_error(losses: list[float], first_steps: tuple[float, ...] = ()) -> float:
    """Return the square root of the share of the gain over zero vectors that more sweeps would add, extrapolated.

    Gains are taken to fall geometrically, as the last two did if their steps had had the same length. After a single
    sweep, the rate is unknown and the error the largest that is extrapolated.

    Parameters
    ----------
    losses : list of float
        Loss of the starting point and after each sweep.
    first_steps : tuple of float
        Lengths of the steps of the first sweeps.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> remaining_error([1.3, 0.5, 0.5])
    0.0
    """
    gain, steps = _ZERO_LOSS - losses[-1], -np.diff(losses)
    if gain <= 0.0 or not len(steps):
        return 1.0
    if steps[-1] <= 0.0:
        return 0.0
    rate = _HIGHEST_RATE
    if len(steps) > 1 and steps[-2] > 0.0:
        before, last = (step_length(number, first_steps) for number in (len(steps) - 1, len(steps)))
        rate = min(float(steps[-1] / steps[-2]) * before / last, _HIGHEST_RATE)
    return min(float(np.sqrt(steps[-1] * rate / (1.0 - rate) / gain)), 1.0)
