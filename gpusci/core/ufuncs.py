"""NumPy's ufuncs as rows. Names, loops and identities are NumPy's; C++ functors of the same name: functors.h, complex_math.h."""

import numpy as np

from gpusci.core.ufunc import Ufunc

BOOL, INTEGERS, REALS, COMPLEX = "?", "bBhHiIqQ", "efd", "FD"
NUMBERS, ALL = INTEGERS + REALS + COMPLEX, BOOL + INTEGERS + REALS + COMPLEX


def _row(name, dtypes, nin=1, out=None, *, nout=1, types=None, functor=None, cost="light", errors=(), complex_header=None):
    """A row whose loops take `nin` arguments of one of `dtypes` and give `nout` of the same (or of `out`)."""
    types = types or " ".join(f"{c * nin}->{out or c * nout}" for c in dtypes)
    numpy = getattr(np, name)
    return Ufunc(
        name, types, header="gpusci/functors.h", functor=f"op::{functor or name}", complex_header=complex_header,
        identity=numpy.identity, cost=cost, errors=errors, numpy=numpy,
        doc=f"As `numpy.{name}`, on arrays of any device; returns `gpusci.ndarray`.",
    )  # fmt: skip


def _math(name, dtypes=REALS + COMPLEX, **options):
    """A row of one argument, or as told, whose complex functor is in complex_math.h."""
    return _row(name, dtypes, complex_header="gpusci/complex_math.h", **options)


# ---- arithmetic
add = _row("add", ALL, 2)
subtract = _row("subtract", NUMBERS, 2)
multiply = _row("multiply", ALL, 2)
divide = _row("divide", REALS + COMPLEX, 2)
floor_divide = _row("floor_divide", INTEGERS + REALS, 2, cost="medium")
remainder = _row("remainder", INTEGERS + REALS, 2, cost="medium")
fmod = _row("fmod", INTEGERS + REALS, 2, cost="medium")
divmod = _row("divmod", INTEGERS + REALS, 2, nout=2, cost="medium")
# On a GPU the error comes at the next synchronising point: only the kernel sees the exponents.
_NEGATIVE_POWER = (ValueError, "Integers to negative integer powers are not allowed.")
power = _math("power", NUMBERS, nin=2, cost="medium", errors=(_NEGATIVE_POWER,))
float_power = _math("float_power", "dD", nin=2, functor="power", cost="medium", errors=(_NEGATIVE_POWER,))
negative = _row("negative", NUMBERS)
positive = _row("positive", NUMBERS)
absolute = _row("absolute", None, types=" ".join(f"{c}->{c}" for c in BOOL + INTEGERS + REALS) + " F->f D->d")
fabs = _row("fabs", REALS)
sign = _row("sign", NUMBERS)
conjugate = _row("conjugate", NUMBERS)
reciprocal = _row("reciprocal", NUMBERS)
square = _row("square", NUMBERS)
hypot = _row("hypot", REALS, 2, cost="medium")
gcd = _row("gcd", INTEGERS, 2, cost="heavy")
lcm = _row("lcm", INTEGERS, 2, cost="heavy")

# ---- exponentials and logarithms
sqrt = _math("sqrt")
cbrt = _row("cbrt", REALS, cost="medium")
exp = _math("exp")
exp2 = _math("exp2")
expm1 = _math("expm1", cost="medium")
log = _math("log")
log2 = _math("log2")
log10 = _math("log10")
log1p = _math("log1p", cost="medium")
logaddexp = _row("logaddexp", REALS, 2, cost="medium")
logaddexp2 = _row("logaddexp2", REALS, 2, cost="medium")

# ---- trigonometry
sin = _math("sin", cost="medium")
cos = _math("cos", cost="medium")
tan = _math("tan", cost="medium")
arcsin = _math("arcsin", cost="medium")
arccos = _math("arccos", cost="medium")
arctan = _math("arctan", cost="medium")
arctan2 = _row("arctan2", REALS, 2, cost="medium")
sinh = _math("sinh", cost="medium")
cosh = _math("cosh", cost="medium")
tanh = _math("tanh", cost="medium")
arcsinh = _math("arcsinh", cost="medium")
arccosh = _math("arccosh", cost="medium")
arctanh = _math("arctanh", cost="medium")
deg2rad = _row("deg2rad", REALS)
radians = _row("radians", REALS, functor="deg2rad")
rad2deg = _row("rad2deg", REALS)
degrees = _row("degrees", REALS, functor="rad2deg")

