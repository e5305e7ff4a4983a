"""What goes out: vectors with their node ids."""

from residuum.embedding.embedding import Embedding

__all__ = ["Embedding"]
