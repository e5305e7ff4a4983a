"""The difference between the graph and the null model, by sampling: skip-gram on random walks."""

from residuum.skipgram.negatives import Negatives
from residuum.skipgram.newcomers import vectors_of_newcomers
from residuum.skipgram.options import SkipGramOptions
from residuum.skipgram.trainer import SkipGramVectors, train_skipgram

__all__ = ["Negatives", "SkipGramOptions", "SkipGramVectors", "train_skipgram", "vectors_of_newcomers"]
