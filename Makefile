# uv, where it is installed, else venv and pip; both install exactly what requirements.lock pins, by hash.
UV := $(shell command -v uv)
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
GUARDS = $(shell grep -rl --include='test_*.py' 'mark\.guard' tests)

.PHONY: demo test slow soak fuzz check bench docs fmt lock dist

demo: $(STAMP)
	$(BIN)/gbrain demo

test: $(STAMP)
	$(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder

slow: $(STAMP)
	SLOW_TESTS=1 $(BIN)/pytest -q tests/integration/test_three_writers.py

soak: $(STAMP)
	SOAK_SECONDS=1200 $(BIN)/pytest -q -o faulthandler_timeout=0 tests/soak

fuzz: $(STAMP)
	FUZZ_EXAMPLES=20000 $(BIN)/pytest -q -o faulthandler_timeout=0 tests/fuzz

check: $(STAMP)
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy && $(BIN)/lint-imports
	$(BIN)/pytest -q -m guard $(GUARDS)
	$(BIN)/python -m gbrain.entry.docs --check

bench: $(STAMP)
	$(BIN)/gbrain bench latency

docs: $(STAMP)
	$(BIN)/python -m gbrain.entry.docs

fmt: $(STAMP)
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .
	$(BIN)/python -m gbrain.entry.docs

lock:
	uv pip compile pyproject.toml --group dev --all-extras --universal --generate-hashes --no-annotate --no-header -q -o requirements.lock

# The same bytes from the same commit, whenever and wherever.
dist: $(STAMP)
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) && for project in . packages/gbrain-minilm; do \
	    $(BIN)/python -m build --no-isolation -o dist $$project || exit 1; done

$(STAMP): pyproject.toml requirements.lock packages/gbrain-minilm/pyproject.toml
ifdef UV
	uv venv -q --allow-existing .venv && uv pip install -q --python $(BIN)/python -r requirements.lock
	uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e . ./packages/gbrain-minilm
else
	$(PYTHON) -m venv .venv && $(BIN)/pip install -q --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ./packages/gbrain-minilm
endif
	@touch $@
