"""Factorials of any order, combinations and permutations. Exact results are Python integers, computed on the host."""

import math
import numbers

import numpy as np

import gpusci as gs
from gpusci.core import ndarray, public
from gpusci.special import _kernels
from gpusci.special._kernels import gamma, gammaln, rgamma

__all__ = ["comb", "factorial", "factorial2", "factorialk", "multigammaln", "perm"]

_COMPLEX = (
    "In order to use non-integer arguments, pass `extend='complex'`; it changes the results for negative ones and for those "
    "that are no multiple of k"
)
_EXACT_LIMIT = np.iinfo(np.int64).max


# ---- factorials
def factorial(n, exact=False, extend="zero"):
    """As `scipy.special.factorial`; n! is exact where it is a float64."""
    return _factorial("factorial", n, 1, exact, extend)


def factorial2(n, exact=False, extend="zero"):
    """As `scipy.special.factorial2`; rounded once, where SciPy loses some ulp."""
    return _factorial("factorial2", n, 2, exact, extend)


def factorialk(n, k, exact=False, extend="zero"):
    """As `scipy.special.factorialk`; rounded once, where SciPy loses some ulp."""
    _check_type("factorialk", "k", type(k) if np.ndim(k) == 0 else list, "floats" if extend == "complex" else "integers")
    if extend == "zero" and k < 1:
        raise ValueError(f"For `extend='zero'`, k must be a positive integer (got {k})")
    if k == 0:
        raise ValueError("Parameter k cannot be zero!")
    return _factorial("factorialk", n, k, exact, extend)


def _check_type(name, argument, kind, allowed):
    """ValueError unless a scalar's type, or an array's dtype, is a number of the allowed sort: integers, reals or floats."""
    dtype = kind if isinstance(kind, np.dtype) else None
    character = dtype.kind if dtype is not None else _kind(kind)
    if character not in "iufc":
        raise ValueError(f"Unsupported data type for `{argument}` in {name}: {kind}; give integers or floating point numbers, "
                         "or complex ones with `extend='complex'`")  # fmt: skip
    if (character == "f" and allowed == "integers") or (character == "c" and allowed != "floats"):
        raise ValueError(_COMPLEX)


def _kind(kind):
    for abstract, character in ((bool, "b"), (np.bool_, "b"), (numbers.Integral, "i"), (np.integer, "i"), (numbers.Real, "f"),
                                (np.floating, "f"), (numbers.Complex, "c"), (np.complexfloating, "c")):  # fmt: skip
        if issubclass(kind, abstract):
            return character
    return "O"


def _factorial(name, n, k, exact, extend):
    if extend not in ("zero", "complex"):
        raise ValueError(f"argument `extend` must be either 'zero' or 'complex' (got {extend!r})")
    if exact and extend == "complex":
        raise ValueError("Incompatible options: `exact=True` and `extend='complex'`")
    allowed = "floats" if extend == "complex" else "reals" if name == "factorial" else "integers"
    if n is None or (isinstance(n, float) and n != n and allowed != "integers"):
        return np.float64(np.nan)
    scalar = np.ndim(n) == 0 and not isinstance(n, (np.ndarray, ndarray))
    if not scalar and not hasattr(n, "dtype"):
        n = np.asarray(n)
    _check_type(name, "n", type(n) if scalar else np.dtype(n.dtype), allowed)
    if exact:
        return _exact(n, k, scalar)
    if not scalar and n.size == 0:
        return n
    y = _extended(n, k, scalar) if extend == "complex" else _rounded(name, n, k, scalar)
    return y if scalar or isinstance(n, ndarray) else np.asarray(y)


def _rounded(name, n, k, scalar):
    if name != "factorial":
        return _kernels.multifactorial(n, np.float64(k), dtype=np.float64)
    single = scalar and getattr(n, "dtype", None) == np.float32
    return _kernels.factorial(n) if single else _kernels.factorial(n, dtype=np.float64)


