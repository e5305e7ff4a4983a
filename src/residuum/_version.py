"""The version of the package, from which the build reads it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
