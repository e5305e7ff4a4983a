#!/usr/bin/env bash
# Build sdist and wheel twice, compare the hashes, and take the wheel on a short tour in an empty environment.
# Usage: packaging/build.sh PYTHON, where PYTHON has the package build.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
# The date of the last commit instead of the clock, so that two builds of one commit are the same.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "==> building sdist and wheel, twice"
rm -rf dist
"$python" -m build --outdir dist . > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
"$python" -m build --outdir "$scratch/again" . > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
(cd dist && sha256sum -- *) | tee "$scratch/hashes"
(cd "$scratch/again" && sha256sum --check --quiet "$scratch/hashes")
# The wheel holds every file of the package, templates and data included, and nothing else.
diff <(cd src && git ls-files residuum | sort) \
    <("$python" -m zipfile -l dist/*.whl | awk '/^residuum\// {print $1}' | sort)

echo "==> installing the wheel in an empty environment"
"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --constraint constraints.txt dist/*.whl

echo "==> tour"
cd "$scratch"
"$scratch/venv/bin/python" - <<'TOUR'
from importlib.resources import files

from residuum import Residual2Vec, datasets

assert (files("residuum") / "py.typed").is_file()
graph = datasets.les_miserables()
Residual2Vec(16, random_state=0).fit(graph).to_embedding().save("vectors.parquet")
rows, columns = graph.adjacency.nonzero()
with open("edges.csv", "w") as file:
    file.write("source,target\n")
    file.writelines(f"{graph.node_ids[i]},{graph.node_ids[j]}\n" for i, j in zip(rows, columns) if i < j)
TOUR
residuum=$scratch/venv/bin/residuum
"$residuum" --version
"$residuum" embed edges.csv -o again.parquet --dim 16 --quiet
"$residuum" similar vectors.parquet Valjean -n 3
"$residuum" evaluate again.parquet edges.csv --quiet
echo "==> the wheel works"
