"""What can be chosen about walks and training."""

from dataclasses import dataclass, fields
from typing import Any

from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError

__all__ = ["SkipGramOptions"]

_LARGEST_RATE = 1.0


@dataclass(frozen=True)
class SkipGramOptions:
    """How walkers walk and how vectors learn from them; the defaults are the paper's.

    Parameters
    ----------
    n_walks : int, default 10
        Walks from each node in an epoch.
    walk_length : int, default 80
        Steps of a walk.
    p, q : float, default 1.0
        Return and in-out parameter of the walks (node2vec).
    n_negatives : int, default 5
        k, the number of contexts drawn from the null model for each pair.
    epochs : int, default 5
        Each has walks of its own: nothing is stored, and no walk is seen twice.
    learning_rate : float, default 0.025
        At the start; it falls linearly to a 250th of it.
    subsample : float, default 0.0
        t: a visit of a node that makes up a share f of all visits counts with probability ``√(t/f) + t/f``, at most 1.
        0 counts every visit.

    Examples
    --------
    >>> SkipGramOptions(epochs=2).n_walks
    10
    """

    n_walks: int = 10
    walk_length: int = 80
    p: float = 1.0
    q: float = 1.0
    n_negatives: int = 5
    epochs: int = 5
    learning_rate: float = 0.025
    subsample: float = 0.0

    def __post_init__(self) -> None:
        for name in ("n_walks", "walk_length", "n_negatives", "epochs"):
            check_integer(name, getattr(self, name), minimum=1)
        check_real("subsample", self.subsample, minimum=0.0, maximum=1.0)
        rate = check_real("learning_rate", self.learning_rate, minimum=0.0, maximum=_LARGEST_RATE)
        if rate == 0.0:
            raise InvalidParameterError("learning_rate must be above 0; got 0, at which nothing is learned.")

    @classmethod
    def from_mapping(cls, name: str, given: Any) -> "SkipGramOptions":
        """Return the options that a parameter called ``name`` gives: None, a mapping, or options."""
        if given is None or isinstance(given, cls):
            return given or cls()
        known = [field.name for field in fields(cls)]
        if not hasattr(given, "items"):
            raise InvalidParameterError(f"{name} must be a mapping of {', '.join(known)}; got {given!r}.")
        unknown = [key for key in given if key not in known]
        if unknown:
            raise InvalidParameterError(f"{name} knows {', '.join(known)}; got {unknown[0]!r}.")
        return cls(**given)
