# Every target makes the virtual environment (.venv) and the compiled core by itself, and again when their sources change.
#   make demo        what it looks like in use
#   make test        all tests on the host device; every CUDA kernel compiled, which needs no GPU
#   make gpu-test    the same tests on a GPU
#   make validate    every function against SciPy and mpmath, report in out/validation; the tests that `make test` leaves out
#   make bench       times beside SciPy
#   make lint        ruff
# `make test PY=/path/to/python` uses an environment of your own, as it is; `make build` is the compiled core alone.
# `make test TESTS=tests/radar` runs one folder, then core and sparse once more through the GPU's code paths, as always.
# JOBS=n test processes; EXTRAS=test,cuda13 picks the extras of pyproject.toml; `make clean` leaves .venv.

PYTHON ?= python3
# The driver's CUDA major version where there is a GPU; elsewhere only NVRTC, to compile every kernel.
CUDA := $(shell nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: \([0-9]*\).*/\1/p')
EXTRAS ?= test,$(if $(CUDA),cuda$(CUDA),nvrtc)
TESTS ?= tests
ifeq ($(origin JOBS),undefined)     # each takes some 0.6 GB of the GPU's memory
gpu-test: JOBS = 8
endif
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

VENV := .venv
CORE := gpusci/core
SOURCES := $(shell find gpusci -name '*.pyx' -o -name '*.pxd') $(CORE)/include/gpusci/pool.h setup.py
# Threads of one test process; with JOBS processes more would only queue for the same cores.
HOST := GPUSCI_DEVICE=host GPUSCI_FALLBACK=error OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PYTEST = $(PY) -m pytest -q -n $(JOBS) --dist worksteal -p no:cacheprovider

.PHONY: build demo test gpu-test validate bench lint clean

ifeq ($(origin PY),undefined)
PY := $(VENV)/bin/python
READY := $(VENV)/.installed-$(EXTRAS)
endif

build: build/.built

$(VENV)/.installed-$(EXTRAS): pyproject.toml
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV) || $(PYTHON) -m virtualenv $(VENV)
	$(PY) -m pip install -q --disable-pip-version-check 'setuptools>=77' wheel 'cython>=3.1' 'numpy>=2.0'
	$(PY) -m pip install -q --disable-pip-version-check --no-build-isolation -e '.[$(EXTRAS)]'
	touch $@

build/.built: $(READY) $(SOURCES)
	$(PY) setup.py -q build_ext --inplace
	mkdir -p build && touch $@

demo: build
	$(PY) examples/demo.py

test: build
	$(HOST) $(PYTEST) -m "not slow" $(TESTS)
	$(HOST) GPUSCI_HOST_KERNELS=1 $(PYTEST) -m "not slow" tests/core tests/sparse

gpu-test: build
	GPUSCI_DEVICE=cuda:0 GPUSCI_FALLBACK=error $(PYTEST) -m "not slow" $(TESTS)

validate: build
	$(PY) -m validation --report out/validation
	$(HOST) $(PYTEST) -m slow tests

bench: build
	$(PY) benchmarks/run.py

lint: build
	$(PY) -m ruff check .

clean:
	rm -rf build out $(CORE)/*.so $(CORE)/libraries/*.so
