"""The table of hostile files: damaged copies of valid files, and files made to harm."""

import gzip
import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from hostile.seeds import EDGES, MATRIX, Content, damaged, disk, gzip_bomb, npz, parquet, seeds, sparse_npz

# Name of the case ("valid" or "hostile", kind, description), file name and content.
Case = tuple[str, str, Content]

_HEADER = b"%%MatrixMarket matrix coordinate real general\n"
_DEEP = 100_000


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for number, (name, (file, content)) in enumerate(seeds().items()):
        yield f"valid-{name}", file, content
        if isinstance(content, bytes):
            yield from ((f"hostile-{name}-{how}", file, changed) for how, changed in damaged(content, number))
    made = {
        "graph-text": _text(),
        "graph-mtx": _matrix_market(),
        "graph-npz": _npz(),
        "graph-parquet": _parquet(),
        "graph-xml": _networks(),
        "graph-r2g": _disk(),
        "vectors": _vectors(),
        "labels": _labels(),
    }
    for kind, table in made.items():
        for how, (file, content) in table.items():
            yield f"hostile-{kind}-{how}", file, content


def _text() -> dict[str, tuple[str, Content]]:
    packed = gzip.compress(EDGES.encode(), mtime=0)
    return {
        "empty": ("x.csv", b""),
        "only-comments": ("x.txt", b"# nothing\n% here\n"),
        "only-bom": ("x.csv", b"\xef\xbb\xbf"),
        "zeros": ("x.txt", bytes(10_000)),
        "utf-16": ("x.csv", EDGES.encode("utf-16")),
        "latin-1": ("x.csv", "a,b\né,c\n".encode("latin-1")),
        "long-line": ("x.csv", b"a" * (3 << 20)),
        "long-cell": ("x.csv", b"a,b\n" + b"c" * (2 << 20) + b",d\n"),
        "quote-of-a-large-cell": ("x.csv", b'a,b\n"' + b"c" * 200_000 + b'",d\n'),
        "many-columns": ("x.csv", b"a," * 200_000 + b"b\n"),
        "many-columns-later": ("x.csv", b"a,b\n" + b"a," * 200_000 + b"b\n"),
        "unclosed-quote": ("x.csv", b'a,"b\n' + b"c,d\n" * 50_000),
        "quotes": ("x.csv", b'"' * 10_001 + b",b\n"),
        "carriage-returns": ("x.csv", b"a,b\rb,c\rc,a\r"),
        "nul-in-an-id": ("x.csv", b"a\0b,c\nc,d\n"),
        "id-of-5000-digits": ("x.txt", b"1 " + b"9" * 5000 + b"\n2 3\n"),
        "id-beyond-64-bits": ("x.txt", b"1 9223372036854775808\n"),
        "infinite-weight": ("x.csv", b"a,b,1e999\n"),
        "nan-weight": ("x.csv", b"a,b,nan\n"),
        "weights-that-overflow": ("x.csv", b"a,b,1.7e308\n" * 3),
        "negative-weight": ("x.csv", b"a,b,-1\n"),
        "zero-weights": ("x.csv", b"a,b,0\nb,c,0\n"),
        "surrogates": ("x.csv", b"\xed\xa0\x80,b\nb,c\n"),
        "gzip-header-only": ("x.csv.gz", packed[:10]),
        "gzip-without-end": ("x.csv.gz", packed[:-8]),
        "gzip-with-garbage": ("x.csv.gz", packed + b"garbage"),
        "gzip-of-gzip": ("x.csv.gz", gzip.compress(packed, mtime=0)),
        "gzip-wrong-checksum": ("x.csv.gz", packed[:-8] + bytes(8)),
        "bomb-of-one-line": ("x.csv.gz", gzip_bomb(b"\0", 3 << 30)),
        "bomb-of-letters": ("x.txt.gz", gzip_bomb(b"a", 1 << 30)),
        "bomb-of-lines": ("x.txt.gz", gzip_bomb(b"0 1\n", 256 << 20)),
        "bomb-of-comments": ("x.txt.gz", gzip_bomb(b"#\n", 256 << 20)),
        "bomb-of-blank-lines": ("x.txt.gz", gzip_bomb(b"\n", 256 << 20)),
    }


