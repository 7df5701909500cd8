"""The transforms on the host: SciPy's compiled pocketfft without the layers of scipy.fft in front of it, which take three
times as long as a transform of 64 points. What is not plain (longdouble, foreign byte order, workers=, a backend) goes to
scipy.fft's own function; so does everything where SciPy's pocketfft is not the one known here.
"""

import functools
import importlib

import numpy as np

from gpusci.core.host_memory import is_large, reusing
from gpusci.core.libraries.fft import threads
from gpusci.core.libraries.host import is_ready
from gpusci.fft import _backend
from gpusci.fft._arguments import COMPLEX, INVERSE, fit, half_1d, half_nd, lengths_1d, lengths_nd

NORMS = {None: 0, "backward": 0, "ortho": 1, "forward": 2}  # pocketfft's numbers of a forward transform
FORWARD = {"fft", "rfft", "hfft", "dct", "dst"}


def way(name):
    """`run` (see `host_first`) of the transform of this name."""
    base = name.rstrip("n2")
    axes = (-2, -1) if name[-1] == "2" else None
    if base[-3:] in ("dct", "dst"):
        compute = _trigonometric(base[-3:], base in FORWARD)
        return _trigonometric_one(compute) if name == base else _trigonometric_many(compute)
    kind = _c2r if base in ("irfft", "hfft") else _r2c if base in ("rfft", "ihfft") else _c2c
    lengths = (half_1d if kind is _c2r else lengths_1d) if name == base else half_nd if kind is _c2r else lengths_nd
    compute = kind(base in FORWARD)
    return _one_axis(compute, lengths) if name == base else _many_axes(compute, lengths, axes)


