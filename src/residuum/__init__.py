"""Debiased graph embedding."""
