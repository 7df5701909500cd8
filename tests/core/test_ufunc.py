"""Every ufunc, every loop, against NumPy; then the calling conventions: out, where, dtype, casting, order, broadcasting, NEP 50."""

import pickle

import numpy as np
import pytest
import ways

import gpusci as gs
from gpusci.core import ufuncs
from gpusci.core.ufunc import Ufunc

ROWS = {row.__name__: row for row in vars(ufuncs).values() if isinstance(row, Ufunc)}
# Largest error in units of the last place, against extended precision. CUDA's own functions reach 4 in float32.
ROUNDED = {
    "exp": 2, "exp2": 2, "expm1": 2, "log": 2, "log2": 2, "log10": 3, "log1p": 2, "logaddexp": 3, "logaddexp2": 3, "cbrt": 2,
    "sin": 2, "cos": 2, "tan": 4, "arcsin": 4, "arccos": 3, "arctan": 2, "arctan2": 3, "sinh": 3, "cosh": 3, "tanh": 3,
    "arcsinh": 4, "arccosh": 4, "arctanh": 4, "hypot": 2, "power": 3, "float_power": 4, "divide": 1, "reciprocal": 1, "sqrt": 1,
    "deg2rad": 1, "radians": 1, "rad2deg": 1, "degrees": 1, "sign": 2, "multiply": 2, "square": 2, "absolute": 2,
}  # fmt: skip
# NumPy's own values are wrong or unspecified there: its expm1 multiplies infinity by a zero sine, its log1p rounds 1 + z.
COMPLEX_EXEMPT = ("expm1", "log1p", "exp2", "power", "float_power", "square", "multiply", "divide")


@pytest.fixture(params=ways.WAYS)
def way(request):
    with ways.use(request.param):
        yield request.param


@pytest.fixture(params=ways.KERNELS)
def kernels(request):
    with ways.use(request.param):
        yield request.param


def values(char, name=""):
    """Ordinary, extreme and special values of a dtype."""
    rng = np.random.default_rng(7)
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return np.array([False, True, True, False])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edge = [0, 1, 2, 3, 7, 63, info.max, info.max - 1, info.max // 2, info.min, info.min + 1, 9, 31]
        if dtype.kind == "i":
            edge += [-1, -2, -3, -7]
        return np.array(edge + list(rng.integers(info.min, info.max, 12, dtype, endpoint=True)), dtype)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        edge = [0.0, 1, 0.5, 2, 3, 1.5, 2.5, 10, 100, info.max, info.tiny, info.smallest_subnormal, info.eps, 1 + float(info.eps), np.inf]
        edge = np.array(edge, dtype)
        return np.concatenate([edge, -edge, [np.nan], rng.normal(size=12), 30 * rng.normal(size=12)]).astype(dtype)
    part = np.array([0.0, -0.0, 1, -1, 0.5, -2.5, 30, np.inf, -np.inf, np.nan, 0.3, -0.7], np.finfo(dtype).dtype)
    z = np.empty((part.size, part.size), dtype)
    z.real, z.imag = part[:, None], part[None]
    return z.ravel()


def arguments(name, loop, nin):
    """All pairs of values, for the functions of two."""
    inputs = loop.split("->")[0]
    first = values(inputs[0])
    if nin == 1:
        return (first,)
    second = values(inputs[1])
    if name == "ldexp":
        second = np.array([0, 1, -1, 5, -30, 200, -2000, np.iinfo(second.dtype).max, np.iinfo(second.dtype).min], second.dtype)
    if inputs[0] in "FD":
        first, second = first[::5], second[::7]
    if name in ("power", "float_power") and inputs[1] in "bhiq":
        second = second[second >= 0]
    x, y = np.meshgrid(first, second)
    return x.ravel(), y.ravel()


def check_rounded(name, got, want, exact, ulp):
    """got within ulp of `exact` (extended precision), with the NaNs, infinities and overflow of want."""
    if got.dtype.kind == "c":
        for part in ("real", "imag"):
            g, w = getattr(got, part), getattr(want, part)
            special = ~np.isfinite(want)
            if name.split()[0] not in COMPLEX_EXEMPT:
                np.testing.assert_array_equal(g[special], w[special], err_msg=name)
        keep = np.isfinite(want) & np.isfinite(exact) & np.isfinite(got)
        assert keep.sum() > 20
        scale = np.maximum(np.abs(exact[keep]), np.finfo(got.dtype).tiny)
        error, numpys = (np.abs(y[keep] - exact[keep]) / scale / np.finfo(got.dtype).eps for y in (got, want))
        # Powers lose what the logarithm is multiplied by, in NumPy as here.
        ceiling = max(3 * ulp, numpys.max()) if "power" in name else 3 * ulp
        assert error.max() <= ceiling, (name, float(error.max()), exact[keep][error.argmax()])
        return
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want), err_msg=name)
    np.testing.assert_array_equal(got[np.isinf(want)], want[np.isinf(want)], err_msg=name)
    keep = np.isfinite(want)
    # logaddexp cancels where the sum is near 1.
    spacing = np.spacing(np.maximum(np.abs(want[keep]), np.abs(want.dtype.type("logaddexp" in name))))
    error = np.abs(got[keep].astype(exact.dtype) - exact[keep]) / spacing
    assert not keep.any() or error.max() <= ulp, (name, float(error.max()), exact[keep][error.argmax()])
    zero = keep & (want == 0)
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]), err_msg=name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_loop_equals_numpy(name, kernels):
    row, numpy = ROWS[name], getattr(np, name)
    for loop in row.types:
        args = arguments(name, loop, row.nin)
        want = numpy(*args, sig=tuple(np.dtype(np.dtype(c).str) for c in loop.replace("->", "")))
        got = row(*map(gs.asarray, args))
        want, got = (r if isinstance(r, tuple) else (r,) for r in (want, got))
        assert [g.dtype for g in got] == [np.dtype(c) for c in loop.split("->")[1]], loop
        for g, w in zip(map(gs.asnumpy, got), want, strict=True):
            if w.dtype.kind in "fc" and name in ROUNDED:
                wide = [a.astype("G" if a.dtype.kind == "c" else "g") for a in args]
                with np.errstate(all="ignore"):
                    check_rounded(f"{name} {loop}", g, w, numpy(*wide), ROUNDED[name])
            else:
                np.testing.assert_array_equal(g, w, err_msg=f"{name} {loop}")
                if w.dtype.kind == "f" and name not in ("maximum", "minimum", "fmax", "fmin"):
                    ordinary = ~np.isnan(w)
                    np.testing.assert_array_equal(np.signbit(g)[ordinary], np.signbit(w)[ordinary], err_msg=f"{name} {loop}")
