"""The difference between the graph and the null model, by sampling: skip-gram and GloVe on random walks."""

from residuum.skipgram.glove import GloVeVectors, co_occurrences, train_glove
from residuum.skipgram.negatives import Negatives
from residuum.skipgram.newcomers import vectors_of_newcomers
from residuum.skipgram.options import SkipGramOptions
from residuum.skipgram.trainer import SkipGramVectors, train_skipgram

__all__ = [
    "GloVeVectors",
    "Negatives",
    "SkipGramOptions",
    "SkipGramVectors",
    "co_occurrences",
    "train_glove",
    "train_skipgram",
    "vectors_of_newcomers",
]
