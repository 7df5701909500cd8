"""Bessel functions against Arb (python-flint) at high precision, with SciPy's own error beside ours."""

import numpy as np
import pytest
import scipy.special as reference

import gpusci as gs
from gpusci import special

flint = pytest.importorskip("flint", reason="the references: a wheel that GPU machines may lack")

EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
KINDS = {"j": flint.arb.bessel_j, "y": flint.arb.bessel_y, "i": flint.arb.bessel_i, "k": flint.arb.bessel_k}


def ball(kind, order, x, scaled=False):
    """The value to more than 80 bits, with exp(-|x|) (I) or exp(x) (K) when scaled."""
    for precision in (128, 512, 2048, 8192, 32768):
        with flint.ctx.workprec(precision):
            value = KINDS[kind](flint.arb(x), flint.arb(order))
            if scaled:
                value *= (-abs(flint.arb(x)) if kind == "i" else flint.arb(x)).exp()
            if value.rel_accuracy_bits() > 80:
                return value
    raise AssertionError(f"{kind}({order}, {x}) is too hard for Arb")


def errors(got, exact, sizes, eps):
    """|got - exact| / size / eps where the exact value is a normal number."""
    out = []
    for y, value, size in zip(got, exact, sizes):
        if 1e-300 < abs(float(value)) < 1e300 and (eps < 1e-10 or 1e-37 < abs(float(value)) < 1e38):
            out.append(float(abs(flint.arb(float(y)) - value) / size) / eps)
    return np.array(out)


def measure(name, kind, v, x, scaled=False):
    """Largest error of ours and SciPy's; for J and Y above the turning point relative to the modulus."""
    x = np.asarray(x)
    call = (lambda f: f(x)) if np.ndim(v) == 0 else (lambda f: f(v, x))
    orders = np.broadcast_to(v, x.shape)
    pairs = [(float(n), float(t)) for n, t in zip(orders, x)]
    exact = [ball(kind, n, t, scaled) for n, t in pairs]
    sizes = [abs(e) for e in exact]
    if kind in "jy":
        other = [abs(ball("y" if kind == "j" else "j", n, t)) for n, t in pairs]
        sizes = [s + o if t > abs(n) else s for s, o, (n, t) in zip(sizes, other, pairs)]
    eps = EPS[x.dtype.type]
    ours, theirs = call(getattr(special, name)), call(getattr(reference, name))
    assert ours.dtype == theirs.dtype
    return errors(ours, exact, sizes, eps).max(), errors(theirs, exact, sizes, eps).max()


def regions(kind):
    """name -> (orders, arguments, ceiling in eps); above the turning point the phase costs eps x."""
    rng = np.random.default_rng(1)
    n = 60
    v = rng.uniform(-5, 5, n)
    yield "low order", v, rng.uniform(0.01, 30, n), 30
    yield "middle order", rng.uniform(0, 60, n), rng.uniform(0.1, 120, n), 60
    yield "integer order", rng.integers(-20, 20, n).astype(float), rng.uniform(0.1, 60, n), 40
    v = rng.uniform(0, 60, n)
    yield "power series", v, 2 * np.sqrt(v + 1) * rng.uniform(0.01, 1, n), 30
    yield "tiny argument", rng.uniform(-30, 30, n), 10 ** rng.uniform(-8, 0.3, n), 20
    v = rng.uniform(0, 30, n)
    yield "large argument", v, np.maximum(25, v * v / 2) * (1 + rng.exponential(1, n)), 8
    v = rng.uniform(50, 150, n)
    if kind in "jy":
        yield "turning point", v, v + rng.uniform(-10, 10, n) * np.cbrt(v), 120
        v = 10 ** rng.uniform(3, 4, 20)
        yield "far turning point", v, v + rng.uniform(-10, 10, 20) * np.cbrt(v), 4000
    yield "large order", 10 ** rng.uniform(2, 3, 40), 10 ** rng.uniform(1.5, 3, 40), 1500 if kind in "jy" else 8


ORDERS = [(f"{k}v", k, False) for k in "jyik"] + [("ive", "i", True), ("kve", "k", True)]


@pytest.mark.parametrize("name, kind, scaled", ORDERS)
def test_any_order(name, kind, scaled):
    for region, v, x, ceiling in regions(kind):
        ours, theirs = measure(name, kind, v, x, scaled)
        assert ours < ceiling, (region, ours, theirs)
        assert ours < max(theirs, 12) * 1.5, (region, ours, theirs)


