"""Small read-only tables on a device: weights, offsets, knots. Cached by content, so that repeated calls upload nothing."""

import collections
import threading

import numpy as np

from gpusci.core._dtypes import canonical
from gpusci.core._ndarray import from_numpy

__all__ = ["constant"]

MAX_BYTES = 64 * 1024  # per table: the driver stages copies up to this size without waiting
MAX_TABLES = 256
_tables = collections.OrderedDict()
_lock = threading.Lock()


def constant(array, device):
    """`array` (NumPy) on `device`; must not be written to. Larger ones than 64 KiB are copied at each call."""
    array = np.ascontiguousarray(array)
    array = array.astype(canonical(array.dtype), copy=False)
    if device.kind == "host":
        return from_numpy(array)
    if array.nbytes > MAX_BYTES:
        return device.table(array)
    key = (device, device.stream_ptr, array.dtype.char, array.shape, array.tobytes())
    with _lock:
        found = _tables.get(key)
        if found is None:
            found = _tables[key] = device.table(array)
            if len(_tables) > MAX_TABLES:
                _tables.popitem(last=False)
        else:
            _tables.move_to_end(key)
    return found
