# Every target works alone on a fresh machine with Python >= 3.11 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
.DEFAULT_GOAL := help
.PHONY: help install serve test check fix protos bench soak lock clean

help: ## say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / - /'

install: $(STAMP) ## make .venv and install everything, once

$(STAMP): requirements.lock requirements-dev.lock pyproject.toml
	@echo "Installing into $(VENV), once (about a minute) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rookery needs Python >= 3.11; say make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# google/api comes from the installed googleapis-common-protos, so that no copy of it has to be kept.
GOOGLE_PROTOS := build/googleapis/google/api
PROTOS := $(shell find protos -name '*.proto')

$(GOOGLE_PROTOS): $(STAMP)
	@mkdir -p $@
	@$(BIN)/python -c "import pathlib, shutil, google.api.http_pb2 as h; d = pathlib.Path(h.__file__).parent; \
	  [shutil.copy(d / f, '$@') for f in ('annotations.proto', 'http.proto', 'field_behavior.proto')]"
	@touch $@

protos: $(GOOGLE_PROTOS) ## make the Python code of the protos anew
	@$(BIN)/buf format -w protos
	@find protos -name '*_pb2*.py*' -delete
	@$(BIN)/python -m grpc_tools.protoc -Iprotos -Ibuild/googleapis \
	  --python_out=protos --grpc_python_out=protos \
	  --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy --mypy_out=quiet:protos \
	  --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc --mypy_grpc_out=quiet:protos \
	  $(PROTOS)
	@find protos/rookery -type d -exec touch {}/__init__.py \;
	@# Files without a service get a useless gRPC module.
	@find protos -name '*_pb2_grpc.py' | while read f; do grep -q 'class .*Servicer' $$f || rm $$f $${f}i; done
	@$(BIN)/python -m tests.tools.comments

serve: $(STAMP) ## start the service on its embedded store (settings: ROOKERY_... in the environment)
	@exec $(BIN)/rookery serve

test: $(STAMP) $(GOOGLE_PROTOS) ## run the whole suite: real stores, real sockets, both transports
	@$(BIN)/python -m pytest -n 2 --dist worksteal -q

check: $(STAMP) $(GOOGLE_PROTOS) ## lint, types, import rules, protos linted, unbroken and regenerated
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/buf lint
	@$(BIN)/buf format --diff --exit-code protos
	@$(BIN)/python -m tests.tools.breaking
	@$(BIN)/python -m tests.tools.regenerated
	@$(BIN)/python -m tests.tools.clean

fix: $(STAMP) $(GOOGLE_PROTOS) ## repair what check can repair
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format --quiet
	@$(MAKE) --no-print-directory protos

bench: $(STAMP) ## measure: engine, bots, calls, store, start, watch, past; prints ratios to references of the same run
	@$(BIN)/python -m tests.bench

soak: $(STAMP) ## five minutes of 200 games while servers, bots and the store are killed
	@$(BIN)/python -m tests.soak

lock: $(STAMP) ## choose exact versions anew, without addresses
	@$(BIN)/python -m tests.tools.lock

clean: ## remove what the other targets made, except data
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf clients/*/node_modules clients/*/dist
