"""Special matrices; systems with circulant and Toeplitz ones by FFT; tests of structure."""

import math

import numpy as np

import gpusci as gs
from gpusci import fft
from gpusci.core.callers import warn
from gpusci.core.libraries import scipy_since
from gpusci.core.libraries.host import host_first
from gpusci.linalg._arguments import adjoint, finite, inexact
from gpusci.linalg._scipy import NOT_GIVEN, scipy_first

# Constructors, which copy values and do not compute with them, take all dtypes: SciPy warns of none (`host_first`).


# ---- from vectors
def _windows(values, width):
    """Rows values[i : i + width]: a view."""
    return gs.sliding_window_view(values, width, axis=-1)


@host_first("scipy.linalg", "c", "r", library=False)
def toeplitz(c, r=None):
    """As `scipy.linalg.toeplitz`: constant along diagonals, first column c, first row r (default: conj(c))."""
    c = gs.atleast_1d(c)
    return _toeplitz(c, (gs.conj(c) if c.dtype.kind == "c" else c) if r is None else gs.atleast_1d(r))


def _toeplitz(c, r):
    if not c.shape[-1] or not r.shape[-1]:
        return gs.empty((*c.shape[:-1], c.shape[-1], r.shape[-1]), np.result_type(c.dtype, r.dtype), device=c.device)
    batch = np.broadcast_shapes(c.shape[:-1], r.shape[:-1])
    c, r = (gs.broadcast_to(v, (*batch, v.shape[-1])) for v in (c, r))
    values = gs.concatenate([gs.flip(c, -1), r[..., 1:]], axis=-1)
    return _windows(values, r.shape[-1])[..., ::-1, :].copy()


@host_first("scipy.linalg", "c", library=False)
def circulant(c):
    """As `scipy.linalg.circulant`: first column c, each further one rotated."""
    c = gs.atleast_1d(c)
    return _toeplitz(c, gs.concatenate([c[..., :1], gs.flip(c[..., 1:], -1)], axis=-1))


@host_first("scipy.linalg", "c", "r", library=False)
def hankel(c, r=None):
    """As `scipy.linalg.hankel`: constant along anti-diagonals, first column c, last row r (default: zeros)."""
    if c.ndim > 1 or r is not None and r.ndim > 1:
        warn("Beginning in SciPy 1.19, multidimensional input will be treated as a batch, not `ravel`ed: ravel it before the call",
             FutureWarning)  # fmt: skip
    c = c.ravel()
    r = gs.zeros_like(c) if r is None else r.ravel()
    if not c.size or not r.size:
        return gs.empty((c.size, r.size), np.result_type(c.dtype, r.dtype), device=c.device)
    return _windows(gs.concatenate([c, r[1:]]), r.size).copy()


@host_first("scipy.linalg", "a", library=False)
def companion(a):
    """As `scipy.linalg.companion`. Waits for the GPU: a leading zero is an error."""
    if a.ndim == 0 or a.shape[-1] < 2:
        raise ValueError(f"The length of `a` along the last axis must be at least 2, `a.shape` is {a.shape}")
    if bool(gs.any(a[..., 0] == 0)):
        raise ValueError("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.")
    n = a.shape[-1]
    row = -a[..., 1:] / (1.0 * a[..., :1])
    c = gs.zeros((*row.shape, n - 1), row.dtype, device=a.device)
    c[..., 0, :] = row
    c[..., np.arange(1, n - 1), np.arange(n - 2)] = 1
    return c


@host_first("scipy.linalg", "a", library=False)
def fiedler(a):
    """As `scipy.linalg.fiedler`: |a[i] - a[j]|."""
    a = gs.atleast_1d(a)
    if not a.size:
        return gs.empty((0, 0) if scipy_since(1, 18) else (0,), device=a.device)  # of float64, like that of one element
    if a.size == 1:
        return gs.zeros((1, 1), device=a.device)
    return gs.abs(a[..., :, None] - a[..., None, :])


@host_first("scipy.linalg", "f", "s", library=False)
def leslie(f, s):
    """As `scipy.linalg.leslie`."""
    if f.ndim == 0 or s.ndim == 0 or not s.shape[-1] or f.shape[-1] != s.shape[-1] + 1:
        raise ValueError("The length of s must be at least 1, and one less than the length of f.")
    n = f.shape[-1]
    out = gs.zeros((*f.shape, n), np.result_type(f.dtype, s.dtype), device=f.device)
    out[..., 0, :] = f
    out[..., np.arange(1, n), np.arange(n - 1)] = s
    return out


