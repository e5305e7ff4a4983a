"""Metrics of `residuum evaluate`, found by the decorator :func:`residuum.evaluation.metric`."""

__all__: list[str] = []
