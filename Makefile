# Every target does its own set-up in .venv; the second time it is quick. The demo needs little, the tests everything.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO_EXTRAS := report
EXTRAS := graphs,report,index,benchmarks,gnn,distributed,dev
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

# Real graphs for tests and benchmarks, where the folder exists.
ifneq ($(wildcard ../shared/data/README.md),)
export RESIDUUM_DATA ?= $(abspath ../shared/data)
endif

.PHONY: help setup demo test chromium browser sweep chaos soak fuzz share oldest pythons mutants coverage licences audit check format bench paper rivals docs dist clean

help:  ## what can be done here
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: $(VENV)/.installed  ## a virtual environment with everything the other targets need

$(VENV)/.demo: pyproject.toml constraints.txt
	@echo "==> setting up $(VENV) for the demo (once; a minute on a slow network)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "residuum needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) '.[$(DEMO_EXTRAS)]'
	@touch $@

$(VENV)/.installed: $(VENV)/.demo
	@echo "==> installing the tools and extras for tests and benchmarks (once; 2 GB, a few minutes on a slow network)"
	@$(INSTALL) '.[$(EXTRAS)]'
	@touch $@

demo: $(VENV)/.demo  ## embed a built-in graph with three null models and an erasure; vectors, picture and table in demo/
	@echo "==> embedding a planted graph with three null models and an erasure"
	@$(BIN)/python examples/demo.py demo

test: setup  ## the test suite
	@echo "==> running the tests"
	@$(BIN)/python -m pytest -n 2 --dist loadfile

chromium:  ## Chromium (Debian, as root) and axe-core, for the tests of the audit page in a browser
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { apt-get update -qq; apt-get install -y -qq --no-install-recommends chromium chromium-driver; }
	@test -f node_modules/axe-core/axe.min.js || npm install --no-save --silent axe-core

browser: setup chromium  ## test the audit page in Chromium; pictures in screenshots/
	@RESIDUUM_SCREENSHOTS=screenshots $(BIN)/python -m pytest tests/browser

sweep: setup  ## 5,000 random graphs of difficult shapes against the dense reference (ten minutes)
	@$(BIN)/python benchmarks/quality/sweep.py --graphs 5000 --seconds 1800

$(VENV)/.fuzz: $(VENV)/.installed
	@echo "==> installing atheris (once)"
	@$(INSTALL) '.[fuzz]'
	@touch $@

fuzz: $(VENV)/.fuzz  ## every reader and entry point with files and values chosen by libFuzzer, MINUTES=30 in all
	@$(BIN)/python fuzz/run.py --minutes $(or $(MINUTES),30)

check: setup  ## format, lint (Python and the Dockerfile), types, import layers
	@! git grep -nE '^(<<<<<<<|>>>>>>>) ' || { echo "conflict markers"; exit 1; }
	@echo "==> format";        $(BIN)/ruff format --check --quiet src tests benchmarks trust fuzz examples docs
	@echo "==> lint";          $(BIN)/ruff check --quiet src tests benchmarks trust fuzz examples docs
	@echo "==> Dockerfile";    $(BIN)/hadolint Dockerfile
	@echo "==> types";         $(BIN)/mypy
	@echo "==> import layers"; $(BIN)/lint-imports --no-cache | tail -n 4

format: setup  ## write the format and the safe lint fixes
	@$(BIN)/ruff format --quiet src tests benchmarks trust fuzz examples docs
	@$(BIN)/ruff check --fix --quiet src tests benchmarks trust fuzz examples docs

rivals: .venv-r2v2023/.installed .venv-prone/.installed .venv-fast/.installed .venv-walks/.installed  ## the rivals' software, each in an environment of its own

.venv-r2v2023/.installed: benchmarks/rivals/constraints.txt
	@echo "==> installing residual2vec==0.0.12 in .venv-r2v2023"
	@$(PYTHON) -m venv .venv-r2v2023
	@.venv-r2v2023/bin/pip install --quiet --disable-pip-version-check --constraint benchmarks/rivals/constraints.txt torch
	@.venv-r2v2023/bin/pip install --quiet --disable-pip-version-check --constraint benchmarks/rivals/constraints.txt residual2vec
	@touch $@

.venv-prone/.installed: benchmarks/rivals/constraints.txt
	@echo "==> installing nodevectors (ProNE) in .venv-prone"
	@$(PYTHON) -m venv .venv-prone
	@.venv-prone/bin/pip install --quiet --disable-pip-version-check --constraint benchmarks/rivals/constraints.txt nodevectors
	@touch $@

