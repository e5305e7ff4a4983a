"""Embeddings: vectors with node ids, pair scores, and files."""

from typing import TYPE_CHECKING

from residuum._lazy import lazy_exports

if TYPE_CHECKING:
    from residuum.embedding.embedding import Embedding
    from residuum.embedding.scores import PairScore, PairScores, paired_positions
else:
    __getattr__, __dir__ = lazy_exports(__name__)

__all__ = ["Embedding", "PairScore", "PairScores", "paired_positions"]
