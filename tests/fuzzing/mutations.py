"""Changes of files that keep most of their structure, so that readers get past the header."""

import ast
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fuzzing.packing import pack, unpack
from hostile.cases import with_records

Mutation = Callable[[bytes, random.Random], bytes]

_NUMBERS = ["0", "1", "-1", "2", "3", "1.5", "-0", "1e999", "nan", "inf", "1e-320", "1,5", "+1", "0x1", "1_0", "٣"]
_NUMBERS += [str(2**31), str(2**63), str(-(2**63)), "9" * 25, "1e308", "4294967296", "16777217", "0.1"]
_WORDS = ["", " ", "ann", "bob", "source", "target", "weight", "node", "id", "label", "\0", "é", "\ufeff", "NA", "None"]
_WORDS += ["null", "true", "#", "%", '"', "'", '""', "\\", "\r", "\n", "\n\n", "\r\n", ",", ";", "\t", "  ", "|", ":"]
TOKENS = _NUMBERS + _WORDS
XML = ["<graph>", "</graph>", '<node id="n0"/>', '<edge source="ann" target="bob"/>', '<data key="d0">x</data>', "]]>"]
XML += ['edgedefault="undirected"', 'attr.type="int"', 'attr.type="boolean"', "&amp;", "&#0;", "&lt;", "<!--", "-->"]
XML += ['<!DOCTYPE x [<!ENTITY a "b">]>', "&a;", "<hyperedge/>", "<port/>", 'xmlns=""', "<default>1</default>"]
GML = [
    "graph [",
    "node [",
    "edge [",
    "]",
    "id 0",
    "id 1",
    'label "ann"',
    "source 0",
    "target 1",
    "directed 1",
    "[",
    '"',
]
GML += ["multigraph 1", "key 0", "weight 1.5", "weight NAN", "weight +INF", 'name "&#34;"', "_networkx_list_start 1"]
MATRIX = [
    "%%MatrixMarket matrix coordinate real general",
    "symmetric",
    "pattern",
    "integer",
    "array",
    "complex",
    "4 4 4",
]
MATRIX += ["skew-symmetric", "hermitian", "unsigned-integer", "1 1 1", "4 4", "0 0 0", "%"]
TOML = ["[embed]", "dim = 8", 'null = "dcsbm"', "window = [1, 2]", "erase = []", "seed = -1", "[plan]", "[[embed]]"]
TOML += ["dim = 1e400", "dim = inf", "seed = 1979-05-27", "floor = true", 'groups = "x:y"', "quiet = 1", "a.b = 1", "="]
TOML += ['"" = 1', "tune = true", "dim = {a = 1}", "window = [[1], 2]", "solver = 'exact'", "n_jobs = 0", "output = ''"]
_VALUES: list[Any] = [None, True, False, 0, 1, -1, 2, 0.5, -1e300, 1e308, 2**31, 2**63, 10**30, "", "x", "exact", "\0"]
_VALUES += [[], {}, [1], [[1]], {"a": 1}, "plain", "json", "configuration", float("nan"), float("inf"), [None], "dcsbm"]
_TYPES = ["<f4", "<f8", "<i4", "<i8", "<u8", "|b1", "<f2", ">f4", "<c8", "<U3", "|S4", "<M8[ns]", "|V0", "|O", "|i1"]