def _matrix_market() -> dict[str, tuple[str, Content]]:
    entries = MATRIX.split(b"\n", 2)[2]
    texts = {
        "segfault": _HEADER + b"3 3 2\n1 2 1.5\n2 1 2f",
        "value-of-letters": _HEADER + b"2 2 1\n1 2 x\n",
        "row-0": _HEADER + b"2 2 1\n0 1 1\n",
        "row-outside": _HEADER + b"2 2 1\n3 1 1\n",
        "row-of-20-digits": _HEADER + b"2 2 1\n99999999999999999999 1 1\n",
        "row-negative": _HEADER + b"2 2 1\n-1 1 1\n",
        "too-few-entries": _HEADER + b"2 2 9\n1 2 1\n",
        "too-many-entries": _HEADER + b"2 2 1\n1 2 1\n2 1 1\n",
        "huge-number-of-entries": _HEADER + b"2 2 999999999999999999\n1 2 1\n",
        "huge-shape": _HEADER + b"999999999999999999 999999999999999999 1\n1 2 1\n",
        "large-shape": _HEADER + b"2000000000 2000000000 1\n1 2 1\n",
        "size-of-30-digits": _HEADER + b"9" * 30 + b" 2 1\n1 2 1\n",
        "size-negative": _HEADER + b"-2 -2 1\n1 2 1\n",
        "size-of-floats": _HEADER + b"2.0 2.0 1\n1 2 1\n",
        "size-missing": _HEADER,
        "size-zero": _HEADER + b"0 0 0\n",
        "no-entries": _HEADER + b"3 3 0\n",
        "rectangular": _HEADER + b"2 3 1\n1 3 1\n",
        "symmetric-rectangular": _HEADER.replace(b"general", b"symmetric") + b"2 3 1\n1 3 1\n",
        "nan": _HEADER + b"2 2 1\n1 2 nan\n",
        "infinite": _HEADER + b"2 2 1\n1 2 inf\n",
        "overflow": _HEADER + b"2 2 1\n1 2 1e999\n",
        "complex": _HEADER.replace(b"real", b"complex") + b"2 2 1\n1 2 1 1\n",
        "skew": _HEADER.replace(b"general", b"skew-symmetric") + b"2 2 1\n2 1 1\n",
        "vector": _HEADER.replace(b"matrix", b"vector") + b"2 2 1\n2 1 1\n",
        "unknown-banner": b"%%MatrixMarket matrix coordinate\n2 2 1\n2 1 1\n",
        "no-banner": entries,
        "empty": b"",
        "missing-column": _HEADER + b"2 2 2\n1 2\n2 1 1\n",
        "quotes": _HEADER + b'2 2 1\n"1" "2" "1"\n',
        "comments-between": _HEADER + b"2 2 2\n1 2 1\n% a comment\n\n  2\t1 1\n",
        "array": b"%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n",
        "array-too-short": b"%%MatrixMarket matrix array real general\n9 9\n0\n1\n",
        "array-huge": b"%%MatrixMarket matrix array real symmetric\n999999999 999999999\n0\n1\n",
        "array-empty": b"%%MatrixMarket matrix array real symmetric\n0 0\n",
        "long-comment": b"%%MatrixMarket matrix coordinate real general\n%" + b"x" * (3 << 20) + b"\n2 2 1\n1 2 1\n",
        "many-comments": _HEADER + b"%\n" * 500_000 + b"2 2 1\n1 2 1\n",
        "zeros": _HEADER + bytes(5000),
    }
    table: dict[str, tuple[str, Content]] = {name: ("x.mtx", text) for name, text in texts.items()}
    table["bomb"] = ("x.mtx.gz", gzip.compress(_HEADER, mtime=0) + gzip_bomb(b"%\n", 1 << 30))
    table["bomb-of-one-line"] = ("x.mtx.gz", gzip.compress(_HEADER, mtime=0) + gzip_bomb(b"%", 1 << 30))
    return table


