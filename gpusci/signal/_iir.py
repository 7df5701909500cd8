"""Recursive filters: lfilter, sosfilt, their initial states, and the zero-phase forms."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import args, new, public
from gpusci.core.libraries import scipy_since
from gpusci.signal import _kernels, _recurrence
from gpusci.signal._coefficients import on_host
from gpusci.signal._direct import filter_lines
from gpusci.signal._lines import cast, extend, from_lines, strides, to_lines

MAX_ORDER, MAX_SECTIONS = _recurrence.ORDERS[-1], 8


@functools.lru_cache(256)
def _result_dtype(*dtypes, text=""):
    dtype = np.result_type(*(d for d in dtypes if d is not None))
    if dtype.char in "gG":  # coefficients: data are in double by now
        dtype = np.dtype(float if dtype.char == "g" else complex)
    if dtype.char not in "fdFD":
        text = (text or "input type '{}' not supported").format(dtype)
        kind = TypeError if dtype.kind == "O" else NotImplementedError  # TypeError is what data of objects are refused by, too
        raise kind(f"{text}: filter float32, float64 or complex data, for example x.astype(float)")
    return dtype


# ---- one section of any order
@public("x", "zi", host=("b", "a"))
def lfilter(b, a, x, axis=-1, zi=None):
    """As `scipy.signal.lfilter`. float32 data is filtered in float64 and rounded once; long lines run in parallel.

    On a GPU an unstable filter whose output leaves the range of floats ends in NaN where SciPy's may end in infinity.
    """
    b, a = _vector("b", b), _vector("a", a)
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    axis = args.normalize_axis(axis, x.ndim)
    section = _section(b.tobytes(), b.dtype, a.tobytes(), a.dtype, x.dtype, None if zi is None else zi.dtype)
    if zi is not None:
        zi = cast(_states(zi, x, axis, section.order), section.dtype)
    y, zf = _lfilter(section, x, axis, zi)
    return y if zi is None else (y, zf)


def _vector(name, c):
    c = c if type(c) is np.ndarray else np.asarray(c)
    if c.ndim == 0:
        c = c[None]
    if c.ndim != 1 or c.size == 0:
        raise ValueError(f"Parameter {name} is not a non-empty 1d array, since {name}.shape={c.shape!r}!")
    return c


def _lfilter(section, x, axis, zi):
    """Filter along `axis`; zi has the order at that axis, or is None. Returns the result and the final states (or None)."""
    source = cast(x, section.dtype)
    states = None if zi is None else to_lines(zi, axis)
    if section.is_fir:
        y, final = filter_lines(to_lines(source, axis), section.taps, states)
        y = from_lines(y, x.shape, axis)
    else:
        source = source if x.ndim == 1 else to_lines(source, axis)
        y = new(source.shape, section.dtype, x.device)
        final = section.run(source, y, states, zi is not None)
        y = y if x.ndim == 1 else from_lines(y, x.shape, axis)
    return y, None if final is None else from_lines(final, x.shape, axis)


@functools.lru_cache(256)
def _section(b, b_dtype, a, a_dtype, *others):
    """The section with a[0] = 1 for data and states of other dtypes. Coefficients are rounded to the result's type first, as SciPy's."""
    is_fir = len(a) == a_dtype.itemsize
    unknown = "Parameter's dtypes produced result type '{}', which is not supported" if is_fir else ""
    dtype = _result_dtype(b_dtype, a_dtype, *others, text=unknown)
    wide = np.result_type(dtype, float)
    b, a = (np.frombuffer(c, t).astype(dtype).astype(wide) for c, t in ((b, b_dtype), (a, a_dtype)))
    if a[0] == 0 and not is_fir:
        raise ValueError("filter coefficient a[0] == 0 is not supported: drop leading zeros of a")
    with np.errstate(divide="ignore", invalid="ignore"):
        return _Section(b / a[0], a / a[0], dtype, is_fir)


def _states(zi, x, axis, order):
    """zi checked against SciPy's layout and broadcast to it."""
    expected = (*x.shape[:axis], order, *x.shape[axis + 1 :])
    if zi.shape == expected:
        return zi
    if zi.ndim != x.ndim:
        raise ValueError(f"Dimensions of parameters x and zi must match, but x.ndim={x.ndim}, zi.ndim={zi.ndim}!")
    fits = all(n == m or n == 1 and d != axis for d, (n, m) in enumerate(zip(zi.shape, expected)))
    if not fits:
        raise ValueError(f"Unexpected shape for zi: expected {expected}, found {zi.shape}.")
    return gs.broadcast_to(zi, expected)


