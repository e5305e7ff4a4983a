"""Integrations with other libraries, one module per library; import them explicitly."""

__all__: list[str] = []