def _one_axis(compute, lengths):
    def run(theirs, x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
        z = _plain(x) if workers is None and plan is None and norm in NORMS else None
        y = None if z is None else compute(z, *lengths(z, n, axis), norm, overwrite_x)
        return y if y is not None else _parallel(theirs, x, n, axis, norm, overwrite_x, workers, plan=plan)

    return run


def _many_axes(compute, lengths, default):
    def run(theirs, x, s=None, axes=default, norm=None, overwrite_x=False, workers=None, *, plan=None):
        z = _plain(x) if workers is None and plan is None and norm in NORMS else None
        y = None if z is None else compute(z, *lengths(z, s, axes), norm, overwrite_x)
        return y if y is not None else _parallel(theirs, x, s, axes, norm, overwrite_x, workers, plan=plan)

    return run


def _plain(x):
    """x as an array that pocketfft takes, or None where it is SciPy's to deal with."""
    if _backend.is_asked() or _pocketfft() is None:
        return None
    if is_ready(x):
        return x
    if type(x) in (list, np.ndarray):
        x = np.asarray(x)
        if x.dtype.kind in "biu" or x.dtype.char in "ed":
            return x.astype(np.float32 if x.dtype.char == "e" else np.float64)
    return None


@functools.cache
def _pocketfft():
    """SciPy's private module (ducc's from 1.18 on), if its functions are those known here, else None."""
    for name in ("_pocketfft.pypocketfft", "_duccfft.pyduccfft"):
        try:
            module = importlib.import_module(f"scipy.fft.{name}")
            pair = module.c2r(np.array([2 + 0j, 0]), (0,), 2, False, 2, None, 1)
            half = module.r2c(pair, (0,), True, 0, None, 1)
            known = module.c2c(half, (0,), True, 2, None, 1).tolist() == [1, 1]
            return module if known and module.dct(pair, 2, (0,), 0, None, 1, None)[0] == 4 else None
        except (ImportError, AttributeError, TypeError):
            continue
    return None


def _workers(size):
    """All host threads for large transforms where the caller chose nothing (workers=, set_workers)."""
    count = threads(size)
    if count == 1:
        return 1
    from scipy.fft import get_workers

    chosen = get_workers()
    return count if chosen == 1 else chosen


def _parallel(theirs, x, *args, plan=None, **kwargs):
    """SciPy's own function, with the threads that `_workers` gives."""
    *before, workers = args
    workers = _workers(np.size(x)) if workers is None else workers
    kwargs |= {} if plan is None else {"plan": plan}
    return theirs(x, *before, None if workers == 1 else workers, **kwargs)


def _call(function, x, *rest):
    """pocketfft's `function`; the result of a large transform is in memory that is kept."""
    return reusing(function, (x, *rest)) if is_large(x.nbytes) else function(x, *rest)


# ---- the transforms: None for what is SciPy's to do (errors, no axes)
def _c2c(forward):
    def compute(x, axes, lengths, norm, overwrite):
        if not axes:
            return None
        x, made = fit(x, axes, lengths)
        number = NORMS[norm]
        out = x if (overwrite or made) and x.dtype.kind == "c" else None
        return _call(_pocketfft().c2c, x, axes, forward, number if forward else 2 - number, out, _workers(x.size))

    return compute


def _r2c(forward):
    def compute(x, axes, lengths, norm, overwrite):
        if not axes or x.dtype.kind == "c":
            return None
        x, _ = fit(x, axes, lengths)
        number = NORMS[norm]
        return _call(_pocketfft().r2c, x, axes, forward, number if forward else 2 - number, None, _workers(x.size))

    return compute


def _c2r(forward):
    def compute(x, axes, lengths, norm, overwrite):
        if not axes:
            return None
        if x.dtype.kind != "c":
            x = x.astype(COMPLEX[x.dtype.char])
        n = lengths[-1]
        x, _ = fit(x, axes, (*lengths[:-1], n // 2 + 1))
        number = NORMS[norm]
        return _call(_pocketfft().c2r, x, axes, n, forward, number if forward else 2 - number, None, _workers(x.size))

    return compute


def _trigonometric(name, forward):
    def compute(x, axes, lengths, type, norm, overwrite, orthogonalize):
        if not axes or x.dtype.kind == "c":
            return None
        x, made = fit(x, axes, lengths)
        number, kind = (NORMS[norm], type) if forward else (2 - NORMS[norm], INVERSE[type])
        transform = getattr(_pocketfft(), name)
        return _call(transform, x, kind, axes, number, x if overwrite or made else None, _workers(x.size), orthogonalize)

    return compute


def _trigonometric_one(compute):
    def run(theirs, x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        z = _plain(x) if workers is None and norm in NORMS and type in INVERSE else None
        y = None if z is None else compute(z, *lengths_1d(z, n, axis), type, norm, overwrite_x, orthogonalize)
        return y if y is not None else _by_scipy(theirs, x, type, n, axis, norm, overwrite_x, workers, orthogonalize)

    return run


def _trigonometric_many(compute):
    def run(theirs, x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        z = _plain(x) if workers is None and norm in NORMS and type in INVERSE else None
        y = None if z is None else compute(z, *lengths_nd(z, s, axes), type, norm, overwrite_x, orthogonalize)
        return y if y is not None else _by_scipy(theirs, x, type, s, axes, norm, overwrite_x, workers, orthogonalize)

    return run


def _by_scipy(theirs, x, type, lengths, axes, norm, overwrite, workers, orthogonalize):
    """SciPy 1.17 forgets `orthogonalize` for complex data (DIFFERENCES): both parts are transformed here."""
    if orthogonalize is None or not np.iscomplexobj(x):
        return _parallel(theirs, x, type, lengths, axes, norm, overwrite, workers, orthogonalize=orthogonalize)
    x = np.asarray(x)
    rest = type, lengths, axes, norm, False, workers
    re, im = (_parallel(theirs, part, *rest, orthogonalize=orthogonalize) for part in (x.real, x.imag))
    y = np.empty(re.shape, np.result_type(re, np.complex64))
    y.real, y.imag = re, im
    return y