def _npz() -> dict[str, tuple[str, Content]]:
    ints = np.array
    files = {
        **{f"{kind}-indptr-beyond": sparse_npz(kind, indptr=ints([0, 9, 9, 9, 99])) for kind in ("csr", "csc")},
        **{f"{kind}-indptr-wild": sparse_npz(kind, indptr=ints([0, 10**9, 2, 3, 5])) for kind in ("csr", "csc")},
        **{f"{kind}-indptr-negative": sparse_npz(kind, indptr=ints([0, -(10**9), 2, 3, 5])) for kind in ("csr", "csc")},
        **{f"{kind}-indptr-start": sparse_npz(kind, indptr=ints([-5, 1, 2, 3, 5])) for kind in ("csr", "csc")},
        **{f"{kind}-indptr-short": sparse_npz(kind, indptr=ints([0, 5])) for kind in ("csr", "csc")},
        **{f"{kind}-indptr-floats": sparse_npz(kind, indptr=ints([0.0, 1, 3, 4, 5])) for kind in ("csr", "csc")},
        **{f"{kind}-indices-outside": sparse_npz(kind, indices=ints([1, 2, 10**9, 0, 1])) for kind in ("csr", "csc")},
        **{f"{kind}-indices-negative": sparse_npz(kind, indices=ints([1, 2, -9, 0, 1])) for kind in ("csr", "csc")},
        **{f"{kind}-indices-short": sparse_npz(kind, indices=ints([1])) for kind in ("csr", "csc")},
        **{f"{kind}-data-short": sparse_npz(kind, data=np.ones(1)) for kind in ("csr", "csc")},
        "csr-data-nan": sparse_npz("csr", data=np.full(5, np.nan)),
        "csr-data-negative": sparse_npz("csr", data=-np.ones(5)),
        "csr-data-complex": sparse_npz("csr", data=np.ones(5, dtype=complex)),
        "csr-data-text": sparse_npz("csr", data=np.array(list("abcde"))),
        "csr-data-times": sparse_npz("csr", data=np.zeros(5, dtype="M8[s]")),
        "csr-shape-huge": sparse_npz("csr", shape=(10**15, 10**15)),
        "csr-shape-negative": sparse_npz("csr", shape=(-4, -4)),
        "csr-shape-one": sparse_npz("csr", shape=(4,)),
        "csr-shape-text": sparse_npz("csr", shape=np.array("wide")),
        "csr-shape-empty": sparse_npz("csr", shape=np.array([], dtype=int)),
        "bsr-indptr-wild": sparse_npz("bsr", indptr=ints([0, 10**9, 2])),
        "bsr-data-flat": sparse_npz("bsr", data=np.ones(5)),
        "coo-shape-huge": sparse_npz("coo", shape=(10**12, 10**12)),
        "coo-shape-large": sparse_npz("coo", shape=(10**9, 10**9)),
        "coo-row-outside": sparse_npz("coo", row=ints([0, 1, 1, 2, 99])),
        "coo-row-negative": sparse_npz("coo", row=ints([0, 1, 1, 2, -9])),
        "coo-row-short": sparse_npz("coo", row=ints([0])),
        "dia-shape-huge": sparse_npz("dia", shape=(10**12, 10**12)),
        "dia-offsets-wild": sparse_npz("dia", offsets=ints([10**12, -(10**12), 0, 1])),
        "dia-offsets-short": sparse_npz("dia", offsets=ints([0])),
        "format-unknown": sparse_npz("csr", format=b"xyz"),
        "format-evil": sparse_npz("csr", format=b"__import__('os')"),
        "format-array": sparse_npz("csr", format=np.array([b"csr", b"csc"])),
        "objects": sparse_npz("csr", data=np.array([{}] * 5, dtype=object)),
        "without-shape": npz(format=b"csr", data=np.ones(1)),
        "not-sparse": npz(vectors=np.eye(3)),
        "bomb": npz(format=b"csr", data=np.ones(100_000_000, np.uint8), shape=(4, 4)),
        "empty": b"",
        "no-zip": b"PK\x03\x04",
        "encrypted": _zip_with(flag=1),
        "unknown-compression": _zip_with(method=99),
        "lzma": _zip_with(compression=zipfile.ZIP_LZMA),
        "deep-header": _zip_of(_npy(b"(" * 5000 + b")" * 5000)),
        "unfinished-header": _zip_of(_npy(b"{'descr': '<f8', 'shape': (")),
        "huge-promise": _zip_of(_npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }")),
        "negative-promise": _zip_of(_npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }")),
        "overflowing-promise": _zip_of(_npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 8), }" % 2**62)),
        "void-type": _zip_of(_npy(b"{'descr': '|V0', 'fortran_order': False, 'shape': (99999999999,), }")),
        "long-header": _zip_of(_npy(b" " * 60_000)),
        "same-names": _zip_of(_npy(b"{}"), copies=3),
    }
    return {name: ("x.npz", content) for name, content in files.items()}


