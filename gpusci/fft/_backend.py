"""SciPy's backend protocol: `scipy.fft.set_backend(gpusci.fft)` sends scipy.fft's calls here."""

import functools
import importlib
import threading

__ua_domain__ = "numpy.scipy.fft"

# Why SciPy's dispatch may have to be asked, empty where it need not be: blocks of `with set_backend(...)` being run, "registered",
# "global". Appending and removing are single steps, so that threads need no lock.
chosen = []
_local = threading.local()  # .blocks: whether each block that this thread is in, innermost last, is another backend's than SciPy's


def __ua_function__(method, args, kwargs):
    module = importlib.import_module("gpusci.fft")
    function = getattr(module, method.__name__, None)
    if function is None or method.__name__ not in module.__all__:
        return NotImplemented
    with set_backend("scipy"):  # on the host the work goes back to scipy.fft's own code, also where it is no global backend any more
        return function(*args, **kwargs)


def is_asked():
    """Whether another backend comes before SciPy's, whose place gpusci takes: the innermost block of this thread decides."""
    if not chosen:
        return False
    blocks = getattr(_local, "blocks", None)
    return blocks[-1] if blocks else "global" in chosen or "registered" in chosen


def asking(func):
    """The way of a GPU: a backend chosen here is asked first."""

    @functools.wraps(func)
    def on_device(*args, **kwargs):
        result = _elsewhere(func.__name__, args, kwargs) if is_asked() else NotImplemented
        return func(*args, **kwargs) if result is NotImplemented else result

    return on_device


def _elsewhere(name, args, kwargs):
    """What the chosen backend makes of the call, NotImplemented where it leaves it to us."""
    from scipy import fft

    try:
        with fft.skip_backend("scipy"), fft.skip_backend(importlib.import_module("gpusci.fft")):
            return getattr(fft, name)(*args, **kwargs)
    except NotImplementedError as error:
        if type(error).__name__ != "BackendNotImplementedError":  # uarray's, which SciPy keeps in a private module
            raise
        return NotImplemented


class _Block:
    """SciPy's context manager, and a note that it is entered."""

    def __init__(self, theirs, other):
        self._theirs, self._other = theirs, other

    def __enter__(self):
        self._theirs.__enter__()
        _local.__dict__.setdefault("blocks", []).append(self._other)
        chosen.append(self)

    def __exit__(self, *error):
        chosen.remove(self)
        _local.blocks.pop()
        return self._theirs.__exit__(*error)


def set_backend(backend, coerce=False, only=False):
    """As `scipy.fft.set_backend`, and it is SciPy's: a context manager for `scipy.fft`."""
    from scipy import fft

    return _Block(fft.set_backend(backend, coerce, only), backend != "scipy")


def skip_backend(backend):
    """As `scipy.fft.skip_backend`, and it is SciPy's."""
    from scipy import fft

    return fft.skip_backend(backend)


def set_global_backend(backend, coerce=False, only=False, try_last=False):
    """As `scipy.fft.set_global_backend`, and it is SciPy's."""
    from scipy import fft

    fft.set_global_backend(backend, coerce, only, try_last)
    if "global" in chosen:
        chosen.remove("global")
    if backend != "scipy":
        chosen.append("global")


def register_backend(backend):
    """As `scipy.fft.register_backend`, and it is SciPy's."""
    from scipy import fft

    fft.register_backend(backend)
    if backend != "scipy":
        chosen.append("registered")


def set_workers(workers):
    """As `scipy.fft.set_workers`. At its default of 1 this package uses all host threads for large transforms."""
    from scipy import fft

    return fft.set_workers(workers)


def get_workers():
    """As `scipy.fft.get_workers`."""
    from scipy import fft

    return fft.get_workers()
