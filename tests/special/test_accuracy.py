"""Every function's largest error against Arb stays below its ceiling, and in float64 below SciPy's own."""

import pytest

pytest.importorskip("flint", reason="the references: a wheel that GPU machines may lack")
from special_accuracy import EXACT, INVERSE, REGIONS, measure

SAMPLES = 60


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("region", REGIONS, ids=[region.key for region in REGIONS])
def test_error(region, char):
    ours, theirs, worst = measure(region, char, SAMPLES if region.name in EXACT else 20)
    ceiling = region.d if char == "d" else region.f
    assert ours <= ceiling, f"{region.name}{worst}: {ours:.3g} ulp"
    if char == "d" and not region.worse:
        assert ours <= max(theirs, 3), f"{region.name}{worst}: {ours:.3g} ulp, SciPy's largest is {theirs:.3g}"


def test_every_inverse_has_its_function():
    assert set(INVERSE.values()) <= set(EXACT)