def _npy(header: bytes) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n" + bytes(64)


def _zip_of(member: bytes, copies: int = 1) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(copies):
            archive.writestr(f"{'data' * (number + 1)}.npy", member)
    return stream.getvalue()


def _zip_with(flag: int = 0, method: int | None = None, compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return an npz file whose members have another flag or compression in their headers."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive, zipfile.ZipFile(io.BytesIO(sparse_npz("csr"))) as source:
        for name in source.namelist():
            archive.writestr(name, source.read(name))
    content = bytearray(stream.getvalue())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(magic)
        while place >= 0:
            content[place + offset] |= flag
            if method is not None:
                content[place + offset + 2] = method
            place = content.find(magic, place + 4)
    return bytes(content)


def _parquet() -> dict[str, tuple[str, Content]]:
    columns: dict[str, dict[str, Any]] = {
        "no-rows": {"source": np.zeros(0, int), "target": np.zeros(0, int)},
        "one-column": {"source": [1]},
        "lists": {"source": [[1], [2]], "target": [[2], [3]]},
        "structs": {"source": [{"a": 1}], "target": [{"a": 2}]},
        "bytes": {"source": [b"\xff"], "target": [b"\xfe"]},
        "nulls": {"source": [1, None], "target": [2, 3]},
        "only-nulls": {"source": [None, None], "target": [None, None]},
        "booleans": {"source": [True, False], "target": [False, True]},
        "floats": {"source": [1.5, float("nan")], "target": [2.5, float("inf")]},
        "weight-of-text": {"source": [1], "target": [2], "weight": ["x"]},
        "weight-of-lists": {"source": [1], "target": [2], "weight": [[1.0]]},
        "weight-nan": {"source": [1], "target": [2], "weight": [float("nan")]},
        "weight-negative": {"source": [1], "target": [2], "weight": [-1.0]},
        "uint64": {"source": np.array([2**64 - 1], np.uint64), "target": [1]},
        "times": {"source": np.array(["2020-01-01"], "M8[s]"), "target": np.array(["2020-01-02"], "M8[s]")},
        "mixed-ends": {"source": [1, 2], "target": ["a", "b"]},
        "bomb": {"source": np.zeros(10_000_000, np.uint8), "target": np.zeros(10_000_000, np.uint8)},
    }
    table = {name: ("x.parquet", parquet(values)) for name, values in columns.items()}
    valid = parquet({"source": [1, 2], "target": [2, 3]})
    table["huge-footer"] = ("x.parquet", valid[:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1")
    table["zero-footer"] = ("x.parquet", valid[:-8] + bytes(4) + b"PAR1")
    table["encrypted"] = ("x.parquet", valid[:-4] + b"PARE")
    return dict(table)


def _networks() -> dict[str, tuple[str, Content]]:
    def graphml(body: str, head: str = "") -> bytes:
        return (
            f'<?xml version="1.0"?>{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{body}</graphml>'
        ).encode()

    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    nodes = '<node id="a"/><node id="b"/>'
    edge = '<edge source="a" target="b"><data key="w">{}</data></edge>'
    key = '<key id="w" for="edge" attr.name="weight" attr.type="{}"/>'
    files = {
        "x.graphml": {
            "laughs": graphml("<graph>&l11;</graph>", f'<!DOCTYPE graphml [<!ENTITY l0 "laugh">{laughs}]>'),
            "external": graphml("<graph>&x;</graph>", '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
            "deep": graphml("<graph>" * _DEEP + "</graph>" * _DEEP),
            "deep-nodes": graphml("<graph><node id='a'>" * 3000 + "</node></graph>" * 3000),
            "no-graph": graphml(""),
            "no-ids": graphml("<graph><node/><node/><edge/></graph>"),
            "edge-without-ends": graphml(f"<graph edgedefault='undirected'>{nodes}<edge/></graph>"),
            "weight-of-text": graphml(f"{key.format('string')}<graph>{nodes}{edge.format('x')}</graph>"),
            "weight-empty": graphml(f"{key.format('double')}<graph>{nodes}{edge.format('')}</graph>"),
            "weight-nan": graphml(f"{key.format('double')}<graph>{nodes}{edge.format('nan')}</graph>"),
            "weight-huge": graphml(f"{key.format('int')}<graph>{nodes}{edge.format('9' * 400)}</graph>"),
            "weight-of-5000-digits": graphml(f"{key.format('int')}<graph>{nodes}{edge.format('9' * 5000)}</graph>"),
            "unknown-key": graphml(f"<graph>{nodes}{edge.format('1')}</graph>"),
            "unknown-type": graphml(f"{key.format('evil')}<graph>{nodes}{edge.format('1')}</graph>"),
            "unknown-encoding": b'<?xml version="1.0" encoding="evil"?><graphml/>',
            "not-xml": b"graph",
            "zeros": bytes(1000),
        },
        "x.gml": {
            "deep": b"graph [ a " + b"[ a " * 20_000 + b"]" * 20_000 + b" ]",
            "unclosed": b"graph [ " + b"node [ " * 50_000,
            "surrogate": b'graph [ node [ id 0 label "&#55296;" ] node [ id 1 label "b" ] edge [ source 0 target 1 ] ]',
            "surrogate-attribute": b'graph [ node [ id 0 label "a" x "&#55296;" ] node [ id 1 label "b" x "c" ]'
            b" edge [ source 0 target 1 ] ]",
            "no-labels": b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
            "same-labels": b'graph [ node [ id 0 label "a" ] node [ id 1 label "a" ] edge [ source 0 target 1 ] ]',
            "unknown-node": b'graph [ node [ id 0 label "a" ] edge [ source 0 target 7 ] ]',
            "id-of-text": b'graph [ node [ id "x" label "a" ] edge [ source "x" target "x" ] ]',
            "id-of-lists": b'graph [ node [ id [ a 1 ] label "a" ] edge [ source 0 target 0 ] ]',
            "label-of-lists": b"graph [ node [ id 0 label [ a 1 ] ] edge [ source 0 target 0 ] ]",
            "node-is-a-number": b"graph [ node 7 edge 8 ]",
            "graph-is-a-number": b"graph 7",
            "two-graphs": b"graph [ ] graph [ ]",
            "no-graph": b"a 1",
            "huge-number": b'graph [ node [ id 0 label "a" ] edge [ source 0 target 0 weight ' + b"9" * 5000 + b" ] ]",
            "weight-of-lists": b'graph [ node [ id 0 label "a" ] edge [ source 0 target 0 weight [ a 1 ] ] ]',
            "unclosed-string": b'graph [ node [ id 0 label "' + b"a\n" * 10_000,
            "zeros": bytes(1000),
        },
    }
    return {f"{file[2:]}-{how}": (file, content) for file, table in files.items() for how, content in table.items()}


def _disk() -> dict[str, tuple[str, Content]]:
    table: dict[str, dict[str, bytes]] = {}
    for kind in ("directed", "undirected"):
        files = disk(kind == "directed")
        for name, changes in _array_changes(kind).items():
            table[f"{kind}-{name}"] = with_arrays(files, changes)
        for name, change in _header_changes().items():
            header = json.loads(files["header.json"])
            table[f"{kind}-header-{name}"] = files | {"header.json": json.dumps(header | change).encode()}
    files = disk(False)
    header = json.loads(files["header.json"])
    for name in ("../escape.npy", "/etc/passwd", "a/../b.npy", "C:\\x.npy", ".", ""):
        listed = header["files"] | {name: header["files"]["indices.npy"]}
        content = json.dumps(header | {"files": listed}).encode()
        table[f"name-{name.encode().hex() or 'empty'}"] = files | {"header.json": content}
    for key in ("bytes", "checksum", "dtype", "length"):
        for value in (None, -1, "x", [1]):
            listed = header["files"] | {"indices.npy": header["files"]["indices.npy"] | {key: value}}
            content = json.dumps(header | {"files": listed}).encode()
            table[f"record-{key}-{type(value).__name__}"] = files | {"header.json": content}
    table["header-deep"] = files | {"header.json": b"[" * _DEEP}
    table["header-not-utf-8"] = files | {"header.json": b"\xff{}"}
    table["header-huge-number"] = files | {"header.json": b'{"format": ' + b"9" * 5000 + b"}"}
    table["header-empty"] = files | {"header.json": b""}
    table["empty"] = {}
    for name, columns in _node_tables().items():
        nodes = {"nodes.parquet": parquet(columns)}
        table[f"nodes-{name}"] = with_records(files | nodes)
    rng = np.random.default_rng(7)
    for number in range(24):
        name = sorted(files)[number % len(files)]
        changed = bytearray(files[name])
        for place in rng.integers(len(changed), size=2):
            changed[place] ^= int(rng.integers(1, 256))
        content = files | {name: bytes(changed)}
        table[f"flip-{number}-{name.replace('.', '-')}"] = content if name == "header.json" else with_records(content)
    return {name: ("x.r2g", content) for name, content in table.items()}


def _array_changes(kind: str) -> dict[str, dict[str, Any]]:
    both = kind == "undirected"
    n_entries = 8 if both else 5
    ones = np.ones(n_entries, np.float32)
    indices = np.zeros(n_entries, np.int32)
    wild = np.array([0, 10**9, 2, 3, n_entries], np.int32)
    changes: dict[str, dict[str, Any]] = {
        "indices-outside": {"indices": indices + 10**9},
        "indices-negative": {"indices": indices - 10**9},
        "indices-unsorted": {"indices": indices},
        "indices-64": {"indices": indices.astype(np.int64) + 2**40},
        "indices-floats": {"indices": ones},
        "indices-big-endian": {"indices": indices.astype(">i4")},
        "indices-long": {"indices": np.zeros(99, np.int32)},
        "indptr-wild": {"indptr": wild},
        "indptr-negative": {"indptr": -wild},
        "indptr-floats": {"indptr": wild.astype(float)},
        "indptr-empty": {"indptr": wild[:0]},
        "weights-nan": {"weights": ones * np.nan},
        "weights-negative": {"weights": -ones},
        "weights-zero": {"weights": 0 * ones},
        "weights-infinite": {"weights": ones * np.inf},
        "weights-integers": {"weights": ones.astype(np.int32)},
        "weights-other": {"weights": np.arange(1, n_entries + 1, dtype=np.float32)},
        "weights-square": {"weights": np.ones((n_entries, 2), np.float32)},
        "strength-nan": {"out_strength": np.full(4, np.nan)},
        "strength-wrong": {"out_strength": np.ones(4)},
        "strength-long": {"out_strength": np.ones(9)},
    }
    if not both:
        changes["reverse-outside"] = {"reverse_indices": indices + 10**9}
        changes["reverse-wild"] = {"reverse_indptr": wild}
        changes["reverse-other"] = {"reverse_weights": ones}
    return changes


def with_arrays(files: dict[str, bytes], arrays: dict[str, Any]) -> dict[str, bytes]:
    """Return the files with other arrays, and a header that agrees with them."""
    changed = dict(files)
    header = json.loads(files["header.json"])
    for name, array in arrays.items():
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, version=(1, 0))
        changed[f"{name}.npy"] = stream.getvalue()
        record = {"dtype": array.dtype.str, "length": array.shape[0]}
        header["files"][f"{name}.npy"] |= record
    return with_records(changed | {"header.json": json.dumps(header).encode()})


def with_records(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with sizes and checksums in the header that agree with them."""
    header = json.loads(files["header.json"])
    for name, record in header["files"].items():
        content = files[name]
        start = 10 + int.from_bytes(content[8:10], "little") if name.endswith(".npy") else 0
        record["bytes"] = len(content)
        record["checksum"] = hashlib.blake2b(content[start:], digest_size=16).hexdigest()
    return files | {"header.json": json.dumps(header).encode()}


def _header_changes() -> dict[str, dict[str, Any]]:
    return {
        "list": {"files": []},
        "no-files": {"files": {}},
        "null-record": {"files": {"indptr.npy": None}},
        "nodes-text": {"n_nodes": "4"},
        "nodes-negative": {"n_nodes": -4},
        "nodes-huge": {"n_nodes": 10**30},
        "nodes-true": {"n_nodes": True},
        "entries-huge": {"n_entries": 10**30},
        "entries-zero": {"n_entries": 0},
        "edges-wrong": {"n_edges": 99},
        "directed-number": {"directed": 1},
        "weighted-wrong": {"weighted": False},
        "origin-list": {"origin": [1]},
        "version-list": {"version": [1]},
    }


def _node_tables() -> dict[str, dict[str, Any]]:
    ids = ["a", "b", "c", "d"]
    return {
        "duplicates": {"node": ["a", "a", "b", "c"]},
        "nulls": {"node": ["a", None, "b", "c"]},
        "floats": {"node": [1.0, 2.0, 3.0, 4.0]},
        "lists": {"node": [[1], [2], [3], [4]]},
        "short": {"node": ["a"]},
        "none": {"other": ids},
        "structs": {"node": ids, "x": [{"a": 1}] * 4},
        "nested": {"node": ids, "x": [[[1]], [[2, 3]], [], None]},
        "bytes": {"node": ids, "x": [b"\xff"] * 4},
        "dictionary": {"node": ids, "x": np.array(ids)},
    }


def _vectors() -> dict[str, tuple[str, Content]]:
    head = json.dumps({"ids": "plain", "directed": False, "metadata": {}})
    good: dict[str, Any] = {"header": np.array(head), "ids": np.array(["a", "b"]), "vectors": np.eye(2)}

    def headed(**changes: Any) -> dict[str, Any]:
        return good | {"header": np.array(json.dumps(json.loads(head) | changes))}

    arrays: dict[str, dict[str, Any]] = {
        "header-number": good | {"header": np.array(7)},
        "header-array": good | {"header": np.array([head, head])},
        "header-list": good | {"header": np.array("[]")},
        "header-deep": good | {"header": np.array("[" * _DEEP)},
        "header-not-json": good | {"header": np.array("{")},
        "header-bytes": good | {"header": np.array(head.encode())},
        "coding-list": headed(ids=[]),
        "coding-unknown": headed(ids="evil"),
        "metadata-list": headed(metadata=[1]),
        "directed-text": headed(directed="yes"),
        "ids-json-invalid": headed(ids="json") | {"ids": np.array(["{", "["])},
        "ids-json-mapping": headed(ids="json") | {"ids": np.array(["{}", "[{}]"])},
        "ids-json-deep": headed(ids="json") | {"ids": np.array(["[" * _DEEP, "1"])},
        "ids-json-numbers": headed(ids="json") | {"ids": np.array([1, 2])},
        "ids-json-huge": headed(ids="json") | {"ids": np.array(["9" * 30, "1"])},
        "ids-square": good | {"ids": np.eye(2)},
        "ids-scalar": good | {"ids": np.array("a")},
        "ids-nan": good | {"ids": np.array([np.nan, np.nan])},
        "ids-times": good | {"ids": np.zeros(2, "M8[ns]")},
        "ids-void": good | {"ids": np.zeros(2, "V4")},
        "ids-records": good | {"ids": np.zeros(2, [("a", "i4"), ("b", "f8")])},
        "ids-twice": good | {"ids": np.array(["a", "a"])},
        "ids-short": good | {"ids": np.array(["a"])},
        "vectors-text": good | {"vectors": np.array([["a"], ["b"]])},
        "vectors-complex": good | {"vectors": np.eye(2, dtype=complex)},
        "vectors-objects": good | {"vectors": np.array([[{}], [{}]], dtype=object)},
        "vectors-flat": good | {"vectors": np.ones(2)},
        "vectors-cube": good | {"vectors": np.ones((2, 2, 2))},
        "vectors-without-columns": good | {"vectors": np.ones((2, 0))},
        "vectors-huge-numbers": good | {"vectors": np.full((2, 2), 1e300)},
        "context-short": good | {"context_vectors": np.eye(1)},
        "offsets-long": good | {"offsets": np.ones(9)},
        "offsets-text": good | {"offsets": np.array(["a", "b"])},
        "bomb": good | {"vectors": np.zeros((2, 100_000_000), np.uint8)},
    }
    table: dict[str, tuple[str, Content]] = {f"npz-{name}": ("x.npz", npz(**parts)) for name, parts in arrays.items()}
    texts = {
        "huge-number": b"99999999999999 2\na 1 2\n",
        "huge-width": b"1 99999999999999\na 1 2\n",
        "both-huge": b"4000000000 4000000000\na 1 2\n",
        "zeros": b"0 0\n",
        "no-vectors": b"0 5\n",
        "no-width": b"2 0\na\nb\n",
        "negative": b"-1 -1\na 1\n",
        "floats": b"1.0 2.0\na 1 2\n",
        "digits": b"9" * 10_000 + b" 1\na 1\n",
        "superscript": "² ²\na 1 2\n".encode(),
        "long-first-line": b"1" * (2 << 20),
        "not-a-number": b"1 2\na 1 x\n",
        "infinite": b"1 2\na 1e999 nan\n",
        "missing-id": b"1 2\n 1 2\n",
        "same-ids": b"2 1\na 1\na 2\n",
        "latin-1": b"1 1\n\xe9 1\n",
        "empty": b"",
        "blank": b"\n\n\n",
        "nul": bytes(1000),
    }
    table |= {f"w2v-{name}": ("x.w2v", text) for name, text in texts.items()}
    meta = {b"residuum": head.encode()}
    tables: dict[str, tuple[dict[str, Any], dict[bytes, bytes]]] = {
        "not-vectors": ({"id": ["a"], "vector": [1.0]}, meta),
        "ragged": ({"id": ["a", "b"], "vector": [[1.0], [1.0, 2.0]]}, meta),
        "nulls": ({"id": [None, None], "vector": [None, None]}, meta),
        "header-deep": ({"id": ["a"], "vector": [[1.0]]}, {b"residuum": b"[" * _DEEP}),
        "header-bytes": ({"id": ["a"], "vector": [[1.0]]}, {b"residuum": b"\xff"}),
        "ids-structs": ({"id": [{"a": 1}], "vector": [[1.0]]}, meta),
        "ids-lists": ({"id": [[1]], "vector": [[1.0]]}, meta),
    }
    return table | {f"parquet-{name}": ("x.parquet", parquet(*parts)) for name, parts in tables.items()}


def _labels() -> dict[str, tuple[str, Content]]:
    texts = {
        "empty": b"",
        "header-only": b"node,label\n",
        "two-columns-of-the-same-name": b"node,label,label\n0,a,b\n",
        "two-ids-of-the-same-name": b"node,node,label\n0,1,b\n",
        "empty-names": b",,label\n0,1,b\n",
        "ragged": b"node,label\n0,a,b\n1\n",
        "two-values": b"node,label\n0,a\n0,b\n",
        "latin-1": b"node,label\n0,\xe9\n1,b\n",
        "nul": bytes(1000),
        "unclosed-quote": b'node,label\n0,"a\n1,b\n',
        "long-line": b"node,label\n0," + b"a" * (3 << 20) + b"\n",
        "long-header": b"a" * (3 << 20) + b",label\n",
        "huge-id": b"node,label\n" + b"9" * 5000 + b",a\n",
        "utf-16": "node,label\n0,a\n".encode("utf-16"),
        "times": b"node,label\n2020-01-01,2020-01-01\n",
    }
    table: dict[str, tuple[str, Content]] = {f"csv-{name}": ("x.csv", text) for name, text in texts.items()}
    table["csv-bomb"] = ("x.csv.gz", gzip.compress(b"node,label\n", mtime=0) + gzip_bomb(b"0,a\n", 256 << 20))
    table["csv-bomb-of-one-line"] = ("x.csv.gz", gzip.compress(b"node,label\n", mtime=0) + gzip_bomb(b"0", 1 << 30))
    columns: dict[str, dict[str, Any]] = {
        "ids-lists": {"node": [[0], [1]], "label": ["a", "b"]},
        "ids-structs": {"node": [{"a": 1}], "label": ["a"]},
        "ids-null": {"node": [None, None], "label": ["a", "b"]},
        "labels-lists": {"node": [0, 0], "label": [["a"], ["b"]]},
        "labels-structs": {"node": [0, 1], "label": [{"a": 1}, {"a": 2}]},
        "labels-bytes": {"node": [0, 1], "label": [b"\xff", b"\xfe"]},
        "bomb": {"node": np.zeros(10_000_000, np.uint8), "label": np.zeros(10_000_000, np.uint8)},
    }
    return table | {f"parquet-{name}": ("x.parquet", parquet(parts)) for name, parts in columns.items()}
