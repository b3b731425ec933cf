# `make demo` and `make test` set up all they need in .venv; neither needs root.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := LANGGRAPH_STRICT_MSGPACK=true LANGSMITH_TRACING=false $(BIN)/python -m pytest -q
SLOW := spark or sandbox or embeds or servers or studio or slow

.PHONY: demo test test-fast test-spark check clean

demo: .venv/ready
	$(BIN)/wideleaf demo

test: .venv/ready
	@echo "All tests but Spark's (make test-spark), in a process a core: some minutes."
	$(PYTEST) -m "not spark" -n logical --maxprocesses 4 --dist loadscope

test-fast: .venv/ready
	@echo "The quick tests of every part: no Spark, sandbox, embedding model or server; a minute."
	$(PYTEST) -m "not ($(SLOW))" -n logical --maxprocesses 4 --dist loadscope

test-spark: .venv/ready
	@echo "Spark's tests, in one process; they need Java 17 and pip install -e '.[spark]'."
	$(PYTEST) -m spark

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=.types $(BIN)/mypy --strict -p wideleaf
	PYTHONPATH=.types $(BIN)/lint-imports --no-logo

.venv/ready: pyproject.toml constraints.txt
	@echo "Installing the pinned packages into .venv: some 2.5 GB, one to five minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,studio,databases]'
	touch $@

clean:
	rm -rf .venv .wideleaf build dist *.egg-info
