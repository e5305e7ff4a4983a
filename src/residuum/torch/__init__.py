"""Null models for training loops in torch and torch-geometric (the ``[gnn]`` extra)."""

from residuum.torch.sampler import NullNegativeSampler

__all__ = ["NullNegativeSampler"]
