"""The command line: one file for each command."""

from residuum.cli.main import main

__all__ = ["main"]
