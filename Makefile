# Everything a person types here. The first run makes a virtual environment and installs the locked
# versions; later runs start at once, until the lock or pyproject.toml changes.
#
#   make run     start the room            make check   format, lint, types, architecture
#   make test    the whole test suite      make format  write what the formatter would
#   make bench   the benchmarks            make docs    write docs/openapi.json and docs/asyncapi.json
#   make lock    pin the newest versions   make clean   remove what the above made, but not ./data

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := run
.PHONY: run test check format bench bench-engine docs lock clean

VENV ?= .venv
HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= data
TABLES ?= 2
HOUSE_BOTS ?= 4
TEST ?=

SOURCES := server client tests requirements $(wildcard migrations)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# The first Python that is new enough and can make virtual environments.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell \
	$(name) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))

run: $(VENV)/run.stamp
	@exec $(BIN)/fullring serve --host $(HOST) --port $(PORT) --data $(DATA) --tables $(TABLES) --house-bots $(HOUSE_BOTS)

test: $(VENV)/dev.stamp
	@$(BIN)/python -m pytest $(TEST)

check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict $(SOURCES)
	$(BIN)/python -m pytest -q tests/test_architecture.py

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.stamp
	@set -e; for bench in tests/benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench; done

bench-engine: $(VENV)/bench.stamp
	@$(BIN)/python tests/benchmarks/bench_engine.py

docs: $(VENV)/run.stamp
	$(BIN)/python -m fullring.web.documents docs

# The newest versions that pyproject.toml allows, written down as requirements/*.txt.
lock:
	$(PYTHON) requirements/lock.py

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find server client tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Fullring needs Python 3.11 or newer with venv (on Debian: python3-venv)" >&2; exit 1; }
	@echo "making $(VENV) with $(PYTHON)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(BIN)/python
$(VENV)/dev.stamp: requirements/dev.txt requirements/run.txt pyproject.toml | $(BIN)/python
$(VENV)/bench.stamp: requirements/bench.txt requirements/dev.txt requirements/run.txt pyproject.toml | $(BIN)/python

$(VENV)/%.stamp:
	@echo "installing requirements/$*.txt into $(VENV)"
	@$(PIP) install --requirement requirements/$*.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
