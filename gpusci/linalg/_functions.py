"""Functions of matrices by products: exponential, trigonometric and hyperbolic ones, integer powers, Kronecker products.

Exponential: A. Al-Mohy, N. Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM J. Matrix Anal. Appl.
31 (2009) 970.
"""

import operator
from math import ceil, factorial, log2

import numpy as np

import gpusci as gs
from gpusci.core.libraries.host import host_first
from gpusci.linalg._arguments import square
from gpusci.linalg._scipy import scipy_first

# Largest 1-norms for which the [m/m] Pade approximant has a backward error below 2^-53: table 3.1 of the paper.
THETA = {3: 1.495585217958292e-2, 5: 2.539398330063230e-1, 7: 9.504178996162932e-1, 9: 2.097847961257068, 13: 4.25}
UNIT_ROUNDOFF = 2.0**-53


def _pade(m):
    """Coefficients of the numerator of the [m/m] Pade approximant of exp, lowest first; the last is 1."""
    return [factorial(2 * m - j) // (factorial(j) * factorial(m - j)) for j in range(m + 1)]


@scipy_first("scipy.linalg", "A", library=False)
def expm(A):
    """As `scipy.linalg.expm`. On a GPU by matrix products; a few norms decide the degree, and are waited for."""
    if A.size == 1 and A.ndim < 2:
        A = A.reshape(1, 1).astype(np.result_type(A.dtype, np.float64))
    if A.ndim < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    if A.shape[-1] != A.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    char = A.dtype.char
    A = A.astype("f" if char == "e" else A.dtype if char in "fdFD" else "d")
    if not A.size:
        return A
    out = gs.empty(A.shape, A.dtype, device=A.device)
    for i in np.ndindex(A.shape[:-2]):
        out[i] = _expm(A[i])
    return out


def _norm1(a):
    return gs.max(gs.sum(gs.abs(a), axis=0))


def _expm(a):
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    even = {2: a2, 4: a4, 6: a6}
    sizes = gs.stack([_norm1(x) for x in (a, a4, a6, gs.tril(a, -1), gs.triu(a, 1))])
    n1, n4, n6, below, above = gs.asnumpy(sizes).astype(float)
    if not np.isfinite([n1, n4, n6]).all():
        return gs.full_like(a, complex(np.nan, np.nan) if a.dtype.kind == "c" else np.nan)
    if below and not above:
        return _expm(a.T).T
    d4, d6 = n4 ** (1 / 4), n6 ** (1 / 6)
    size = max(d4, d6)
    for m in (3, 5):
        if size <= THETA[m] and _extra(a, m, n1) == 0:
            return _solved(*_low_order(a, even, m))
    a8 = even[8] = a4 @ a4
    d8 = float(_norm1(a8)) ** (1 / 8)
    size = max(d6, d8)
    for m in (7, 9):
        if size <= THETA[m] and _extra(a, m, n1) == 0:
            return _solved(*_low_order(a, even, m))
    d10 = float(_norm1(a4 @ a6)) ** (1 / 10)
    size = min(size, max(d8, d10))
    s = max(0, ceil(log2(size / THETA[13]))) if size > 0 else 0
    s += _extra(a * 2.0**-s, 13, n1 * 2.0**-s)
    x = _solved(*_order_13(a, even, s))
    if not below:
        return _squared_triangle(x, a, s)
    for _ in range(s):
        x = x @ x
    return x


def _squared_triangle(x, a, s):
    """The squarings of an upper triangular matrix: the diagonal and the one above are known, and put right at each (code fragment
    2.1 of the paper)."""
    i = np.arange(a.shape[0])
    d, above, x = gs.diagonal(a), gs.diagonal(a, 1), gs.triu(x)
    for power in range(s, -1, -1):
        x = x if power == s else x @ x
        now = d * 2.0**-power
        x[i, i] = powers = gs.exp(now)
        x[i[:-1], i[1:]] = above * 2.0**-power * _difference_quotient(now, powers)
    return x


def _extra(a, m, n1):
    """The paper's l(A): further halvings that keep rounding from the powers of |A| below the unit roundoff."""
    if n1 == 0:
        return 0
    c = factorial(2 * m) // factorial(m) ** 2 * factorial(2 * m + 1)  # one over the leading error coefficient
    bound = 2 * m * log2(n1) - log2(c) - log2(UNIT_ROUNDOFF)
    if bound <= 0:  # the norm of the power of |A| is at most the power of the norm
        return 0
    v = gs.ones(a.shape[:1], np.float64, device=a.device)
    size = gs.abs(a).astype(np.float64).T * (1 / n1)  # scaled: powers of a large matrix overflow
    for _ in range(2 * m + 1):
        v = size @ v
    top = float(gs.max(v))
    return max(ceil((log2(top) + bound) / (2 * m)), 0) if top > 0 else 0


def _low_order(a, even, m):
    b = _pade(m)
    eye = gs.eye(a.shape[0], dtype=a.dtype, device=a.device)
    odd_part, even_part = b[1] * eye, b[0] * eye
    for j in range(2, m, 2):
        odd_part = odd_part + b[j + 1] * even[j]
        even_part = even_part + b[j] * even[j]
    return a @ odd_part, even_part


def _order_13(a, even, s):
    b = [x * 1.0 for x in _pade(13)]
    eye = gs.eye(a.shape[0], dtype=a.dtype, device=a.device)
    a, a2, a4, a6 = a * 2.0**-s, *(even[k] * 2.0 ** (-k * s) for k in (2, 4, 6))
    u = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * eye)
    v = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * eye
    return u, v


