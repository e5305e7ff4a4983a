"""Entry point of ``python -m residuum``."""

from residuum.cli import main

if __name__ == "__main__":
    main(prog_name="residuum")
