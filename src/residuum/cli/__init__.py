"""Command-line interface, one module per command."""

from residuum.cli.main import main

__all__ = ["main"]
