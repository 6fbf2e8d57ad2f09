# `make help` lists the targets. Everything is installed inside this directory: uv in .tools, Podium and the locked
# dependencies in .venv.

# The first of these that is Python 3.11 or newer is used. To choose another: make setup PYTHON=python3.13
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
CHOSEN = $(shell for python in $(PYTHON); do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$$python" && break; done)

BIN := .venv/bin
UV := scripts/uv

STATIC := src/podium/server/static
WEB := $(shell find web/src -type f) $(wildcard web/*.html web/*.ts web/*.js web/public/* src/podium/languages/*.json)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run web test format simulate fuzz torture differential mutants coverage evidence bench clauses words docs lock clean deploy-test site web-test screens browser

help:
	@echo "make run     set up Podium and open a demonstration house: it prints the addresses of its screens"
	@echo "make test    set up Podium and run the linters, the type checker and all tests"
	@echo "make format  format everything, and fix what the linters can"
	@echo "make simulate  run simulated houses in every kind of trouble (SEEDS=10000 FIRST=0); a failing one can be replayed"
	@echo "make fuzz  send a real house a million hostile messages (MESSAGES=1000000 SEED=0); FOLDER= keeps a run, to take it up again"
	@echo "make torture  let a disk fail at every step under the real store, kill -9 a real house under load, 50 times on SQLite and on PostgreSQL, restart it 100 times under 200 terminals, seat 2,000 bots at one table, deal live tables with mistakes, kill, pause and cut off two processes, their databases, their gateways and the bus in turn"
	@echo "make differential  play 1,000,000 random rounds of each game in the engine and in the simulation's machine code"
	@echo "make mutants put known faults into a copy of the program, one after another; its tests must find each"
	@echo "make coverage measure which lines and branches of money and settlement the tests reach; all must be"
	@echo "make evidence write a dated folder for a test laboratory from what was run (WHOLE=1 runs everything first, for hours)"
	@echo "make setup   install the locked dependencies and leave the program at .venv/bin/podium"
	@echo "make web     build the web terminals"
	@echo "make browser find the browser for the terminals' tests, or install one"
	@echo "make web-test check format, lint rules and types of the web terminals, and run their tests"
	@echo "make screens take pictures of every screen into docs/screens, and check them for accessibility and cut text"
	@echo "make deploy-test try the files of deploy/ with nginx, Caddy, promtool, systemd-analyze and other validators"
	@echo "make site    build the documentation as a site into site/"
	@echo "make bench   measure the cost of rounds and print it as ratios"
	@echo "make clauses rewrite docs/rules/clauses.md from the documents, the options and the clause tests"
	@echo "make words   collect the English of the code and of the terminals into src/podium/languages/en.json"
	@echo "make docs    write the pages that are generated from the program"
	@echo "make lock    bring the lock files up to date with pyproject.toml (UPGRADE=1 takes newer versions)"
	@echo "make clean   remove everything that make created"

setup: .venv/.ready

run: setup web
	@$(BIN)/podium serve

web: $(STATIC)/.ready

web/node_modules/.ready: web/package.json web/package-lock.json .tools/.ready
	@cd web && ../scripts/npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(STATIC)/.ready: web/node_modules/.ready $(WEB)
	@cd web && ../scripts/npm run --silent build
	@touch $@

# The scenes for the terminals' tests and pictures are played on real rounds, and Python says every phrase first.
web-test: setup web/node_modules/.ready
	@$(BIN)/python web/fixtures/make.py
	@$(BIN)/python web/fixtures/phrases.py
	@cd web && for check in format-check lint check test; do ../scripts/npm run --silent $$check || exit 1; done

# The terminals are not tested without a browser: if none is found or can be installed, this fails.
browser: .tools/.ready
	@scripts/browser --install

screens: setup web browser
	@$(BIN)/python web/fixtures/make.py
	@cd web && ../scripts/npm run --silent parts
	@$(BIN)/python web/fixtures/shots.py

test: setup web browser web-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto -p tests.evidence.recording

# What a linter cannot fix is printed, and `make test` fails on it.
format: setup web/node_modules/.ready
	@$(BIN)/ruff check --fix --exit-zero
	@$(BIN)/ruff format
	@cd web && ../scripts/npm run --silent lint -- --fix || true
	@cd web && ../scripts/npm run --silent format

SEEDS ?= 2000
FIRST ?= 0

simulate: setup
	@$(BIN)/python -m tests.simulator --seeds $(SEEDS) --first $(FIRST)

MESSAGES ?= 1000000
SEED ?= 0

fuzz: setup web
	@$(BIN)/python -m tests.fuzz --messages $(MESSAGES) --seed $(SEED) $(if $(FOLDER),--folder $(FOLDER))

# Not part of `make test`: it needs nginx, Caddy and promtool, and fetches Debian's packages where they are missing.
deploy-test: setup
	@$(BIN)/pytest tests/deployment/tried.py

KILLS ?= 50
FAULTS ?= 40

torture: setup
	@$(BIN)/python -m tests.failing_disk
	@$(BIN)/python -m tests.torture --kills $(KILLS) --faults $(FAULTS)

differential: setup
	PODIUM_DIFFERENTIAL_ROUNDS=1000000 $(BIN)/pytest -n auto tests/maths/test_simulation_is_the_engine.py

mutants: setup
	@$(BIN)/python -m tests.mutants
	@$(BIN)/python -m tests.mutants.generated

coverage: setup
	@$(BIN)/python -m tests.evidence.covering

evidence: setup $(if $(WHOLE),web browser)
	@$(BIN)/python -m tests.evidence $(if $(WHOLE),--whole)

bench: setup
	@$(BIN)/python -m bench

clauses: setup
	@$(BIN)/python -m tests.clauses

words: setup
	@$(BIN)/python scripts/words.py

docs: setup words
	@$(BIN)/python scripts/cli_page.py > docs/cli.md
	@$(BIN)/python scripts/protocol.py
	@$(BIN)/python scripts/api_page.py > docs/api.md
	@$(BIN)/python scripts/library_page.py > docs/library.md
	@$(BIN)/python scripts/limits_page.py > docs/limits.md
	@$(BIN)/python scripts/configuration_page.py > docs/configuration.md
	@$(BIN)/python -m tests.standards

site: .tools/.ready
	@$(UV) tool run --quiet --from 'zensical==0.0.73' zensical build --clean

.tools/.ready: requirements-tools.lock
	@if [ -z "$(CHOSEN)" ]; then \
		echo "Podium needs Python 3.11 or newer, and none of these is: $(PYTHON). Name yours with: make setup PYTHON=/path/to/python" >&2; \
		exit 1; fi
	@$(CHOSEN) -m venv --clear .tools
	@.tools/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --requirement requirements-tools.lock
	@touch $@

.venv/.created: .tools/.ready
	@$(UV) venv --quiet --clear --python .tools/bin/python .venv
	@touch $@

.venv/.ready: .venv/.created requirements.lock pyproject.toml
	@$(UV) pip sync --quiet --require-hashes --python $(BIN)/python requirements.lock
	@$(UV) pip install --quiet --no-deps --no-build-isolation --python $(BIN)/python --editable .
	@touch $@

# One lock for every system and every Python from 3.11 on; no index is written into it.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)

lock: .tools/.ready
	@$(LOCK) pyproject.toml --all-extras --group dev --output-file requirements.lock
	@$(LOCK) --group tools --output-file requirements-tools.lock
	@$(LOCK) --group node --output-file requirements-node.lock

clean:
	rm -rf .venv .tools .node .browser .deploy site results evidence web/node_modules web/fixtures/out $(STATIC) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
