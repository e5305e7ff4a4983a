"""Targets of ``residuum reproduce``, one module each, with a ``TARGET``."""
