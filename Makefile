# `make demo` and `make test` set up all they need in .venv; neither needs root.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check clean

demo: .venv/ready
	$(BIN)/wideleaf demo

test: .venv/ready
	LANGGRAPH_STRICT_MSGPACK=true LANGSMITH_TRACING=false $(BIN)/python -m pytest -q

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=.types $(BIN)/mypy --strict -p wideleaf
	PYTHONPATH=.types $(BIN)/lint-imports --no-logo

.venv/ready: pyproject.toml constraints.txt
	@echo "Installing the pinned packages into .venv, in silence: some 2.5 GB, torch the largest; one to five minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,studio,databases]'
	touch $@

clean:
	rm -rf .venv .wideleaf build dist *.egg-info