class _Section:
    """b and a, in double precision and with a[0] = 1, the result's dtype, and the recurrence that runs them."""

    def __init__(self, b, a, dtype, is_fir):
        self.dtype, self.is_fir, self.taps = dtype, is_fir, b.astype(dtype)
        self.order = max(len(a), len(b)) - 1
        self.sequential = np.iscomplexobj(b) and (b.imag.any() or a.imag.any()) or self.order > MAX_ORDER
        self.b, self.a = (b, a) if self.sequential else (b.real, a.real)
        self.filter = None if self.sequential or self.order == 0 else _recurrence.Filter.section(self.b, self.a)

    def run(self, x, y, zi, want_final):
        """Lines x, or one 1-D line, into y (which may be x) from the states zi (lines, order) or None; the final states, where
        wanted."""
        if self.sequential:
            return _any_order(self.b, self.a, self.order, x, y, zi)
        return _real_system(self.filter, self.order, x, y, zi, want_final)


def _any_order(b, a, order, x, y, zi):
    """Complex coefficients or a very high order: sequential along each line."""
    if x.ndim == 1:
        x, y = x[None], y[None]
    coefficients = np.dtype(complex if np.iscomplexobj(b) or np.iscomplexobj(a) or x.dtype.kind == "c" else float)
    table = np.zeros((2, order + 1), coefficients)
    table[0, : len(b)], table[1, : len(a)] = b, a
    z = gs.zeros((x.shape[0], order), coefficients, device=x.device)
    if zi is not None:
        z[...] = zi
    b, a = (gs.constant(row, x.device) for row in table)
    _kernels.run_lines(x.shape[0], (x.dtype, y.dtype, coefficients), x, y, z, b, a, *strides(x), *strides(y), x.shape[1], order)
    return z.astype(x.dtype, copy=False)


def _real_system(system, order, x, y, zi, want_final):
    """Real coefficients: complex data are two sets of real lines."""
    if x.dtype.kind != "c":
        zf = _recurrence.run(system, x, y, zi if zi is None else _padded(zi, system.order), want_final)
        if not want_final:
            return None
        return cast(zf if zf.shape[1] == order else zf[:, :order], x.dtype)
    parts = []
    for part in ("real", "imag"):
        z = None if zi is None else getattr(zi, part)
        parts.append(_recurrence.run(system, getattr(x, part), getattr(y, part), z if z is None else _padded(z, system.order), want_final))
    return (parts[0][:, :order] + 1j * parts[1][:, :order]).astype(x.dtype, copy=False) if want_final else None


def _padded(zi, order):
    lines, given = zi.shape
    if given == order and zi.dtype == float and zi.flags.c_contiguous:
        return zi
    z = gs.zeros((lines, order), float, device=zi.device)
    z[:, :given] = zi
    return z


# ---- second-order sections
def _checked_sos(sos):
    sos = np.atleast_2d(sos)
    if sos.ndim != 2:
        raise ValueError("sos array must be 2D")
    if sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")
    if sos[:, 3].tolist().count(1) != len(sos):
        raise ValueError("sos[:, 3] should be all ones: divide each section by its a0")
    return sos