def change_bytes(data: bytes, rng: random.Random, tokens: list[str] = TOKENS) -> bytes:
    """Change, remove, repeat or insert a few bytes."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        n_bytes = len(changed)
        first = rng.randrange(n_bytes + 1)
        last = min(n_bytes, first + rng.choice([1, 1, 2, 4, 8, 40]))
        kind = rng.randrange(6)
        if kind == 0 and n_bytes:
            changed[first % n_bytes] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        elif kind == 1:
            del changed[first:last]
        elif kind == 2:
            changed[first:first] = changed[first:last] * rng.choice([1, 1, 2, 50])
        elif kind == 3:
            del changed[first:]
        elif kind == 4:
            place = rng.randrange(n_bytes + 1)
            changed[place : place + last - first] = changed[first:last]
        else:
            changed[first:first] = rng.choice(tokens).encode()
    return bytes(changed)


def change_text(data: bytes, rng: random.Random, tokens: list[str] = TOKENS) -> bytes:
    """Change lines and cells of a text."""
    lines = data.split(b"\n")
    for _ in range(rng.choice([1, 1, 2, 4])):
        row = rng.randrange(len(lines))
        kind = rng.randrange(7)
        if kind == 0:
            lines.insert(rng.randrange(len(lines) + 1), lines[row])
        elif kind == 1 and len(lines) > 1:
            del lines[row]
        elif kind == 2:
            lines[row] = rng.choice(tokens).encode()
        elif kind == 3:
            lines.insert(row, rng.choice(tokens).encode())
        elif kind == 4:
            old, new = (rng.choice([b",", b";", b"\t", b" ", b"|", b"  "]) for _ in range(2))
            lines = [line.replace(old, new) for line in lines]
        else:
            mark = rng.choice([mark for mark in (b",", b" ", b"\t", b";", b'"', b"=") if mark in lines[row]] or [b","])
            cells = lines[row].split(mark)
            place = rng.randrange(len(cells))
            if rng.random() < 0.2:
                cells.insert(place, rng.choice(tokens).encode())
            else:
                cells[place] = rng.choice(tokens).encode()
            lines[row] = mark.join(cells)
    return b"\n".join(lines)


def text(tokens: list[str]) -> Mutation:
    """Return changes of a text with words of its own."""
    words = tokens + TOKENS[:40]

    def change(data: bytes, rng: random.Random) -> bytes:
        return (change_text if rng.random() < 0.7 else change_bytes)(data, rng, words)

    return change


def change_gzip(data: bytes, rng: random.Random) -> bytes:
    """Change the text in a gzip file."""
    try:
        content = gzip.decompress(data)
    except Exception:  # changed before
        return change_bytes(data, rng)
    packed = gzip.compress(change_text(content[:4096], rng), mtime=0)
    return packed if rng.random() < 0.9 else change_bytes(packed, rng)


def change_json(data: bytes, rng: random.Random) -> bytes:
    """Change a value somewhere in a JSON text."""
    try:
        root = json.loads(data)
    except Exception:  # changed before
        return change_bytes(data, rng)
    places: list[tuple[Any, Any]] = []
    stack = [root]
    while stack:
        value = stack.pop()
        if isinstance(value, (dict, list)):
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            places += [(value, key) for key in keys]
            stack += [value[key] for key in keys]
    if not places:
        return json.dumps(rng.choice(_VALUES)).encode()
    container, key = rng.choice(places)
    kind = rng.randrange(5)
    if kind == 0:
        del container[key]
    elif kind == 1:
        other, other_key = rng.choice(places)
        container[key] = json.loads(json.dumps(other[other_key])) if other_key in _keys(other) else None
    elif kind == 2 and isinstance(container[key], (int, float)):
        container[key] = rng.choice([container[key] + 1, container[key] - 1, -container[key], 2 * container[key] + 1])
    else:
        container[key] = rng.choice(_VALUES)
    return json.dumps(root).encode()


def _keys(container: Any) -> Any:
    return container if isinstance(container, dict) else range(len(container))


def change_array(data: bytes, rng: random.Random) -> bytes:
    """Change the header or the values of a npy file."""
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        size = int.from_bytes(stream.read(2 if version == (1, 0) else 4), "little")
        header = ast.literal_eval(stream.read(size).decode("latin-1"))
        body = stream.read()
    except Exception:  # changed before
        return change_bytes(data, rng)
    kind = rng.randrange(4)
    if kind == 0:
        header[rng.choice(list(header))] = rng.choice([rng.choice(_TYPES), (3,), (2, 2), (), (-1,), (2**40,), True, 4])
    elif kind == 1:
        body = _changed_values(header, body, rng)
    elif kind == 2:
        body = change_bytes(body, rng)
    else:
        header["descr"] = rng.choice(_TYPES)
        length = len(body) // max(np.dtype(header["descr"]).itemsize, 1) if header["descr"] != "|O" else 2
        header["shape"] = rng.choice([(length,), (length // 2, 2), header.get("shape", ())])
    written = io.BytesIO()
    text = repr(header).encode("latin-1", "replace") + b"\n"
    written.write(np.lib.format.magic(1, 0) + len(text).to_bytes(2, "little") + text + body)
    return written.getvalue()


def _changed_values(header: dict[str, Any], body: bytes, rng: random.Random) -> bytes:
    try:
        values = np.frombuffer(body, dtype=np.dtype(header["descr"])).copy()
        values[rng.randrange(len(values))] = rng.choice(
            [0, -1, 1, 2, 10**9, 2**31 - 1, -(2**31), 3, 0.5, np.nan, np.inf]
        )
    except Exception:  # no numbers, or none that fit
        return change_bytes(body, rng)
    return values.tobytes()


def change_npz(data: bytes, rng: random.Random) -> bytes:
    """Change, remove, rename or repeat an array of a npz file."""
    arrays = unpack(data)
    if not arrays or rng.random() < 0.1:
        return change_bytes(data, rng)
    name = rng.choice(list(arrays))
    kind = rng.randrange(8)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[rng.choice(["data.npy", "indices.npy", "header.npy", "x", "shape.npy", "ids.npy"])] = arrays[name]
    elif kind == 2:
        other = rng.choice(list(arrays))
        arrays[name], arrays[other] = arrays[other], arrays[name]
    else:
        arrays[name] = change_array(arrays[name], rng)
    stream = io.BytesIO()
    packing = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(stream, "w", packing) as archive:
        for part, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0)), content, packing)
    return stream.getvalue()


def _column(rng: random.Random, n_rows: int) -> pa.Array:
    """Return a column of any type."""
    makers: list[Callable[[], Any]] = [
        lambda: pa.array([rng.choice(["ann", "bob", "cid", "", "1", "02", "é", None]) for _ in range(n_rows)]),
        lambda: pa.array([rng.choice([0, 1, 2, -1, 2**62, None]) for _ in range(n_rows)], pa.int64()),
        lambda: pa.array([rng.choice([0.5, 1.0, float("nan"), float("inf"), -1.0, None]) for _ in range(n_rows)]),
        lambda: pa.array([rng.choice([0, 1, 2**64 - 1]) for _ in range(n_rows)], pa.uint64()),
        lambda: pa.array([rng.choice([True, False, None]) for _ in range(n_rows)], pa.bool_()),
        lambda: pa.array([rng.choice(["a", "b", None]) for _ in range(n_rows)]).dictionary_encode(),
        lambda: pa.array([b"\xff\0", b"a"] * (n_rows // 2) + [b""] * (n_rows % 2), pa.binary()),
        lambda: pa.array([rng.choice([0, 1, 10**15]) for _ in range(n_rows)], pa.timestamp(rng.choice(["s", "ns"]))),
        lambda: pa.array([rng.choice([0, 1, 30000]) for _ in range(n_rows)], pa.date32()),
        lambda: pa.nulls(n_rows),
        lambda: pa.array([rng.choice([[1.0, 2.0], [3.0], [], None]) for _ in range(n_rows)], pa.list_(pa.float32())),
        lambda: pa.array(
            [[float(i), rng.choice([0.0, float("nan"), 1.0])] for i in range(n_rows)], pa.list_(pa.float32(), 2)
        ),
        lambda: pa.array([{"a": i} for i in range(n_rows)]),
        lambda: pa.array(np.arange(n_rows) % 3, pa.int8()),
        lambda: pa.array(np.arange(n_rows, dtype=np.float16)),
        lambda: pa.array(["x" * 3] * n_rows, pa.large_string()),
    ]
    return rng.choice(makers)()


def change_parquet(data: bytes, rng: random.Random) -> bytes:
    """Return another table with the usual column names, or change some bytes."""
    if rng.random() < 0.4:
        return change_bytes(data, rng)
    n_rows = rng.choice([0, 1, 2, 3, 4, 4, 9])
    names = ["source", "target", "weight", "node", "id", "label", "vector", "context", "offset", "d0", "d1", "year", ""]
    chosen = rng.sample(names, rng.randrange(1, 5))
    try:
        table = pa.Table.from_arrays([_column(rng, n_rows) for _ in chosen], names=chosen)
        header = rng.choice(
            ['{"ids": "json"}', '{"ids": "plain", "directed": true}', "[]", "{", '{"metadata": 1}', "{}"]
        )
        if rng.random() < 0.5:
            table = table.replace_schema_metadata({b"residuum": header.encode()})
        stream = io.BytesIO()
        packing = rng.choice(["none", "snappy", "gzip"])
        pq.write_table(table, stream, compression=packing, row_group_size=rng.choice([1, 2, 100]))
    except (pa.ArrowException, ValueError, TypeError):  # a type that parquet does not have
        return change_bytes(data, rng)
    return stream.getvalue() if rng.random() < 0.8 else change_bytes(stream.getvalue(), rng)


def change_folder(data: bytes, rng: random.Random) -> bytes:
    """Change a file of a folder, and mostly the sizes and checksums with it."""
    files = unpack(data)
    if not files:
        return change_bytes(data, rng)
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(list(files))
        if rng.random() < 0.05:
            del files[name]
            break
        files[name] = _by_ending(name)(files[name], rng)
    for header in [name for name in files if name.endswith("header.json")]:
        prefix = header.removesuffix("header.json")
        if rng.random() < 0.85:
            graph = {name.removeprefix(prefix): part for name, part in files.items() if name.startswith(prefix)}
            files |= {prefix + name: part for name, part in _with_valid_records(graph).items()}
    return pack(files)


def _by_ending(name: str) -> Mutation:
    endings = {".json": change_json, ".npy": change_array, ".npz": change_npz, ".parquet": change_parquet}
    return next((change for ending, change in endings.items() if name.endswith(ending)), change_bytes)


def _with_valid_records(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a graph with a header whose types, lengths, sizes and checksums agree with them."""
    try:
        header = json.loads(files["header.json"])
        for name, record in header["files"].items():
            if name.endswith(".npy"):
                stream = io.BytesIO(files[name])
                np.lib.format.read_magic(stream)
                shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
                record |= {"dtype": dtype.str, "length": shape[0]}
        return with_records(files | {"header.json": json.dumps(header).encode()})
    except Exception:  # a header or an array without form
        return files