LOW = [(f"{k}{n}{'e' * scaled}", k, n, scaled) for k in "jyik" for n in (0, 1) for scaled in (False, True)[: 1 + (k in "ik")]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name, kind, order, scaled", LOW)
def test_order_zero_and_one(name, kind, order, scaled, dtype):
    rng = np.random.default_rng(2)
    x = np.concatenate([10 ** rng.uniform(-8, 1, 60), rng.uniform(0, 40, 100), 10 ** rng.uniform(1, 2.84, 40)])
    ours, theirs = measure(name, kind, float(order), x.astype(dtype), scaled)
    assert ours < 3.5, (ours, theirs)
    assert ours < max(theirs, 2.5)


@pytest.mark.parametrize("name, kind, order", [("j0", "j", 0), ("j1", "j", 1), ("y0", "y", 0), ("y1", "y", 1)])
def test_relative_accuracy_at_the_zeros_below_eight(name, kind, order):
    zeros = (reference.jn_zeros if kind == "j" else reference.yn_zeros)(order, 2)
    x = np.concatenate([np.linspace(z - 1e-6, z + 1e-6, 9) for z in zeros if z < 8])
    exact = [ball(kind, float(order), t) for t in x]
    assert errors(getattr(special, name)(x), exact, [abs(e) for e in exact], 2.0**-52).max() < 4


def test_zeros_infinities_and_domains():
    inf, nan = np.inf, np.nan
    v = np.array([0, 1, 0.5, -0.5, -1.5, -2.5, 0, 1, 0.5, nan, 1, inf, -1e308])
    x = np.array([0, 0, 0, 0, 0, 0, inf, -inf, -1.0, 1, nan, 1, 1])
    np.testing.assert_array_equal(special.jv(v, x), [1, 0, 0, inf, -inf, inf, 0, 0, nan, nan, nan, 0, 0])
    np.testing.assert_array_equal(special.iv(v, x), [1, 0, 0, inf, -inf, inf, inf, -inf, nan, nan, nan, 0, 0])
    np.testing.assert_array_equal(special.yv(v[:11], x[:11]), [-inf, -inf, -inf, 0, 0, 0, 0, nan, nan, nan, nan])
    np.testing.assert_array_equal(special.kv(v, x), [inf] * 6 + [0, nan, nan, nan, nan, inf, inf])
    np.testing.assert_array_equal(special.ive(v[6:8], x[6:8]), [0, 0])
    edges = np.array([0.0, -0.0, -1.0, inf, nan])
    np.testing.assert_array_equal(special.j0(edges[[0, 1, 3, 4]]), [1, 1, 0, nan])
    np.testing.assert_array_equal(np.signbit(special.j1(edges[:2])), [False, True])
    for name in ("y0", "y1"):
        np.testing.assert_array_equal(getattr(special, name)(edges), [-inf, -inf, nan, 0, nan])
    for name in ("k0", "k1", "k0e", "k1e"):
        np.testing.assert_array_equal(getattr(special, name)(edges), [inf, inf, nan, 0, nan])


def test_negative_arguments_and_orders():
    x = np.linspace(0.1, 40, 57)
    for n in (0, 1, 2, 7):
        sign = (-1) ** n
        np.testing.assert_array_equal(special.jv(n, -x), sign * special.jv(n, x))
        np.testing.assert_array_equal(special.jv(-n, x), sign * special.jv(n, x))
        np.testing.assert_array_equal(special.yv(-n, x), sign * special.yv(n, x))
        np.testing.assert_array_equal(special.iv(-n, -x), sign * special.iv(n, x))
        np.testing.assert_array_equal(special.kv(-n - 0.3, x), special.kv(n + 0.3, x))


def test_finite_up_to_the_overflow_of_the_result():
    x = np.array([712.25, 713.5, -713.5])
    exact = [ball("i", 1.0, t) for t in x]
    assert errors(special.i1(x) / 2e10, [e / 2e10 for e in exact], [abs(e) / 2e10 for e in exact], 2.0**-52).max() < 3
    assert np.isinf(special.i0(714.1)) and special.k0(720.0) > 0


def test_integer_orders():
    n = np.array([[0], [3], [-2]])
    x = np.array([0.5, 3.0, 20.0])
    np.testing.assert_allclose(special.yn(n, x), reference.yn(n, x), rtol=1e-13)
    np.testing.assert_allclose(special.kn(n, x), reference.kn(n, x), rtol=1e-13)
    assert special.jn is special.jv
    assert special.kn(2.7, 1.0) == special.kn(2, 1.0) == special.kv(2.0, 1.0)


@pytest.mark.parametrize("kind", "jyik")
def test_spherical(kind):
    ours, theirs = getattr(special, f"spherical_{kind}n"), getattr(reference, f"spherical_{kind}n")
    n = np.arange(12)[:, None]
    z = np.concatenate([[-20.5, -3.0, -0.2], np.geomspace(1e-3, 60, 20)])
    for derivative in (False, True):
        size = 1 / np.abs(z) if kind in "jy" else 0             # the oscillating ones have zeros
        want = theirs(n, z, derivative)
        error = np.abs(ours(n, z, derivative) - want)
        assert np.all(error <= 3e-12 * np.maximum(np.abs(want), size))
        x = ours(n, gs.asarray(z), derivative=derivative)
        assert isinstance(x, gs.ndarray) and x.dtype == np.float64 and x.shape == (12, z.size)
    for z in (0.0, np.inf, np.nan):
        np.testing.assert_array_equal(ours([-1, 0, 1, 5], z), theirs([-1, 0, 1, 5], z))
    exact = float(ball(kind, 2.5, 0.7) * (flint.arb.pi() / (2 * flint.arb(0.7))).sqrt())
    assert abs(ours(2, 0.7) - exact) <= 8e-16 * abs(exact)
    with pytest.raises(TypeError, match="real z"):
        ours(1, 1j)


def test_spherical_of_tiny_arguments():
    assert special.spherical_in(1, 1e-200) == pytest.approx(1e-200 / 3, rel=1e-15)
    assert special.spherical_jn(1, 1e-200, derivative=True) == pytest.approx(1 / 3, rel=1e-14)


def test_layouts_types_and_errors():
    x = np.linspace(0.1, 30, 24).reshape(4, 6)
    for a in (x[::-1, ::2], np.asfortranarray(x), x.astype(">f8"), x.astype(np.float16), x.astype(np.int8), x[:0], x[0, 0]):
        got, want = special.jv(1.5, a), reference.jv(1.5, a)
        assert np.shape(got) == np.shape(want) and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-12 if want.dtype == np.float64 else 1e-6)
    out = x.copy()
    special.j0(out, out=out)
    np.testing.assert_allclose(out, reference.j0(x), rtol=1e-12)
    with pytest.raises(TypeError):
        special.j0(1j)
    with pytest.raises(ValueError):
        special.jv(np.ones(3), np.ones(4))
