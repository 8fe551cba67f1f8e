# `make run` and `make test` set everything up on a fresh machine (Python 3.11+ and make).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: run test check bench scale house chaos mutants systemd-test first-answer cloud-test docker-test axe mcp-test docs picture audit wheels lock sbom site costs clean
.DEFAULT_GOAL := run

# What is never imported needs no bytecode: Python writes the rest at the first start.
QUIETLY = --disable-pip-version-check --no-compile --progress-bar off

$(VENV)/.run: pyproject.toml
	@test -x $(BIN)/python || { echo "Making $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "Installing Sam into $(VENV) (once) ..."
	@$(BIN)/python -m pip install $(QUIETLY) --editable . | $(BIN)/python deploy/progress.py --trim $(VENV)
	@touch $@

$(VENV)/.dev: pyproject.toml
	@test -x $(BIN)/python || { echo "Making $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "Installing Sam and its test tools into $(VENV) (once) ..."
	@$(BIN)/python -m pip install $(QUIETLY) --editable '.[dev]' | $(BIN)/python deploy/progress.py $(VENV)
	@touch $@ $(VENV)/.run

run: $(VENV)/.run  ## start Sam: on Telegram with a token in .env, in this terminal without
	@$(BIN)/sam start

# Two for each of two processors: about half of the time of a test is waiting. Each process
# compiles all test modules, unless it may keep what another one has compiled.
WORKERS ?= 4

test: $(VENV)/.dev  ## all tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS)

check: $(VENV)/.dev  ## lint, types, generated documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m docs.dev.generate --check

docs: $(VENV)/.dev  ## write the generated documents again
	$(BIN)/python -m docs.dev.generate

messages: $(VENV)/.dev  ## bring the translations up to date with the texts in the source
	$(BIN)/python -m docs.dev.messages

site: $(VENV)/.dev  ## the documents as a site, in build/site: links checked, nothing loaded from elsewhere
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	$(BIN)/python -m docs.dev.site

picture: $(VENV)/.dev  ## the pictures of chats in README and docs, from runs of Sam between the fakes
	$(BIN)/python -m docs.dev.pictures

bench: $(VENV)/.dev  ## recall on the portfolio, speed, a first start, a sync: minutes
	$(BIN)/python -m tests.benchmarks

scale: $(VENV)/.dev  ## moves, isolation and workers on a real PostgreSQL; SHORT=--short: a sample
	$(BIN)/python -m tests.benchmarks.scale $(SHORT)

house: $(VENV)/.dev  ## how easy the code is to find one's way in, beside the targets
	$(BIN)/python -m tests.benchmarks.house

chaos: $(VENV)/.dev  ## minutes of random faults, by seed: nothing lost, nothing doubled
	$(BIN)/python -m tests.chaos

mutants: $(VENV)/.dev  ## a sample of small changes to the core, by seed: does a test notice each
	$(BIN)/python -m tests.mutants

systemd-test: $(VENV)/.dev  ## Sam as a service on a real systemd (root; systemd-nspawn, debootstrap)
	$(BIN)/python -m tests.systemd

first-answer: $(VENV)/.dev  ## from an empty Debian to the first answer (root; debootstrap, systemd-nspawn)
	$(BIN)/python -m tests.first_answer

cloud-test: $(VENV)/.dev  ## deploy/cloud-init.yaml on an empty Debian, to a paired owner (the same)
	$(BIN)/python -m tests.systemd.cloud

docker-test: $(VENV)/.dev  ## the image built by buildah, and Sam in it under podman (root; debootstrap)
	$(BIN)/python -m tests.image

axe: $(VENV)/.dev  ## the console's pages judged by axe-core (npm) in Chromium; 3: could not check
	$(BIN)/python -m tests.axe

mcp-test: $(VENV)/.dev  ## the MCP inspector and the conformance suite (npm) against `sam mcp`
	$(BIN)/python -m tests.mcp_clients

audit: $(VENV)/.dev  ## bandit over the code, pip-audit over what is installed; 3: could not check
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[audit]'
	$(BIN)/python -m tests.audit

wheels: $(VENV)/.dev  ## wheels of all packages for ARM64 and the rest; the own one with pipx and uv; 3: could not check
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	$(BIN)/python -m tests.wheels
	$(BIN)/python -m tests.tool_install

LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links $(UPGRADE)

lock: $(VENV)/.dev  ## versions and hashes of all packages, for all platforms; UPGRADE=--upgrade: newest
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	echo 'hatchling>=1.25,<2' | $(LOCK) pyproject.toml - --extra sync --output-file deploy/requirements.txt
	echo 'hatchling>=1.25,<2' | $(LOCK) pyproject.toml - --extra sync --extra voice \
		--constraint deploy/requirements.txt --output-file deploy/voice.txt
	echo 'hatchling>=1.25,<2' | $(LOCK) pyproject.toml - --extra sync --extra server \
		--constraint deploy/requirements.txt --output-file deploy/server.txt
	$(LOCK) pyproject.toml --extra dev --output-file tests/requirements.txt

sbom: $(VENV)/.dev  ## the wheel, and the list of its parts (CycloneDX), in dist/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	$(BIN)/python -m hatchling build --target wheel
	$(BIN)/cyclonedx-py requirements deploy/requirements.txt --index-url '' --pyproject pyproject.toml \
		--output-reproducible --output-format JSON --output-file dist/sam-memory.cdx.json

costs: $(VENV)/.run  ## what a month costs, by model and messages a day
	@$(BIN)/python -m docs.dev.costs

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .mutants
