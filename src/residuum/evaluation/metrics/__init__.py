"""Metrics of `residuum evaluate`, registered by the decorator :func:`residuum.evaluation.metric`."""

__all__: list[str] = []
