# Everything a person or CI runs. Each target does its own set-up; nothing but Python >= 3.11 and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
ARGS ?=

.PHONY: run test check bench bench-tokens soak fix clean lock help

help:
	@echo "make run      open the panel room in this terminal (ARGS='discuss \"topic\"' runs one command)"
	@echo "make test     every test; make check: style, types, architecture and tests; make fix: format"
	@echo "make bench    measured ratios; make soak: the long survival runs; make lock: renew the locks"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Panelist needs Python 3.11 or newer; this is %s" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock requirements/build.lock pyproject.toml | $(BIN)/python
	@echo "Setting up (once, about half a minute) ..."
	@$(PIP) --require-hashes -r requirements.lock -r requirements/build.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.run
	@echo "Setting up the development tools ..."
	@$(PIP) --require-hashes -r requirements/dev.lock
	@touch $@

run: $(VENV)/.run
	@$(BIN)/panelist --or-rehearsal $(if $(ARGS),$(ARGS),run)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile

fix: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

bench-tokens: $(VENV)/.dev
	$(BIN)/python -m benchmarks tokens

soak: $(VENV)/.dev
	$(BIN)/python -m pytest -m soak --timeout 3000 -s tests

# Locks carry hashes and no addresses; see DECISIONS.md. Needs uv, which is itself installed from a lock.
UVC = $(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"
lock: $(BIN)/python
	$(PIP) uv
	$(UVC) --all-extras pyproject.toml -o requirements/dev.lock
	$(UVC) -c requirements/dev.lock --extra slack --extra discord --extra openai pyproject.toml -o requirements.lock
	printf 'hatchling\neditables\n' > requirements/build.in
	$(UVC) -c requirements/dev.lock requirements/build.in -o requirements/build.lock
	@! grep -nE 'https?://|file:|--index|--find-links' requirements.lock requirements/*.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