# ---- order
_MIXED = " qQ->? Qq->?"                 # int64 beside uint64 compares the numbers
_COMPARED = " ".join(f"{c}{c}->?" for c in BOOL + INTEGERS) + _MIXED + " ee->? ff->? dd->? FF->? DD->?"
equal = _row("equal", None, 2, types=_COMPARED)
not_equal = _row("not_equal", None, 2, types=_COMPARED)
less = _row("less", None, 2, types=_COMPARED)
less_equal = _row("less_equal", None, 2, types=_COMPARED)
greater = _row("greater", None, 2, types=_COMPARED)
greater_equal = _row("greater_equal", None, 2, types=_COMPARED)
maximum = _row("maximum", ALL, 2)
minimum = _row("minimum", ALL, 2)
fmax = _row("fmax", ALL, 2)
fmin = _row("fmin", ALL, 2)
heaviside = _row("heaviside", REALS, 2)

# ---- logic and bits
logical_and = _row("logical_and", ALL, 2, "?")
logical_or = _row("logical_or", ALL, 2, "?")
logical_xor = _row("logical_xor", ALL, 2, "?")
logical_not = _row("logical_not", ALL, 1, "?")
bitwise_and = _row("bitwise_and", BOOL + INTEGERS, 2)
bitwise_or = _row("bitwise_or", BOOL + INTEGERS, 2)
bitwise_xor = _row("bitwise_xor", BOOL + INTEGERS, 2)
invert = _row("invert", BOOL + INTEGERS)
left_shift = _row("left_shift", INTEGERS, 2)
right_shift = _row("right_shift", INTEGERS, 2)
bitwise_count = _row("bitwise_count", INTEGERS, 1, "B")

# ---- floating point, piece by piece
isfinite = _row("isfinite", ALL, 1, "?")
isinf = _row("isinf", ALL, 1, "?")
isnan = _row("isnan", ALL, 1, "?")
signbit = _row("signbit", REALS, 1, "?")
copysign = _row("copysign", REALS, 2)
nextafter = _row("nextafter", REALS, 2)
spacing = _row("spacing", REALS)
ldexp = _row("ldexp", None, 2, types="ei->e fi->f eq->e fq->f di->d dq->d")
frexp = _row("frexp", None, types="e->ei f->fi d->di")
modf = _row("modf", REALS, nout=2)
rint = _math("rint")
floor = _row("floor", BOOL + INTEGERS + REALS)
ceil = _row("ceil", BOOL + INTEGERS + REALS)
trunc = _row("trunc", BOOL + INTEGERS + REALS)


def isnat(x, /, *args, **kwargs):
    """As `numpy.isnat`: no array here holds dates, so it always raises NumPy's TypeError."""
    raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")


# ---- second names
abs, acos, acosh, asin, asinh, atan, atan2, atanh = absolute, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh
bitwise_invert = bitwise_not = invert
bitwise_left_shift, bitwise_right_shift = left_shift, right_shift
conj, mod, pow, true_divide = conjugate, remainder, power, divide

__all__ = [
    "abs", "absolute", "acos", "acosh", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift",
    "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "conj", "conjugate", "copysign", "cos",
    "cosh", "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1", "fabs", "float_power", "floor",
    "floor_divide", "fmax", "fmin", "fmod", "frexp", "gcd", "greater", "greater_equal", "heaviside", "hypot", "invert",
    "isfinite", "isinf", "isnan", "isnat", "lcm", "ldexp", "left_shift", "less", "less_equal", "log", "log10", "log1p",
    "log2", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod",
    "modf", "multiply", "negative", "nextafter", "not_equal", "positive", "pow", "power", "rad2deg", "radians", "reciprocal",
    "remainder", "right_shift", "rint", "sign", "signbit", "sin", "sinh", "spacing", "sqrt", "square", "subtract", "tan",
    "tanh", "true_divide", "trunc",
]  # fmt: skip