def _solved(u, v):
    return gs.linalg.solve(v - u, v + u, check_finite=False)


def _difference_quotient(d, powers):
    """(exp(d[i+1]) - exp(d[i])) / (d[i+1] - d[i]): close values, whose difference loses digits, by the hyperbolic sine."""
    half = (d[1:] - d[:-1]) * 0.5
    size = gs.abs(half)
    equal, far = size < 1e-4, size > 1
    sinhc = gs.where(equal, 1 + half * half / 6, gs.sinh(gs.where(far, 1, half)) / gs.where(equal, 1, half))
    plain = (powers[1:] - powers[:-1]) / gs.where(far, 2 * half, 1)
    return gs.where(far, plain, gs.exp((d[1:] + d[:-1]) * 0.5) * sinhc)


# ---- trigonometric and hyperbolic functions
def _exp_i(a, sign=1j):
    return expm(square(a) * sign)


@scipy_first("scipy.linalg", "A", library=False)
def cosm(A):
    """As `scipy.linalg.cosm`."""
    return 0.5 * (_exp_i(A) + _exp_i(A, -1j)) if A.dtype.kind == "c" else _exp_i(A).real


@scipy_first("scipy.linalg", "A", library=False)
def sinm(A):
    """As `scipy.linalg.sinm`."""
    return -0.5j * (_exp_i(A) - _exp_i(A, -1j)) if A.dtype.kind == "c" else _exp_i(A).imag


@scipy_first("scipy.linalg", "A", library=False)
def tanm(A):
    """As `scipy.linalg.tanm`."""
    return gs.linalg.solve(cosm(A), sinm(A))


@scipy_first("scipy.linalg", "A", library=False)
def coshm(A):
    """As `scipy.linalg.coshm`."""
    return 0.5 * (expm(A) + expm(-_signed(A)))


@scipy_first("scipy.linalg", "A", library=False)
def sinhm(A):
    """As `scipy.linalg.sinhm`."""
    return 0.5 * (expm(A) - expm(-_signed(A)))


@scipy_first("scipy.linalg", "A", library=False)
def tanhm(A):
    """As `scipy.linalg.tanhm`."""
    return gs.linalg.solve(coshm(A), sinhm(A))


def _signed(a):
    square(a)
    return a.astype(np.float64) if a.dtype.kind in "bu" else a


# ---- powers and products
@host_first("numpy.linalg", "a", library=False)
def matrix_power(a, n):
    """As `numpy.linalg.matrix_power`."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("exponent must be an integer") from None
    if n == 0:
        out = gs.empty(a.shape, a.dtype, device=a.device)
        out[...] = gs.eye(a.shape[-1], dtype=a.dtype, device=a.device)
        return out
    power, n, out = (gs.linalg.inv(a), -n, None) if n < 0 else (a, n, None)
    while n:
        if n & 1:
            out = power if out is None else gs.matmul(out, power)
        n >>= 1
        power = gs.matmul(power, power) if n else power
    return out.copy() if out is a else out


@scipy_first("scipy.linalg", "a", "b", library=False)
def khatri_rao(a, b):
    """As `scipy.linalg.khatri_rao`: Kronecker products of corresponding columns."""
    if a.ndim < 2 or b.ndim < 2:
        raise ValueError("The both arrays should be 2-dimensional.")
    if a.shape[-1] != b.shape[-1]:
        raise ValueError("The number of columns for both arrays should be equal.")
    c = a[..., :, None, :] * b[..., None, :, :]
    return c.reshape(*c.shape[:-3], a.shape[-2] * b.shape[-2], c.shape[-1])
