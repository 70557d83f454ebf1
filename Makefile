# Everything a person types here. The first run makes a virtual environment and installs the locked
# versions; later runs start at once, until the lock or pyproject.toml changes.
#
#   make run     start the room            make check   format, lint, types, architecture
#   make test    the whole test suite      make format  write what the formatter would
#   make bench   the benchmarks            make docs    write docs/*.json, docs/settings.md, .env.example, wire.ts
#   make lock    pin the newest versions   make clean   remove what the above made, but not ./data
#   make browser build the browser client, as `make run` does when its sources have changed
#   make simulate HANDS=20000 SEED=1  the whole room in one seeded world; with SEED alone, that one run
#   make screenshots take the pictures in docs/pictures, with the machine's Chromium

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := run
.PHONY: run test check python-check format bench bench-engine bench-room docs lock clean browser browser-check browser-test faults long-run screenshots simulate

VENV ?= .venv
HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= data
TABLES ?= 2
HOUSE_BOTS ?= 4
TEST ?=
ROOM ?=
HANDS ?= 1
SEED ?= 1
JOBS ?=
# One more than two cores have: some of what is tested waits for something.
WORKERS ?= 3

SOURCES := server client tests requirements $(wildcard migrations)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# The first Python that is new enough and can make virtual environments.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell \
	$(name) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))

# The browser client. Its tools come from npm, Node.js from the machine or from PyPI (client/web/with-node).
WEB := client/web
MODULES := $(WEB)/node_modules
NODE := $(WEB)/with-node $(VENV)
WEB_CONFIG := $(wildcard $(WEB)/*.ts $(WEB)/*.js $(WEB)/*.json)
WEB_SOURCES := $(WEB_CONFIG) $(WEB)/index.html $(shell find $(WEB)/src $(WEB)/public -type f 2>/dev/null)

# A room without its pages is still a room: it says so itself.
run: $(VENV)/run.stamp
	@$(MAKE) browser || echo "the browser client could not be built; the room opens without it" >&2
	@exec $(BIN)/fullring serve --host $(HOST) --port $(PORT) --data $(DATA) --tables $(TABLES) --house-bots $(HOUSE_BOTS)

# With TEST only what it names. The last line is pytest's.
test: $(VENV)/dev.stamp
ifeq ($(TEST),)
	@failed=0; $(MAKE) browser-check browser browser-test || failed=1; $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal || failed=1; exit $$failed
else
	@$(BIN)/python -m pytest $(TEST)
endif

check: python-check browser-check
	@:

python-check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict $(SOURCES)
	$(BIN)/python -m pytest -q tests/test_architecture.py

browser: $(WEB)/dist/index.html
	@:

browser-check: $(MODULES)/checked.stamp
	@:

browser-test: $(MODULES)/dev.stamp
	@$(NODE) npm run --silent test

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.stamp
	@set -e; for bench in tests/benchmarks/bench_*.py; do \
		echo "== $$bench"; module=$${bench%.py}; $(BIN)/python -m $${module//\//.}; done

bench-engine: $(VENV)/bench.stamp
	@$(BIN)/python -m tests.benchmarks.bench_engine

# The room against the bare stack. Its last line is `product/fast: N, product/stock: N`.
bench-room: $(VENV)/bench.stamp
	@$(BIN)/python -m tests.benchmarks.bench_room $(ROOM)

# What happens to machines, as often as docs/durability.md says; it takes half an hour.
faults: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.faults $(FAULTS)

long-run: $(VENV)/bench.stamp
	@$(BIN)/python -m tests.benchmarks.bench_long --hours 4 --times 12 --picture docs/pictures/long-run.svg

simulate: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.simulation --hands $(HANDS) --seed $(SEED) $(if $(JOBS),--jobs $(JOBS))

screenshots: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.browser.screenshots docs/pictures

docs: $(VENV)/run.stamp
	$(BIN)/python -m fullring.web.documents docs
	$(BIN)/python -m fullring.setting_page docs/settings.md .env.example
	$(BIN)/python -m fullring.wire.typescript $(WEB)/src/wire.ts

# The newest versions that pyproject.toml and package.json allow, written down as requirements/*.txt and package-lock.json.
lock: | $(BIN)/python
	$(PYTHON) requirements/lock.py
	$(NODE) npm update --package-lock-only --ignore-scripts --no-audit --no-fund

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist $(MODULES) $(WEB)/dist
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

$(WEB)/dist/index.html: $(MODULES)/run.stamp $(WEB_SOURCES)
	@echo "building the browser client"
	@$(NODE) npm run --silent build -- --logLevel warn
	@touch $@

$(MODULES)/checked.stamp: $(MODULES)/dev.stamp $(WEB_SOURCES)
	@$(NODE) npm run --silent check
	@touch $@

# Building takes little of what testing takes; who has all of it has the little too.
$(MODULES)/run.stamp: $(WEB)/package-lock.json | $(BIN)/python
	@echo "installing what builds the browser client"
	@$(NODE) npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(MODULES)/dev.stamp: $(WEB)/package-lock.json | $(BIN)/python
	@echo "installing what builds and tests the browser client"
	@$(NODE) npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $(MODULES)/run.stamp $@