def _extended(n, k, scalar):
    """k^((n - 1) / k) gamma(n / k + 1) / gamma(1 / k + 1)."""
    if scalar:
        if k != 1 and (n == 0 or n == 1):
            return np.float64(1.0)
        if k != 1 or _kind(type(n)) == "i":
            n = np.complex128(n) if _kind(type(n)) == "c" else np.float64(n)
    elif n.dtype.kind in "iu":
        n = n * 1.0
    if k == 1:
        return _gamma_or_nan(n + 1)
    base = complex(k) if _kind(type(k)) == "c" or k < 0 else float(k)
    if isinstance(k, np.generic) and k.dtype.char in "dD" and not scalar:
        n = n * k.dtype.type(1)                             # a NumPy scalar takes part in the promotion
    return (base ** ((n - 1) / base)) * _gamma_or_nan(n / base + 1) * _plain(rgamma(1 / base + 1))


def _plain(x):
    """A NumPy scalar as a Python number, which does not take part in the promotion."""
    return complex(x) if np.iscomplexobj(x) else float(x)


def _gamma_or_nan(x):
    """gamma(x), NaN at 0 too: a pole of the extended factorial has no sign."""
    y = gamma(x)
    if isinstance(y, ndarray):
        return gs.where(x == 0, np.nan, y)
    return np.where(x == 0, np.nan, y)[()]


def _exact(n, k, scalar):
    if scalar:
        if _kind(type(n)) == "f":
            if n != n:
                return np.float64(np.nan)
            raise ValueError(f"`exact=True` only supports integers (got {type(n)})")
        return _product(int(n), int(k))
    if n.dtype.kind not in "iu":
        raise ValueError(f"`exact=True` only supports integers (got an array of {n.dtype})")
    values = n.numpy() if isinstance(n, ndarray) else np.asarray(n)
    if values.size == 0:
        return n
    table = {value: _product(value, int(k)) for value in set(values.ravel().tolist())}
    big = max(table.values()) > _EXACT_LIMIT
    out = np.empty(values.shape, object if big else np.int64)
    out.flat = [table[value] for value in values.ravel().tolist()]
    return gs.asarray(out, device=n.device) if isinstance(n, ndarray) and not big else out


def _product(n, k):
    """n (n - k) (n - 2 k) ... as a Python integer; 0 for n < 0."""
    if n < 0:
        return 0
    return math.factorial(n) if k == 1 else math.prod(range(n, 0, -k))


# ---- combinations
def comb(N, k, *, exact=False, repetition=False):
    """As `scipy.special.comb`. Raises ValueError for numbers that are no integers with exact=True."""
    if exact:
        if int(N) != N or int(k) != k:
            raise ValueError("with exact=True N and k must be integers")
        N, k = int(N), int(k)
        if repetition:
            return math.comb(N + k - 1, k) if N > 0 and k >= 0 else int(N == 0 and k == 0)
        return math.comb(N, k) if N >= 0 and k >= 0 else 0
    return _kernels.multisets(N, k) if repetition else _kernels.combinations(N, k)


def perm(N, k, exact=False):
    """As `scipy.special.perm`. Raises ValueError for arrays or fractions with exact=True."""
    if not exact:
        return _kernels.permutations(N, k)
    if np.ndim(N) or np.ndim(k):
        raise ValueError("with exact=True N and k must be scalars")
    if int(N) != N or int(k) != k:
        raise ValueError("with exact=True N and k must be integers")
    N, k = int(N), int(k)
    return math.perm(N, k) if N >= 0 and k >= 0 else 0


@public("a")
def multigammaln(a, d):
    """As `scipy.special.multigammaln`. The check of `a` waits for the GPU."""
    if np.ndim(d) or math.floor(d) != d:
        raise ValueError("d, the dimension, must be a positive integer")
    if bool(gs.any(a <= 0.5 * (d - 1))):
        raise ValueError(f"a must be above (d - 1) / 2 = {0.5 * (d - 1):g}")
    a = a.astype(np.float64)
    total = gs.full_like(a, 0.25 * d * (d - 1) * math.log(math.pi))
    for j in range(int(d)):
        total = total + gammaln(a - 0.5 * j)
    return total
