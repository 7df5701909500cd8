"""Every test runs on the current default device (GPUSCI_DEVICE chooses); fallbacks to SciPy count as errors."""

import os

os.environ.setdefault("GPUSCI_FALLBACK", "error")

import pytest

import gpusci as gs


@pytest.fixture
def device():
    return gs.current_device()


def pytest_report_header(config):
    kernels = ", host kernels instead of NumPy" if os.environ.get("GPUSCI_HOST_KERNELS", "0") not in ("", "0") else ""
    return f"gpusci {gs.__version__} on {gs.current_device().name}{kernels}"
