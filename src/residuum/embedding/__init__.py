"""Embeddings: vectors with node ids, pair scores, and files."""

from residuum.embedding.embedding import Embedding
from residuum.embedding.scores import PairScore, PairScores

__all__ = ["Embedding", "PairScore", "PairScores"]