@host_first("scipy.linalg", "a", library=False)
def convolution_matrix(a, n, mode="full"):
    """As `scipy.linalg.convolution_matrix`."""
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    if not a.shape[-1]:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "valid", "same"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    m, pad = a.shape[-1], gs.zeros((*a.shape[:-1], n - 1), a.dtype, device=a.device)
    full = _toeplitz(gs.concatenate([a, pad], axis=-1), gs.concatenate([a[..., :1], pad], axis=-1))
    if mode == "full":
        return full
    if mode == "same":
        begin = (min(m, n) - 1) // 2
        return full[..., begin : begin + max(m, n), :].copy()
    return full[..., min(m, n) - 1 : max(m, n), :].copy()


def block_diag(*arrs):
    """As `scipy.linalg.block_diag`."""
    return _block_diag(list(arrs)) if arrs else np.zeros((1, 0))


def _on_host(theirs, blocks):
    return theirs(*blocks)


@host_first("scipy.linalg", "blocks*", name="block_diag", run=_on_host, library=False)
def _block_diag(blocks):
    blocks = [gs.atleast_2d(b) for b in blocks]
    batch = np.broadcast_shapes(*(b.shape[:-2] for b in blocks))
    shape = (*batch, sum(b.shape[-2] for b in blocks), sum(b.shape[-1] for b in blocks))
    out = gs.zeros(shape, np.result_type(*(b.dtype for b in blocks)), device=blocks[0].device)
    i = j = 0
    for b in blocks:
        out[..., i : i + b.shape[-2], j : j + b.shape[-1]] = b
        i, j = i + b.shape[-2], j + b.shape[-1]
    return out


# ---- from numbers: NumPy arrays, as SciPy makes them
def _scipy(name, *args, **options):
    import scipy.linalg

    return getattr(scipy.linalg, name)(*args, **{k: v for k, v in options.items() if v is not NOT_GIVEN})


def dft(n, scale=None):
    """As `scipy.linalg.dft`."""
    return _scipy("dft", n, scale)


def hadamard(n, dtype=int):
    """As `scipy.linalg.hadamard`."""
    return _scipy("hadamard", n, dtype)


def helmert(n, full=False):
    """As `scipy.linalg.helmert`."""
    return _scipy("helmert", n, full)


def hilbert(n):
    """As `scipy.linalg.hilbert`."""
    return _scipy("hilbert", n)


def invhilbert(n, exact=False):
    """As `scipy.linalg.invhilbert`."""
    return _scipy("invhilbert", n, exact)


def pascal(n, kind="symmetric", exact=True):
    """As `scipy.linalg.pascal`."""
    return _scipy("pascal", n, kind, exact)


def invpascal(n, kind="symmetric", exact=True):
    """As `scipy.linalg.invpascal`."""
    return _scipy("invpascal", n, kind, exact)


def get_blas_funcs(names, arrays=(), dtype=None, ilp64=NOT_GIVEN):
    """As `scipy.linalg.get_blas_funcs`: the host's routines."""
    return _scipy("get_blas_funcs", names, arrays, dtype, ilp64=ilp64)


def get_lapack_funcs(names, arrays=(), dtype=None, ilp64=NOT_GIVEN):
    """As `scipy.linalg.get_lapack_funcs`: the host's routines."""
    return _scipy("get_lapack_funcs", names, arrays, dtype, ilp64=ilp64)


def find_best_blas_type(arrays=(), dtype=None):
    """As `scipy.linalg.find_best_blas_type`."""
    return _scipy("find_best_blas_type", arrays, dtype)


for _function in (
    dft,
    hadamard,
    helmert,
    hilbert,
    invhilbert,
    pascal,
    invpascal,
    get_blas_funcs,
    get_lapack_funcs,
    find_best_blas_type,
):
    _function.gpusci_status = "library"


