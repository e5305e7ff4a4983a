"""README.md as a package index shows it, where relative links lead nowhere; a hook of hatchling."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")


def long_description(readme: str) -> str:
    """Return the text without pictures and links of the repository, and with the command that installs a release."""
    text = _LINK.sub(r"\1", _PICTURE.sub("", readme))
    return re.sub(r"pip install \. .*\n(make .*\n)*", "pip install residuum   # Python 3.11 or newer\n", text)


class LongDescription(MetadataHookInterface):
    """Sets the field ``readme``."""

    def update(self, metadata: dict[str, object]) -> None:
        """Set the long description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(text)}
