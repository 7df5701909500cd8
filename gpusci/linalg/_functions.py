"""Functions of matrices by products: exponential, trigonometric and hyperbolic ones, integer powers, Kronecker products.

Exponential: A. Al-Mohy, N. Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM J. Matrix Anal. Appl.
31 (2009) 970. Degrees below 13 are chosen by the norm alone, as in N. Higham, ibid. 26 (2005) 1179: what the norms of powers
would add saves one product at most, and costs products and a wait of their own.
"""

import operator
from math import ceil, factorial, inf, isfinite, log2

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.core.libraries import solver
from gpusci.core.libraries.host import host_first
from gpusci.linalg import _kernels
from gpusci.linalg._arguments import identities, square, triangle, widened
from gpusci.linalg._scipy import scipy_first

# Largest 1-norms for which the [m/m] Pade approximant has a backward error below 2^-53: table 3.1 of the paper.
THETA = {3: 1.495585217958292e-2, 5: 2.539398330063230e-1, 7: 9.504178996162932e-1, 9: 2.097847961257068, 13: 4.25}
FLOAT64 = np.dtype("d")
SMALL = 256  # up to this order a product costs less than a wait, and one block has a power of |A| in less time than launches


def _pade(m):
    """Coefficients of the numerator of the [m/m] Pade approximant of exp, lowest first; the last is 1."""
    return [float(factorial(2 * m - j) // (factorial(j) * factorial(m - j))) for j in range(m + 1)]


PADE = {m: _pade(m) for m in THETA}
# -log2(|c| / u) of the paper's l(A): c is the leading error coefficient of degree 13, u the unit roundoff.
ERROR_BITS = 53 - log2(factorial(26) // factorial(13) ** 2 * factorial(27))


@scipy_first("scipy.linalg", "A", library=False)
def expm(A):
    """As `scipy.linalg.expm`. On a GPU by matrix products; the norm decides the degree, and is waited for. Where it is above 2,
    norms of powers are waited for, too."""
    if A.size == 1 and A.ndim < 2:
        A = A.reshape(1, 1).astype(np.result_type(A.dtype, np.float64))
    if A.ndim < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    if A.shape[-1] != A.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    char = A.dtype.char
    if char not in "fdFD":
        A = A.astype("f" if char == "e" else "d")
    if not A.size:
        return A.copy()
    if A.ndim == 2:
        return _expm(gs.ascontiguousarray(A))
    out = gs.empty(A.shape, A.dtype, device=A.device)
    for i in np.ndindex(A.shape[:-2]):
        out[i] = _expm(gs.ascontiguousarray(A[i]))
    return out


def _expm(a):
    sums = _column_sums(a)
    a2 = a @ a  # every degree needs it: the GPU has work while the norm travels
    n1, below, above = _tops(sums)
    if not isfinite(n1):
        return _unknown(a, below, above)
    for m in (3, 5, 7, 9):
        if n1 <= THETA[m]:
            return _low_order(a, a2, m)
    if below and not above:
        return gs.ascontiguousarray(_expm(a.T.copy()).T)
    a4 = a2 @ a2
    a6 = a4 @ a2
    s = _halvings(a, a4, a6, n1)
    if s is None:
        return _unknown(a, below, above)
    x = _order_13(a, a2, a4, a6, s)
    if not below:
        return _squared_triangle(x, a, s)
    for _ in range(s):
        x = x @ x
    return x


def _unknown(a, below, above):
    """NaN, but for what a triangular or diagonal matrix tells."""
    if not below and not above:
        return gs.diag(gs.exp(gs.diagonal(a)))
    out = gs.full_like(a, complex(np.nan, np.nan) if a.dtype.kind == "c" else np.nan)
    return out if below and above else triangle(out, lower=bool(below))


def _squared_triangle(x, a, s):
    """The squarings of an upper triangular matrix: the diagonal and the one above are known, and put right at each (code fragment
    2.1 of the paper)."""
    i = np.arange(a.shape[0])
    d, above, x = gs.diagonal(a), gs.diagonal(a, 1), triangle(x, False)
    for power in range(s, -1, -1):
        x = x if power == s else x @ x
        now = d * 2.0**-power
        x[i, i] = powers = gs.exp(now)
        x[i[:-1], i[1:]] = above * 2.0**-power * _difference_quotient(now, powers)
    return x


# ---- norms
def _column_sums(*matrices, weights=None, scale=1.0, out=None):
    """(count + 2, n): sums of magnitudes of the columns of up to four matrices, then of the first one's parts below and above
    the diagonal."""
    a, n, count = matrices[0], matrices[0].shape[-1], len(matrices)
    if out is None:
        out = new((count + 2, n), FLOAT64, a.device)
    args = (*matrices, *(None,) * (4 - count), weights, out, n, count, scale)
    if a.device.kind == "cuda":
        _kernels.column_sums_block((count + 2) * ((n + 31) // 32), (a.dtype,), *args)
    else:
        _kernels.column_sums((count + 2) * n, (a.dtype,), *args)
    return out


def _tops(sums):
    """Largest values of the rows. Waits."""
    return sums.numpy().max(-1).tolist()


def _halvings(a, a4, a6, n1):
    """How often to halve `a` for degree 13: the paper's s for the norms of its powers, and what l(A) adds: rounding in the powers
    of |A| stays below the unit roundoff. None where a power overflows."""
    n = a.shape[-1]
    powers = (a4, a6, a4 @ a4, a4 @ a6) if n <= SMALL else (a4, a6)
    sums = _column_sums(*powers)
    bits = 26 * log2(n1) + ERROR_BITS  # with all of the norm for the power of |A|
    room = _magnitude_power(a, 27, 1 / n1) if bits > 0 else None
    norms = _tops(sums)[: len(powers)]
    if not isfinite(norms[0] + norms[1]):
        return None
    s = _scaling(norms)
    if s and len(powers) == 2:  # large: two products more may save squarings, and else are not needed
        s = _scaling((*norms, *_tops(_column_sums(a4 @ a4, a4 @ a6))[:2]))
    top = _tops(room) if bits > 0 else 0
    return s + max(ceil((log2(top) + bits) / 26 - s), 0) if top > 0 else s


def _scaling(norms):
    """The paper's s from the norms of the powers 4, 6 and, where they are known, 8 and 10."""
    d = [x ** (1 / k) if isfinite(x) else inf for x, k in zip(norms, (4, 6, 8, 10))]
    size = min(max(pair) for pair in zip(d, d[1:]))
    return max(0, ceil(log2(size / THETA[13]))) if size > 0 else 0


def _magnitude_power(a, power, scale):
    """Column sums of a power of scale * |a|. Scaled, since powers of a large matrix overflow."""
    n = a.shape[-1]
    if a.device.kind == "cuda" and n <= SMALL:
        out = new((n,), FLOAT64, a.device)
        _kernels.magnitude_power(1, (a.dtype,), a, out, n, power, scale)
        return out
    rows = new((2, 3, n), FLOAT64, a.device)
    weights = None
    for k in range(power):
        _column_sums(a, weights=weights, scale=scale, out=rows[k % 2])
        weights = rows[k % 2, 0]
    return weights


# ---- Pade approximants
def _low_order(a, a2, m):
    even = [a2]
    if m > 3:
        even.append(a2 @ a2)
    if m > 5:
        even.append(even[1] @ a2)
    if m > 7:
        even.append(even[1] @ even[1])
    b = PADE[m]
    odd_part, even_part = _two(even, b[3::2], b[2:m:2], (b[1], b[0]))
    return _quotient(a @ odd_part, even_part)


def _order_13(a, a2, a4, a6, s):
    b, even = PADE[13], (a2, a4, a6)
    scales = [2.0 ** (-k * s) for k in (2, 4, 6)]
    scaled = lambda coefficients: [c * k for c, k in zip(coefficients, scales)]
    pair = new((2, *a.shape), a.dtype, a.device)
    _two(even, scaled(b[9::2]), scaled(b[8:13:2]), (0.0, 0.0), pair)
    if s:
        a, a6 = _two((a, a6), (2.0**-s, 0.0), (0.0, scales[2]))
    pair = pair @ a6  # from the right, as powers of one matrix commute: one product for both
    _two(even, scaled(b[3:8:2]), scaled(b[2:7:2]), (b[1], b[0]), pair, more=True)
    return _quotient(a @ pair[0], pair[1])


def _two(matrices, first, second, units=(0.0, 0.0), out=None, more=False):
    """Two linear combinations of matrices and the identity, in one launch; added to `out` (a pair) with `more`."""
    a, none = matrices[0], 4 - len(matrices)
    out = (new(a.shape, a.dtype, a.device), new(a.shape, a.dtype, a.device)) if out is None else (out[0], out[1])
    zeros = (0.0,) * none
    _kernels.combine_two(
        a.size, (a.dtype,), *out, *matrices, *(None,) * none, (*first, *zeros, *second, *zeros), units, a.shape[-1], more
    )
    return out


def _quotient(u, v):
    """(v - u)^-1 (v + u) of polynomials of one matrix, which commute: so their transposes, which the solver sees in rows, will do."""
    p, q = _two((u, v), (1.0, 1.0), (-1.0, 1.0))
    pivots, _ = solver.getrf(q.mT)
    solver.getrs(q.mT, pivots, p.mT)
    return p


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
    """As `scipy.linalg.cosm`. Waits as `expm` does."""
    return 0.5 * (_exp_i(A) + _exp_i(A, -1j)) if A.dtype.kind == "c" else _exp_i(A).real


@scipy_first("scipy.linalg", "A", library=False)
def sinm(A):
    """As `scipy.linalg.sinm`. Waits as `expm` does."""
    return -0.5j * (_exp_i(A) - _exp_i(A, -1j)) if A.dtype.kind == "c" else _exp_i(A).imag


@scipy_first("scipy.linalg", "A", library=False)
def tanm(A):
    """As `scipy.linalg.tanm`. Waits as `expm` does."""
    return gs.linalg.solve(cosm(A), sinm(A))


@scipy_first("scipy.linalg", "A", library=False)
def coshm(A):
    """As `scipy.linalg.coshm`. Waits as `expm` does."""
    return 0.5 * (expm(A) + expm(-_signed(A)))


@scipy_first("scipy.linalg", "A", library=False)
def sinhm(A):
    """As `scipy.linalg.sinhm`. Waits as `expm` does."""
    return 0.5 * (expm(A) - expm(-_signed(A)))


@scipy_first("scipy.linalg", "A", library=False)
def tanhm(A):
    """As `scipy.linalg.tanhm`. Waits as `expm` does."""
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
        return identities(a.shape, a.dtype, a.device)
    power, n, out = (gs.linalg.inv(widened(a)), -n, None) if n < 0 else (a, n, None)
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
