"""Files and folders as bytes: a folder is a zip archive without compression."""

import io
import zipfile
from pathlib import Path

# Content of a file, or of the files of a folder by relative path.
Content = bytes | dict[str, bytes]

_DATE = (1980, 1, 1, 0, 0, 0)


def pack(content: Content) -> bytes:
    """Return the content as bytes."""
    if isinstance(content, bytes):
        return content
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(content):
            archive.writestr(zipfile.ZipInfo(name, _DATE), content[name])
    return stream.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the files of a folder; none if the bytes are not an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # the bytes of a fuzzer
        return {}


def write(content: Content, path: Path) -> None:
    """Write a file, or a folder with all its files; names that lead out of the folder are left out."""
    if isinstance(content, bytes):
        path.write_bytes(content)
        return
    path.mkdir()
    for name, data in content.items():
        parts = Path(name).parts
        if parts and not Path(name).is_absolute() and ".." not in parts and "\0" not in name and len(name) < 100:
            target = path.joinpath(*parts)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            except OSError:  # a file and a folder of the same name
                continue


def read(path: Path) -> Content:
    """Return the content of a file or folder."""
    if path.is_file():
        return path.read_bytes()
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
