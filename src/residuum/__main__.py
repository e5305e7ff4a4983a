"""``python -m residuum``: the command line."""

from residuum.cli import main

main(prog_name="residuum")