# ---- circulant and Toeplitz operators
@scipy_first("scipy.linalg", "c_or_cr*", "x", library=False)
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """As `scipy.linalg.matmul_toeplitz`: by FFT; stacks of columns, rows and `x` broadcast."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, gs.conj(c_or_cr))
    m, n, vector = c.shape[-1] if c.ndim else 0, r.shape[-1] if r.ndim else 0, x.ndim == 1
    if not c.ndim or not r.ndim or not x.ndim or x.shape[0 if vector else -2] != n:
        raise ValueError("Incompatible dimensions.")
    x = x[:, None] if vector else x
    batch = np.broadcast_shapes(c.shape[:-1], r.shape[:-1], x.shape[:-2])
    dtype = np.result_type(inexact(c, r, x), np.float64)
    shape = (*batch, m, x.shape[-1])
    out = _by_fft(c, r, x, dtype, check_finite) if n and math.prod(shape) else gs.zeros(shape, dtype, device=x.device)
    return out[..., 0] if vector else out


def _by_fft(c, r, x, dtype, check_finite):
    """The first rows of a product with the circulant matrix that has the Toeplitz one in its corner."""
    c, r, x = (finite(v, check_finite).astype(dtype) for v in (c, r, x))
    m, n = c.shape[-1], r.shape[-1]
    size = fft.next_fast_len(m + n - 1, dtype.kind != "c")
    column = gs.zeros((*np.broadcast_shapes(c.shape[:-1], r.shape[:-1]), size), dtype, device=x.device)  # the wrapped part stays at the end
    column[..., :m] = c
    column[..., size - n + 1 :] = gs.flip(r[..., 1:], -1)
    if dtype.kind == "c":
        return fft.ifft(fft.fft(column)[..., None] * fft.fft(x, size, axis=-2), axis=-2)[..., :m, :]
    return fft.irfft(fft.rfft(column)[..., None] * fft.rfft(x, size, axis=-2), size, axis=-2)[..., :m, :]


@scipy_first("scipy.linalg", "c", "b", library=False)
def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """As `scipy.linalg.solve_circulant`: by FFT. Waits for the GPU: a nearly singular matrix is an error."""
    c, b = gs.moveaxis(gs.atleast_1d(c), caxis, -1), gs.moveaxis(gs.atleast_1d(b), baxis, -1)
    if c.shape[-1] != b.shape[-1]:
        raise ValueError(f"Shapes of c {c.shape} and b {b.shape} are incompatible")
    if not b.size:
        return gs.moveaxis(gs.empty(b.shape, inexact(c, b, small=""), device=b.device), -1, outaxis)
    fc = fft.fft(c, axis=-1)
    size = gs.abs(fc)
    if tol is None:
        tol = gs.max(size, axis=-1, keepdims=True) * (c.shape[-1] * np.finfo(np.float64).eps)
    near = size <= tol
    if bool(gs.any(near)):
        if singular == "raise":
            raise np.linalg.LinAlgError("near singular circulant matrix; singular='lstsq' gives the least squares solution")
        fc = gs.where(near, 1.0, fc)
    q = fft.fft(b, axis=-1) / fc
    q = gs.where(gs.broadcast_to(near, q.shape), 0.0, q)
    x = fft.ifft(q, axis=-1)
    x = x if "c" in (c.dtype.kind, b.dtype.kind) else x.real
    return gs.moveaxis(x, -1, outaxis) if outaxis != -1 else x


# ---- structure; each waits for the GPU, since the answer is a bool or a number, for a stack an array of them
@scipy_first("scipy.linalg", "a", library=False)
def issymmetric(a, atol=None, rtol=None):
    """As `scipy.linalg.issymmetric`. Waits for the GPU."""
    return _equal_across(a, False, atol, rtol)


@scipy_first("scipy.linalg", "a", library=False)
def ishermitian(a, atol=None, rtol=None):
    """As `scipy.linalg.ishermitian`. Waits for the GPU."""
    return _equal_across(a, a.dtype.kind == "c", atol, rtol)


def _equal_across(a, conjugate, atol, rtol):
    """Whether the matrices equal their (conjugate) transposes; a NaN on the diagonal of a symmetric one does not count, as in SciPy."""
    if a.ndim < 2:
        raise ValueError("Input must be a 2D array")
    n = a.shape[-1]
    if a.shape[-2] != n:
        raise ValueError("Input array must be square.")
    if atol or rtol:
        same = gs.all(gs.isclose(a, adjoint(a) if conjugate else a.mT, rtol=rtol or 0.0, atol=atol or 0.0), axis=(-2, -1))
    else:
        equal = a == (adjoint(a) if conjugate else a.mT)
        same = gs.all(equal if conjugate else equal | gs.eye(n, dtype=bool, device=a.device), axis=(-2, -1))
    return bool(same) if a.ndim == 2 else same


@scipy_first("scipy.linalg", "a", library=False)
def bandwidth(a):
    """As `scipy.linalg.bandwidth`. Waits for the GPU."""
    if a.ndim < 2:
        raise ValueError("Input array must be a 2D NumPy array.")
    m, n = a.shape[-2:]
    offset = gs.arange(m, device=a.device)[:, None] - gs.arange(n, device=a.device)
    used = a != 0
    widths = [gs.max(gs.where(used, side, 0), axis=(-2, -1), initial=0) for side in (offset, -offset)]
    return tuple(int(w) for w in widths) if a.ndim == 2 else tuple(widths)
