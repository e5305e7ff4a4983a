"""Link prediction by a classifier of pairs on top of the vectors."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.links.features import PairFeatures
    from residuum.links.head import PairHead
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = ["PairFeatures", "PairHead"]
