"""Reading, writing and printing arrays: NumPy's formats and text, on the host."""

import numpy as np

from gpusci.core._ndarray import ndarray
from gpusci.core.creation import asarray
from gpusci.core.numpylike import through_host

__all__ = [
    "array2string", "array_repr", "array_str", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed",
]  # fmt: skip


class Archive:
    """Arrays of an .npz file by name; each is read when it is asked for."""

    def __init__(self, host):
        self._host, self.files = host, host.files

    def __getitem__(self, key):
        return asarray(self._host[key])

    def __contains__(self, key):
        return key in self._host

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def close(self):
        self._host.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    """As `numpy.load`, onto the current device."""
    found = np.load(file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size)
    return Archive(found) if isinstance(found, np.lib.npyio.NpzFile) else asarray(found)


def _host(x):
    return x.numpy() if type(x) is ndarray else x


def save(file, arr, allow_pickle=True):
    """As `numpy.save`."""
    np.save(file, _host(arr), allow_pickle)


def savez(file, *args, allow_pickle=True, **kwds):
    """As `numpy.savez`."""
    np.savez(file, *map(_host, args), allow_pickle=allow_pickle, **{key: _host(x) for key, x in kwds.items()})


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """As `numpy.savez_compressed`."""
    np.savez_compressed(file, *map(_host, args), allow_pickle=allow_pickle, **{key: _host(x) for key, x in kwds.items()})


def savetxt(fname, X, *args, **kwargs):
    """As `numpy.savetxt`."""
    np.savetxt(fname, _host(X), *args, **kwargs)


@through_host
def loadtxt(fname, *args, **kwargs):
    """As `numpy.loadtxt`, onto the current device."""


@through_host
def genfromtxt(fname, *args, **kwargs):
    """As `numpy.genfromtxt`, onto the current device; without records."""


@through_host
def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """As `numpy.array_repr`."""


@through_host
def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """As `numpy.array_str`."""


@through_host
def array2string(a, *args, **kwargs):
    """As `numpy.array2string`."""
