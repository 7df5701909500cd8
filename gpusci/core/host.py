"""The host device: NumPy buffers, kernels from the C++ compiler, the thread pool of `_launch`."""

import ctypes
import os
import threading

import numpy as np

from gpusci.core import _launch, errors, host_memory
from gpusci.core.device import Device

__all__ = ["HOST"]


class Host(Device):
    kind = "host"

    def __init__(self):
        # For tests: run what a GPU would run, through the C++ compiler, instead of NumPy.
        self.uses_numpy = os.environ.get("GPUSCI_HOST_KERNELS", "0") in ("", "0")
        self._cells = threading.local()

    def free_cached(self):
        host_memory.give_back()

    def synchronize(self):
        errors.check(self)

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        from gpusci.core import compiler

        if block:
            raise NotImplementedError(f"{name} is a block kernel, which only a GPU runs")
        library = ctypes.CDLL(compiler.compile_host(entry, name=name))
        address = ctypes.cast(library.gpusci_entry, ctypes.c_void_p).value
        return _launch.Function(address, -1, library, threads, grain)

    def table(self, array):
        from gpusci.core._ndarray import from_numpy

        return from_numpy(array)

    @property
    def cell(self):
        """This thread's error cell: launches on the host are synchronous, so threads do not share one."""
        return self._thread_cell()[0]

    @property
    def error_cell(self):
        return self._thread_cell()[1]

    def _thread_cell(self):
        found = getattr(self._cells, "cell", None)
        if found is None:
            cell = np.zeros(1, np.int64)
            found = self._cells.cell = cell, cell.ctypes.data
        return found


HOST = Host()