.venv-fast/.installed: benchmarks/rivals/constraints.txt
	@echo "==> installing fastrp and scikit-network in .venv-fast"
	@$(PYTHON) -m venv .venv-fast
	@.venv-fast/bin/pip install --quiet --disable-pip-version-check --constraint benchmarks/rivals/constraints.txt fastrp scikit-network
	@touch $@

.venv-walks/.installed: benchmarks/rivals/constraints.txt
	@echo "==> installing PecanPy and gensim in .venv-walks"
	@$(PYTHON) -m venv .venv-walks
	@.venv-walks/bin/pip install --quiet --disable-pip-version-check --constraint benchmarks/rivals/constraints.txt pecanpy gensim
	@touch $@

chaos: setup  ## kill and resume KILLS fits (1000) at random moments; recorded figures in trust/results
	@$(BIN)/python trust/chaos.py --kills $(or $(KILLS),1000)

soak: setup  ## mixed jobs in one process for MINUTES (120): memory, threads and open files must not grow
	@$(BIN)/python trust/soak.py --minutes $(or $(MINUTES),120)

$(VENV)/.trust: $(VENV)/.installed
	@echo "==> installing uv, cosmic-ray, coverage and pip-audit (once)"
	@$(INSTALL) '.[trust]'
	@touch $@

share: $(VENV)/.trust  ## a short share of `make oldest` and `make mutants`, for every submission
	@echo "==> null models with the oldest allowed versions"
	@$(BIN)/python trust/oldest.py tests/nulls
	@echo "==> mutants of two modules"
	@$(BIN)/python trust/mutants.py --narrow --mutants 8 --at-least 0.75 --module nulls/block_form.py --module nulls/configuration.py

oldest: $(VENV)/.trust  ## tests with the oldest versions that pyproject.toml allows, in .venv-oldest
	@$(BIN)/python trust/oldest.py --output trust/results

pythons: $(VENV)/.trust  ## tests with every Python from 3.12 on that is at hand, in environments of their own
	@$(BIN)/python trust/pythons.py --output trust/results

mutants: $(VENV)/.trust  ## change MUTANTS places (200) of nulls, walks, residual and solvers, and see whether tests fail
	@$(BIN)/python trust/mutants.py --mutants $(or $(MUTANTS),200) --output trust/results

coverage: $(VENV)/.trust  ## branch coverage of src by TESTS (all)
	@$(BIN)/python trust/covered.py $(TESTS) --output trust/results

licences: $(VENV)/.trust $(VENV)/.fuzz $(VENV)/.docs  ## the licenses of everything that residuum and its extras install
	@$(BIN)/python trust/licences.py --output trust/results

audit: $(VENV)/.trust  ## known vulnerabilities of the pinned versions; an error if one cannot be looked up
	@$(BIN)/pip-audit --strict --no-deps --requirement constraints.txt

bench: setup rivals  ## quality and speed beside the rivals; raw results under benchmarks/*/results
	@$(BIN)/python benchmarks/quality/rivals.py
	@$(BIN)/python benchmarks/speed/side_by_side.py
	@$(BIN)/python benchmarks/speed/contention.py
	@$(BIN)/python benchmarks/speed/second_core.py
	@$(BIN)/python benchmarks/speed/embedding_speed.py
	@$(BIN)/python benchmarks/speed/cold_start.py
	@$(BIN)/python benchmarks/speed/walk_speed.py
	@$(BIN)/python benchmarks/speed/skipgram_speed.py

paper: setup  ## the paper's tables and figures, and what of its claims holds; hours, and goes on where it was stopped
	@$(BIN)/residuum reproduce all --short-walks --runs 5 --output benchmarks/paper/results
	@$(BIN)/python benchmarks/paper/report.py

$(VENV)/.docs: $(VENV)/.installed
	@echo "==> installing Sphinx (once)"
	@$(INSTALL) '.[docs]'
	@touch $@

docs: $(VENV)/.docs  ## the documentation in docs/_build/html, after a check that its examples run
	@$(BIN)/python -m pytest -n 2 tests/test_docs.py
	@$(BIN)/python -m sphinx --fail-on-warning --keep-going -j 2 -q docs docs/_build/html
	@echo "==> docs/_build/html/index.html"

dist: setup  ## sdist and wheel in dist/, built twice to compare, installed in an empty environment and tried
	@bash packaging/build.sh $(BIN)/python

clean:  ## remove environments and caches
	rm -rf .venv .venv-r2v2023 .venv-prone .venv-fast .venv-walks .venv-oldest .venv-python* demo dist screenshots node_modules docs/_build docs/api docs/gallery .mypy_cache .ruff_cache .pytest_cache
