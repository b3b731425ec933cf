# `make demo` and `make test` set up all they need in .venv; neither needs root.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
PYTEST := LANGGRAPH_STRICT_MSGPACK=true LANGSMITH_TRACING=false $(BIN)/python -m pytest -q
PARALLEL := -n logical --maxprocesses 4 --dist loadscope --no-loadscope-reorder
# Of every room some quick tests: tools, retrieval, agents, graph, documents.
FAST := action_cases actions_against_reference conditions disclosure filter_against_reference \
	join_paths json_files patterns position sandbox_messages semantics text_form tree \
	alignment dictionaries retrieval \
	code_blocks column_judge crafter enrichment gateway models odd_replies planner_onehot script \
	bug_report clarify client_policy corrections drawing figures graph origins other_stacks \
	outline scorers shell \
	docs

.PHONY: demo test test-fast test-spark check docs clean

demo: .venv/ready
	$(BIN)/wideleaf demo

test: .venv/ready
	@echo "All tests but Spark's (make test-spark), in a process a core: some minutes."
	$(PYTEST) -m "not spark" $(PARALLEL)

test-fast: .venv/ready
	@echo "Quick tests of every part, in a minute: no Spark, sandbox, embedding model or server."
	$(PYTEST) -m "not (spark or sandbox or embeds or servers or studio or slow)" $(PARALLEL) \
		$(wildcard $(foreach name,$(FAST),tests/*/test_$(name).py tests/*/*/test_$(name).py))

test-spark: .venv/ready
	@echo "Spark's tests, in one process; they need Java 17 and pip install -e '.[spark]'."
	$(PYTEST) -m spark

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=.types $(BIN)/mypy --strict -p wideleaf -p wideleaf_evaluation
	PYTHONPATH=.types $(BIN)/lint-imports --no-logo

.venv/ready: pyproject.toml evaluation/pyproject.toml constraints.txt
	@echo "Installing the pinned packages into .venv, in silence: some 3.1 GB, torch the largest; one to five minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(INSTALL) --editable '.[dev,studio,databases,lakes,mcp]' --editable ./evaluation
	@# A process a core; what is left out, and cannot be compiled, is what hardly anybody imports.
	$(BIN)/python -m compileall -qq -j 0 -x '/(models|testing|tests)/' .venv/lib || true
	touch $@

.venv/docs: .venv/ready
	$(INSTALL) --editable '.[docs]'
	touch $@

docs: .venv/docs
	$(BIN)/python .ci/reference.py
	$(BIN)/zensical build --strict --clean
	@echo "Open site/index.html; nothing of it is fetched from elsewhere."

clean:
	rm -rf .venv .wideleaf build dist site *.egg-info evaluation/build evaluation/*.egg-info
