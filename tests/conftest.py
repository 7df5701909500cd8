"""Every test runs on the current default device (GPUSCI_DEVICE chooses); fallbacks to SciPy count as errors."""

import os
import sys

os.environ.setdefault("GPUSCI_FALLBACK", "error")

import numpy as np
import pytest

import gpusci as gs

_generators = []                # (generator, state after collection) of the test modules and their helpers


def pytest_collection_finish(session):
    modules = [getattr(m, "__dict__", {}) for m in list(sys.modules.values())]
    found = {id(rng): rng for m in modules if isinstance(rng := m.get("RNG"), np.random.Generator)}
    _generators[:] = [(rng, rng.bit_generator.state) for rng in found.values()]


@pytest.fixture(autouse=True)
def same_numbers():
    """A test's random numbers do not depend on which tests ran before it in its process."""
    for rng, state in _generators:
        rng.bit_generator.state = state


@pytest.fixture
def device():
    return gs.current_device()


@pytest.fixture
def on_the_host():
    """For emulated block kernels, which are the host device's, whatever GPUSCI_DEVICE says."""
    with gs.device("host"):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a file's emulated kernels are compiled."""
    return tmp_path_factory.mktemp("blocks")


def pytest_report_header(config):
    kernels = ", host kernels instead of NumPy" if os.environ.get("GPUSCI_HOST_KERNELS", "0") not in ("", "0") else ""
    return f"gpusci {gs.__version__} on {gs.current_device().name}{kernels}"
