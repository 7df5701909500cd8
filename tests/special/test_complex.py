"""Complex loops against Arb, relative to the modulus; branches, poles and Lambert's W."""

import numpy as np
import pytest
import scipy.special as reference

from gpusci import special

flint = pytest.importorskip("flint", reason="the references: a wheel that GPU machines may lack")

FUNCTIONS = {"gamma": flint.acb.gamma, "rgamma": flint.acb.rgamma, "loggamma": flint.acb.lgamma, "digamma": flint.acb.digamma,
             "psi": flint.acb.digamma}  # fmt: skip


def exact(function, z):
    with flint.ctx.workprec(300):
        return np.array([complex(function(flint.acb(complex(v).real, complex(v).imag))) for v in z])


def points(char):
    rng = np.random.default_rng(4)
    square = rng.uniform(-8, 8, 300) + 1j * rng.uniform(-8, 8, 300)
    strip = rng.uniform(-8, 8, 100) + 1j * rng.normal(size=100) * 1e-3
    far = rng.uniform(20, 60, 60) * np.exp(1j * rng.uniform(-3, 3, 60))
    return np.concatenate([square, strip, far] if char == "D" else [square, strip]).astype(char)


@pytest.mark.parametrize("char", ["D", "F"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_against_arb(name, char):
    z = points(char)
    want = exact(FUNCTIONS[name], z)
    size = np.maximum(np.abs(want), 1 if name in ("loggamma", "digamma", "psi") else 0)
    ours, theirs = (np.abs(getattr(module, name)(z) - want) / size / np.finfo(char).eps for module in (special, reference))
    ours, theirs = ours[np.abs(want) < np.finfo(char).max], theirs[np.abs(want) < np.finfo(char).max]
    assert np.nanmax(ours) < 300
    if char == "D":
        assert np.nanmax(ours) < 1.5 * np.nanmax(theirs) + 4


@pytest.mark.parametrize("name", FUNCTIONS)
def test_poles_branches_and_nan(name):
    nan = np.nan
    z = np.array([0, -1, -2, -1.5, complex(-1.5, -0.0), complex(nan, 1), complex(1, nan), 1, 2])
    got, want = getattr(special, name)(z), getattr(reference, name)(z)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    np.testing.assert_allclose(got[3:5], want[3:5], rtol=1e-14)
    np.testing.assert_allclose(got[7:], want[7:], rtol=1e-14, atol=1e-15)


BRANCHES = [("real", 0, lambda rng: rng.uniform(-0.367, 20, 200)), ("real, lower", -1, lambda rng: rng.uniform(-0.367, -1e-9, 200)),
            ("near -1/e", 0, lambda rng: -1 / np.e + 10 ** rng.uniform(-14, -1, 200)),
            ("near -1/e, lower", -1, lambda rng: -1 / np.e + 10 ** rng.uniform(-14, -2, 200)),
            ("huge", 0, lambda rng: 10 ** rng.uniform(1, 300, 100)), ("tiny", 0, lambda rng: 10 ** rng.uniform(-300, -1, 100))]  # fmt: skip
BRANCHES += [(f"plane {k}", k, lambda rng: rng.normal(size=300) * 2 + 2j * rng.normal(size=300)) for k in (-7, -2, -1, 0, 1, 2, 5)]
BRANCHES += [(f"cut {k}", k, lambda rng: rng.uniform(-6, -0.37, 100)) for k in (-1, 0, 1)]


@pytest.mark.parametrize("label, k, draw", BRANCHES, ids=[label for label, _, _ in BRANCHES])
def test_lambertw(label, k, draw):
    z = draw(np.random.default_rng(5))
    got = special.lambertw(z, k)
    with flint.ctx.workprec(200):
        want = np.array([complex(flint.acb(complex(v).real, complex(v).imag).lambertw(k)) for v in z])
    assert got.dtype == np.complex128
    assert (np.abs(got - want) / np.abs(want)).max() < 6 * 2.0**-52


def test_lambertw_special_values():
    inf = np.inf
    assert special.lambertw(0) == 0 and special.lambertw(0, -1) == -inf and special.lambertw(inf) == inf
    assert special.lambertw(inf, 2) == complex(inf, 4 * np.pi) and special.lambertw(-inf) == complex(inf, np.pi)
    assert np.isnan(special.lambertw(np.nan)) and special.lambertw(-1 / np.e) == special.lambertw(-1 / np.e, -1) == -1
