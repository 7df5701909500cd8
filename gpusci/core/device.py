"""Devices: what they offer, which one is current, how the default is chosen."""

import contextlib
import os
import threading

from gpusci.core.callers import warn

__all__ = ["Device", "current_device", "device", "devices", "get_device"]


class Device:
    """What core needs of a device. `host.py` and `cuda.py` have the two kinds.

    kind         "host" or "cuda"
    index        GPU number, -1 for the host
    uses_numpy   NumPy-like functions of core call NumPy on this device's arrays
    """

    kind = ""
    index = -1
    uses_numpy = False
    stream_ptr = 0

    @property
    def name(self):
        return self.kind if self.index < 0 else f"{self.kind}:{self.index}"

    def __repr__(self):
        return f"<gpusci device {self.name!r}>"

    def __reduce__(self):
        return get_device, (self.name,)

    def synchronize(self):
        """Wait for the device; raises what a kernel reported since the last wait."""
        raise NotImplementedError

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        """Compile (or read from the cache) the two-line source `entry` and load it: a `Function`.

        exact: without contracting a * b + c, which the host never does.
        """
        raise NotImplementedError

    def table(self, array):
        """A device copy of a small NumPy array."""
        raise NotImplementedError

    @property
    def error_cell(self):
        """Address of the cell where kernels report bad input."""
        raise NotImplementedError


from gpusci.core.host import HOST  # noqa: E402  (host.py needs the class above)


class _Local(threading.local):
    stack = ()  # a default: reading a missing attribute of a thread-local costs ten times as much


_local = _Local()
_default = None
_lock = threading.Lock()


def available(name):
    """Whether a device of this name can be used here."""
    from gpusci.core import cuda

    return name == "host" or (name.startswith("cuda") and cuda.why_not() is None and int(name[5:] or 0) < cuda.count())


def get_device(spec=None):
    """The Device for a name ("host", "cpu", "cuda", "cuda:1"), a Device, or None for the current one.

    Raises ValueError for an unknown name and RuntimeError, with the reason, where the GPU cannot be used.
    """
    if spec is None:
        return current_device()
    if isinstance(spec, Device):
        return spec
    kind, _, number = str(spec).partition(":")
    if kind in ("host", "cpu") and number in ("", "0"):
        return HOST
    if kind in ("cuda", "gpu") and (number.isdigit() or not number):
        from gpusci.core import cuda

        return cuda.gpu(int(number or 0))
    raise ValueError(f"unknown device {spec!r}: use 'host' or 'cuda:N'")


def current_device():
    """The device that creation functions use: set by `device(...)`, `GPUSCI_DEVICE`, else a GPU if one works here."""
    stack = _local.stack
    return stack[-1] if stack else _default_device()


def _default_device():
    global _default
    if _default is None:
        with _lock:
            asked = os.environ.get("GPUSCI_DEVICE")
            if asked:
                _default = get_device(asked)
            else:
                from gpusci.core import cuda

                reason = cuda.why_not()
                if reason == cuda.FORKED:
                    warn(f"working on the host: {reason}", RuntimeWarning)
                _default = HOST if reason else cuda.gpu(0)
    return _default


def forget_default():
    """The default device is chosen again, for the child of a fork; another thread of its parent may have held the lock."""
    global _default, _lock
    _default, _lock = None, threading.Lock()


@contextlib.contextmanager
def device(spec):
    """`with gpusci.device("cuda:1"):` makes a device current in this thread."""
    chosen = get_device(spec)
    before = _local.stack
    _local.stack = (*before, chosen)
    try:
        yield chosen
    finally:
        _local.stack = before


def devices():
    """All usable devices, the host last."""
    from gpusci.core import cuda

    return [*map(cuda.gpu, range(cuda.count() if cuda.why_not() is None else 0)), HOST]