@public("x", "zi", host=("sos",))
def sosfilt(sos, x, axis=-1, zi=None):
    """As `scipy.signal.sosfilt`. float32 data is filtered in float64 and rounded once; long lines run in parallel."""
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    sos = _checked_sos(sos)
    axis = args.normalize_axis(axis, x.ndim)
    dtype = _result_dtype(sos.dtype, x.dtype, None if zi is None else zi.dtype)
    expected = (len(sos), *x.shape[:axis], 2, *x.shape[axis + 1 :])
    if zi is not None and zi.shape != expected:
        raise ValueError(
            f"Invalid zi shape. With axis={axis}, an input with shape {x.shape}, and an sos array with {len(sos)} sections, "
            f"zi must have shape {expected}, got {zi.shape}."
        )
    states = None
    if zi is not None:  # sections and states last
        moved = zi.transpose(*range(1, axis + 1), *range(axis + 2, zi.ndim), 0, axis + 1)
        states = cast(moved.reshape(moved.size // (2 * len(sos) or 1), 2 * len(sos)), dtype)
    source = cast(x, dtype)
    source = source if x.ndim == 1 else to_lines(source, axis)
    y = new(source.shape, dtype, x.device)
    final = _cascade(sos, source, y, states, zi is not None)
    y = y if x.ndim == 1 else from_lines(y, x.shape, axis)
    if zi is None:
        return y
    final = final.reshape(*x.shape[:axis], *x.shape[axis + 1 :], len(sos), 2)
    return y, final.transpose(x.ndim - 1, *range(axis), x.ndim, *range(axis, x.ndim - 1))


def _cascade(sos, x, y, zi, want_final):
    """Lines, or one 1-D line, through all sections; states (lines, 2 sections). Groups that a kernel holds follow each other."""
    groups, finals, first, source = _groups(sos.tobytes(), sos.dtype), [], 0, x
    if not groups:
        y[...] = x
    for group, order in groups:
        z = zi if zi is None or len(groups) == 1 else zi[:, first : first + order]
        if type(group) is _recurrence.Filter:
            finals.append(_real_system(group, order, source, y, z, want_final))
        else:
            finals.append(_any_order(*group, order, source, y, z))
        first, source = first + order, y
    if not want_final:
        return None
    if len(finals) == 1:
        return finals[0]
    return gs.concatenate(finals, axis=1) if finals else new((x.shape[0] if x.ndim == 2 else 1, 0), x.dtype, x.device)


@functools.lru_cache(256)
def _groups(sections, dtype):
    """Sections that a kernel holds, as [(filter, order)]; (b, a) for one of complex coefficients."""
    sos = np.frombuffer(sections, dtype).reshape(-1, 6).astype(complex if dtype.kind == "c" else float)
    if np.iscomplexobj(sos) and sos.imag.any():
        return [((section[:3], section[3:]), 2) for section in sos]
    groups = [sos[first : first + MAX_SECTIONS].real for first in range(0, len(sos), MAX_SECTIONS)]
    return [(_recurrence.Filter.cascade(group), 2 * len(group)) for group in groups]


@functools.lru_cache(256)
def _steady_state(b, b_dtype, a, a_dtype, section):
    """(1, order): lfilter_zi as what runs the section takes states, so that they need no copy."""
    wide = np.dtype(complex if "c" in (b_dtype.kind, a_dtype.kind) else float)
    zi = lfilter_zi(np.frombuffer(b, b_dtype).astype(wide), np.frombuffer(a, a_dtype).astype(wide))
    if section.is_fir:
        return zi.astype(section.dtype)[None]
    return zi[None] if section.sequential else _to_order(zi, section.filter.order)


@functools.lru_cache(256)
def _steady_sections(sections, dtype):
    """(1, 2 sections): sosfilt_zi as what runs the sections takes states, so that they need no copy."""
    sos = np.frombuffer(sections, dtype).reshape(-1, 6).astype(complex if dtype.kind == "c" else float)
    groups, zi = _groups(sections, dtype), sosfilt_zi(sos).ravel()
    single = len(groups) == 1 and type(groups[0][0]) is _recurrence.Filter
    return _to_order(zi, groups[0][0].order) if single else zi[None]


def _to_order(zi, order):
    """One line's states, and zeros for those that a kernel has beyond them."""
    return np.pad(zi, (0, order - zi.size))[None]


# ---- initial states
@on_host
def lfilter_zi(b, a):
    """As `scipy.signal.lfilter_zi`."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if not b.ndim == a.ndim == 1:
        raise ValueError(f"Numerator `b` and Denominator `a` must be 1-D arrays, but have {b.ndim} and {a.ndim} dimensions")
    nonzero = a.nonzero()[0]
    if nonzero.size < 1:
        raise ValueError("There must be at least one nonzero `a` coefficient.")
    if nonzero[0] and scipy_since(1, 18):
        raise ValueError("First coefficient of parameter `a` must be non-zero: drop the zeros that lead it")
    a = a[nonzero[0] :]
    b, a = b / a[0], a / a[0]
    total = _total(a)
    if total == 0:
        raise np.linalg.LinAlgError("the filter has no steady state: the sum of `a` is zero, which is a pole at z = 1")
    # A constant input 1 must leave the state as it is: z[i] = b[i+1] - a[i+1] y + z[i+1], where y = sum(b) / sum(a).
    rest = np.zeros(max(len(a), len(b)) - 1, np.result_type(a, b))
    rest[: len(b) - 1] = b[1:]
    rest[: len(a) - 1] -= a[1:] * (_total(b) / total)
    return rest[::-1].cumsum()[::-1].copy()


def _total(c):
    """The sum, rounded once."""
    return math.fsum(c.tolist()) if c.dtype.kind == "f" else complex(math.fsum(c.real.tolist()), math.fsum(c.imag.tolist()))


@on_host
def sosfilt_zi(sos):
    """As `scipy.signal.sosfilt_zi`; a section of order one has a finite state too."""
    sos = np.asarray(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError("sos must be shape (n_sections, 6)")
    sos = sos.astype(np.result_type(sos, np.float32) if sos.dtype.kind in "fc" else float)
    zi, gain = np.empty((len(sos), 2), sos.dtype), 1.0
    for row, section in zip(zi, sos):
        row[:] = gain * lfilter_zi(section[:3], section[3:])
        gain = gain * section[:3].sum() / section[3:].sum()
    return zi


@on_host
def lfiltic(b, a, y, x=None):
    """As `scipy.signal.lfiltic`."""
    a, b, y = np.atleast_1d(a), np.atleast_1d(b), np.atleast_1d(y)
    if a.ndim > 1:
        raise ValueError("Filter coefficients `a` must be 1-D.")
    if b.ndim > 1:
        raise ValueError("Filter coefficients `b` must be 1-D.")
    n, m = len(a) - 1, len(b) - 1
    if n < 0:
        raise ValueError("There must be at least one `a` coefficient.")
    x = np.zeros(m, y.dtype) if x is None else np.atleast_1d(x)
    dtype = np.result_type(b, a, y, x)
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    x = np.pad(x.astype(dtype), (0, max(0, m - x.size)))
    y = np.pad(y.astype(dtype), (0, max(0, n - y.size)))
    if a[0] == 0:
        raise ValueError("First `a` filter coefficient must be non-zero.")
    zi = np.zeros(max(n, m), dtype)
    for i in range(m):
        zi[i] = b[i + 1 :] @ x[: m - i]
    for i in range(n):
        zi[i] -= a[i + 1 :] @ y[: n - i]
    return zi / a[0] if a[0] != 1 else zi


# ---- forward and backward
def _check_padding(padtype, padlen, x, axis, taps):
    """Samples to add on each side. Raises ValueError, as SciPy."""
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(f"Unknown value '{padtype}' given to padtype. padtype must be 'even', 'odd', 'constant', or None.")
    edge = 0 if padtype is None else taps * 3 if padlen is None else max(padlen, 0)
    if x.shape[axis] <= edge:
        raise ValueError(
            f"The length of the input vector x must be greater than padlen, which is {edge}; give a longer x or a smaller padlen."
        )
    return edge


def _both_ways(x, axis, edge, padtype, dtype, forward, backward):
    """Filter the padded lines of x forward and backward in place; each way is (steady states, run), run(lines, states) filters lines."""
    lines = to_lines(x, axis)
    if edge > 0:
        y = extend(lines, edge, padtype, dtype)
    else:
        y = gs.array(lines, dtype=dtype, order="C")
    for way, (zi, run) in ((y, forward), (y[:, ::-1], backward)):
        if way.size:
            run(way, way[:, :1] * gs.constant(zi, x.device))
    return from_lines(y[:, edge : y.shape[1] - edge], x.shape, axis)


@public("x", host=("b", "a"))
def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """As `scipy.signal.filtfilt`; backward a complex filter runs with conjugate coefficients, without which its phase would not cancel.

    method="gust" solves its small least-squares problem on the host, which waits for the GPU.
    """
    b, a = _vector("b", b), _vector("a", a)
    if method not in ("pad", "gust"):
        raise ValueError("method must be 'pad' or 'gust'.")
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    axis = args.normalize_axis(axis, x.ndim)
    if all(dtype.kind in "biu" for dtype in (b.dtype, a.dtype, x.dtype)):  # the states are floats
        b = b.astype(float)
    if method == "gust":
        from gpusci.signal._gust import filtfilt_gust

        return filtfilt_gust(b, a, x, axis, irlen)
    order = max(len(a), len(b)) - 1
    edge = _check_padding(padtype, padlen, x, axis, order + 1)
    if order == 0:
        section = _section(b.tobytes(), b.dtype, a.tobytes(), a.dtype, x.dtype)
        return cast(x, section.dtype) * (b[0] / a[0] * (b[0] / a[0]).conjugate())
    forward, dtype = _way(b, a, x.dtype)
    backward = _way(b.conj(), a.conj(), x.dtype)[0] if "c" in b.dtype.kind + a.dtype.kind else forward
    return _both_ways(x, axis, edge, padtype, dtype, forward, backward)


def _way(b, a, kind):
    """((steady states, run), dtype of the results) for lines of type `kind`: see _both_ways."""
    section = _section(b.tobytes(), b.dtype, a.tobytes(), a.dtype, kind)

    def run(lines, states):
        if section.is_fir:
            lines[...] = _lfilter(section, lines, -1, cast(states, section.dtype))[0]
        else:
            section.run(lines, lines, states, False)

    return (_steady_state(b.tobytes(), b.dtype, a.tobytes(), a.dtype, section), run), section.dtype


@public("x", host=("sos",))
def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    """As `scipy.signal.sosfiltfilt`; for complex sections see `filtfilt`."""
    sos = _checked_sos(sos)
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D")
    return zero_phase(sos, x, args.normalize_axis(axis, x.ndim), padtype, padlen, _result_dtype(sos.dtype, x.dtype))


def zero_phase(sos, x, axis, padtype, padlen, dtype):
    """sosfiltfilt with results of `dtype`, whatever the type of the coefficients."""
    taps = 2 * len(sos) + 1 - min(sos[:, column].tolist().count(0) for column in (2, 5))
    edge = _check_padding(padtype, padlen, x, axis, taps)
    forward = _sections_way(sos)
    return _both_ways(x, axis, edge, padtype, dtype, forward, _sections_way(sos.conj()) if sos.dtype.kind == "c" else forward)


def _sections_way(sos):
    """(steady states, run): see _both_ways."""
    return _steady_sections(sos.tobytes(), sos.dtype), lambda y, zi: _cascade(sos, y, y, zi, False)
