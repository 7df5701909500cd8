"""The measures of linalg_helpers.py are imported by name; the libraries of a GPU where there is none."""

import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def emulated_gpu(monkeypatch):
    """The libraries' emulations in place of the host's, on the host device with kernels instead of NumPy."""
    import emulated

    import gpusci as gs
    from gpusci.core.device import HOST
    from gpusci.core.libraries import blas, solver

    libraries = {"cublas": emulated.Cublas(), "cusolverDn": emulated.Cusolver()}
    for module in (blas, solver):
        monkeypatch.setattr(module, "on_gpu", lambda x: True)
        monkeypatch.setattr(module, "handle", lambda name, device: (libraries[name], 1))
    monkeypatch.setattr(solver, "_local", threading.local())  # parameters of the emulation stay out of the real cache
    monkeypatch.setattr(HOST, "uses_numpy", False)
    with gs.device("host"):
        yield libraries
