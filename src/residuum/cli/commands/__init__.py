"""Commands, one module each, imported when the command runs."""
