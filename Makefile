# init: environment · demo: the whole path in one go · test: what a change can break · test-full: the long rest · check: style, types, imports
# serve: a world that stays up · mutants: what the tests of the kernel would miss
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2
FULL_JOBS ?= 3  # one more: these tests wait for servers, sandboxes and other programs
GATE_S ?= 3600
unexport PYTHONDONTWRITEBYTECODE  # each start of firm would compile all its modules again

.PHONY: init demo announce test test-full mutants check serve requirements ui gate cheats frameworks bench campaign wheel long clean

init: .venv/.installed

.venv/.installed: pyproject.toml hatch_build.py package-lock.json
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=python3.x"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { \
	  echo "The venv module is incomplete; trying the distribution's package."; rm -rf .venv; \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo "sudo -n"); $$sudo apt-get update -q >/dev/null && $$sudo apt-get install -y -q python3-venv >/dev/null \
	  && $(PYTHON) -m venv .venv; }
	@echo "installing Python packages into .venv ..."
	$(BIN)/python -m pip install -q --disable-pip-version-check -U 'pip>=25.1'
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[browser]' --group dev
	@touch $@

requirements: init
	@$(BIN)/python -m world.agents.requirements

demo: announce requirements
	$(BIN)/firm demo

announce:
	@test -e .venv/.installed && echo "The demo takes about 3 minutes on two cores." \
	  || echo "Installing Python packages into .venv takes 1 to 3 minutes; the demo takes about 3 more on two cores."

serve: init
	$(BIN)/firm serve $(ARGS)

check: init
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python tests/names.py
	$(BIN)/python -m pytest -q -m house tests/test_taste.py tests/test_imports.py

PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

# what a change can break: everything but crawls, other packages' clients, sweeps, whole runs and long inputs
test: requirements
	$(PYTEST) -m "not slow and not full and not house" $(ARGS)

# the rest: crawls, other packages' clients, sweeps, whole runs and long inputs
test-full: requirements
	$(PYTEST) -n $(FULL_JOBS) -m "full and not slow" --hypothesis-profile=thorough $(ARGS)

# faults put into the kernel, a sample of SAMPLE for each folder; those that no test notices are printed
SAMPLE ?= 60
mutants: init
	$(BIN)/python -m tests.mutants.run --sample $(SAMPLE) world/core
	$(BIN)/python -m tests.mutants.run --sample $(SAMPLE) world/store
	$(BIN)/python -m tests.mutants.run --sample $(SAMPLE) world/grading

ui: requirements
	$(BIN)/python -m pytest -m ui $(ARGS)

long: requirements
	$(PYTEST) -m "hypothesis and not full and not slow" --hypothesis-profile=thorough $(ARGS)
	FIRMAMENT_ORACLE_TRANSACTIONS=1000000 FIRMAMENT_LOG_STRIDE=1 FIRMAMENT_KILLS=10000 FIRMAMENT_POWER_CUTS=1000 FIRMAMENT_WORLDS=100000 FIRMAMENT_FUZZ=100000 \
	  FIRMAMENT_PROBE_STRIDE=1 FIRM_LONG=1 $(BIN)/python -m pytest tests/world/store tests/security tests/grading tests/gate tests/suite tests/seeds tests/chores tests/apps/sheets/engine/test_functions_fuzz.py $(ARGS)

# the full gate of every installed scenario (or of SCENARIOS), the quick one of every chore (CHORES), all cheats, and the attack suite, at most GATE_S seconds each; one that fails stops no other
gate: requirements
	@said=""; bad=0; \
	told() { case $$2 in 0) what=holds;; 124) what="not done in $(GATE_S) s";; *) what=FAILED;; esac; \
	  said="$$said$$1: $$what"$$'\n'; [ $$2 = 0 ] || bad=1; }; \
	for name in $(or $(SCENARIOS),$$($(BIN)/firm scenario list | cut -d' ' -f1)); do \
	  echo "== $$name"; timeout $(GATE_S) $(BIN)/firm scenario check $$name $(ARGS); told $$name $$?; done; \
	for name in $(or $(CHORES),$$($(BIN)/firm scenario chores | cut -d' ' -f1)); do \
	  echo "== $$name"; timeout $(GATE_S) $(BIN)/firm scenario check $$name --no-doors --seeds 2 --quick; told $$name $$?; done; \
	echo "== cheats"; timeout $(GATE_S) $(MAKE) -s cheats; told cheats $$?; \
	echo "== attacks"; timeout $(GATE_S) $(BIN)/firm suite attack $(or $(SUITE),smoke); told attacks $$?; \
	echo; printf '%s' "$$said"; exit $$bad

# every cheat on the shipped graders and every honest run; make test-full plays a quarter
cheats: requirements
	FIRMAMENT_CHEAT_STRIDE=1 $(PYTEST) tests/gate/test_cheats.py tests/gate/test_honest_runs.py $(ARGS)

# frameworks whose packages are large, each in an environment of its own; make test-full tries the small ones
frameworks: requirements
	$(BIN)/python -m pytest -m slow tests/clients $(ARGS)

bench: requirements
	$(BIN)/firm bench --json bench.json

# attacks on the product, part by part; ARGS="--scale 0.01 --part rest" does a hundredth of one
campaign: requirements
	$(BIN)/python -m tests.campaign $(ARGS)
	$(BIN)/python docs/reliability.py

wheel: init
	$(BIN)/python -m pip install -q build && $(BIN)/python -m build --wheel
	$(BIN)/python -m build --wheel --outdir dist docker/client

clean:
	rm -rf .firm .venv dist
