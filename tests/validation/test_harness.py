"""The harness itself: a right function passes, and each kind of wrong one is caught, at its stage."""

import types

import mpmath
import numpy as np
import pytest
import scipy.ndimage
import scipy.special

from validation import (
    Case,
    args,
    array,
    choice,
    drawn,
    exact,
    inf,
    log,
    matrix,
    mp,
    nan,
    normwise,
    real,
    scipy_same,
    ulp,
    uniform,
)
from validation.run import run_case
from validation.sample import Library, Sample, SpecError, Suite


def suite(case, wrong=None, mirror=scipy.ndimage, **extra):
    """One case of SciPy held against itself, or against a module where the function is replaced by a wrong one."""
    module = types.SimpleNamespace(__name__="target", **{case.name: wrong}) if wrong else mirror
    return Suite("target", [case], Library(module), mirror, **extra)


def run(case, wrong=None, dtype=None, **extra):
    s = suite(case, wrong, **extra)
    return run_case(s, case, "0", dtype or case.dtypes[0])


def stages(row):
    return {stage for stage, _, _ in row.failures}


GAUSS = Case("gaussian_filter", args(array(), uniform(0.3, 3), mode=choice("reflect", "wrap")), normwise(f=8, d=16),
             raises=[args([1.0, 2.0], 1.0, mode="sideways")])


@pytest.mark.parametrize("dtype", "fd")
def test_scipy_passes_against_itself(dtype):
    row = run(GAUSS, dtype=dtype)
    assert row.failures == []
    assert row.samples >= 10 and 0 <= row.largest() < 2


WRONG = {
    "dtype": lambda x, s, **k: scipy.ndimage.gaussian_filter(np.asarray(x, "d"), s, **k),
    "shape": lambda x, s, **k: scipy.ndimage.gaussian_filter(x, s, **k)[..., None],
    "pattern": lambda x, s, **k: scipy.ndimage.gaussian_filter(x, s, **k) * np.float32(nan),
    "value": lambda x, s, **k: scipy.ndimage.gaussian_filter(x, s, **k) * np.float32(1.0001),
    "structure": lambda x, s, **k: (scipy.ndimage.gaussian_filter(x, s, **k),),
}


@pytest.mark.parametrize("stage", WRONG)
def test_each_kind_of_wrong_result_is_caught_at_its_stage(stage):
    def wrong(x, s, **k):
        return WRONG[stage](x, s, **k)

    assert stages(run(GAUSS, wrong)) - {"raises"} == {stage}


def test_a_missing_exception_is_caught():
    def lenient(x, s, mode="reflect"):
        return scipy.ndimage.gaussian_filter(x, s, mode="reflect" if mode == "sideways" else mode)

    row = run(GAUSS, lenient)
    assert [(stage, key) for stage, key, _ in row.failures] == [("raises", "gaussian_filter/0/f/raises/0")]


def test_a_wrong_exception_type_and_an_empty_message_are_caught():
    def wrong_type(x, s, mode):
        if mode == "sideways":
            raise KeyError("mode")
        return scipy.ndimage.gaussian_filter(x, s, mode=mode)

    def silent(x, s, **k):
        try:
            return scipy.ndimage.gaussian_filter(x, s, **k)
        except Exception as error:
            raise type(error)() from None

    assert stages(run(GAUSS, wrong_type)) == {"raises"}
    assert stages(run(GAUSS, silent)) == {"raises"}


def test_an_exception_where_scipy_has_none_is_caught():
    def narrow(x, s, **k):
        if np.ndim(x) and np.asarray(x).strides[-1] < 0:
            raise ValueError("contiguous arrays only")
        return scipy.ndimage.gaussian_filter(x, s, **k)

    case = Case("gaussian_filter", args(array(ndim=1), 1.0), normwise(f=8, d=16), n=30)
    assert stages(run(case, narrow)) == {"raises"}


def test_a_stale_raises_row_is_caught():
    case = Case("gaussian_filter", args(array(), 1.0), normwise(f=8, d=16), raises=[args([1.0, 2.0], 1.0)])
    assert stages(run(case)) == {"spec"}


def test_a_changed_input_is_caught():
    def careless(x, s, **k):
        out = scipy.ndimage.gaussian_filter(x, s, **k)
        if isinstance(x, np.ndarray) and x.flags.writeable and x.size:
            x.flat[0] += 1
        return out

    assert stages(run(GAUSS, careless)) == {"input"}


def test_strides_are_really_awkward():
    seen = []

    def spy(x, s, **k):
        seen.append(x)
        return scipy.ndimage.gaussian_filter(x, s, **k)

    case = Case("gaussian_filter", args(array(ndim=2), 1.0), normwise(f=8, d=16), n=60)
    assert run(case, spy).failures == []
    assert any(min(x.strides) < 0 for x in seen)
    assert any(x.flags.f_contiguous and not x.flags.c_contiguous for x in seen)
    assert any(not x.flags.forc for x in seen)
    assert any(not x.flags.writeable for x in seen)
    assert any(x.size == 0 for x in seen) and any(x.size == 1 for x in seen)
    assert any(not x.dtype.isnative for x in seen)


def test_a_wrong_sign_of_infinity_is_caught():
    def wrong(x):
        out = scipy.special.gammaln(x)
        return np.where(np.isposinf(out), -np.inf, out)[()].astype(np.asarray(out).dtype)

    case = Case("gammaln", args(real(0.5, 5)), ulp(f=8, d=16), edges=[(0,), (inf,), (nan,), (1,)])
    assert run(case, mirror=scipy.special).failures == []
    row = run(case, lambda x: wrong(x), mirror=scipy.special)
    assert {key.split("/")[3] for _, key, _ in row.failures} == {"edge"} and stages(row) == {"pattern"}


def test_an_error_beside_a_nan_is_measured():
    case = Case("gammaln", args(real(0.5, 5)), ulp(f=8, d=16), edges=[(np.array([nan, inf, 10.0]),)])
    row = run(case, mirror=scipy.special, dtype="d")
    assert row.failures == [] and np.isfinite(row.errors).all()
    row = run(case, lambda x: scipy.special.gammaln(x) * (1 + 1e-12 * (np.size(x) == 3)), mirror=scipy.special, dtype="d")
    assert stages(row) == {"value"}


def test_messages_name_the_side_that_says_what_is_right():
    def fails(*given, **keywords):
        raise OverflowError("too large")

    case = Case("gaussian_filter", args(array(), 1.0), normwise(f=8, d=16))
    assert "scipy.ndimage does not" in run(case, fails).failures[0][2]
    case = Case("gaussian_filter", args(array(), 1.0), normwise(f=8, d=16), ref=fails, differs="why")
    row = run(case, scipy.ndimage.gaussian_filter, differences={"why": "a test"})
    assert all("the case's reference raises OverflowError" in message for _, _, message in row.failures)
    assert row.failures


def test_mpmath_truth_judges_both_sides():
    case = Case("expi", args(log(1e-2, 10)), ulp(f=4, d=64), ref=mp(mpmath.ei), n=2)
    row = run(case, mirror=scipy.special, dtype="d")
    assert row.failures == [] and row.scipy is not None and abs(row.scipy - row.largest()) < 1e-9
    worse = run(case, lambda x: scipy.special.expi(np.float32(x)).astype("d")[()], mirror=scipy.special, dtype="d")
    assert "value" in stages(worse)


def test_float32_is_judged_against_double():
    def poor(x):
        return (np.exp(np.float64(x)) * (1 + 1e-6)).astype(np.asarray(x).dtype)[()]

    case = Case("exp2", args(real(-3, 3)), ulp(f=2, d=2))
    right = Case("exp2", args(real(-3, 3)), ulp(f=1, d=1))
    assert run(right, mirror=scipy.special).failures == []
    assert stages(run(case, lambda x: poor(x * np.float32(np.log(2))), mirror=scipy.special)) == {"value"}


def sizes(true, input):
    return np.finfo("f").eps * np.abs(input.astype("d")).sum()


@pytest.mark.parametrize("measure", [normwise, ulp])
def test_a_rounding_on_the_way_is_the_unit_where_it_is_larger(measure):
    """A sum in double beside SciPy's in float32: the values' sizes say what is an error, not what is left of them."""
    def in_double(factor):
        return lambda x: np.float32(np.sum(x, dtype="d") + factor * np.finfo("f").eps * np.abs(x).sum(dtype="d"))

    x = array(ndim=1, size=3000)
    judged = Case("sum", args(x), measure(f=2, rounding=sizes), dtypes="f", ref=scipy_same, n=60)
    strict = Case("sum", args(x), measure(f=2), dtypes="f", ref=scipy_same, n=60)
    assert stages(run(strict, in_double(0))) == {"value"}
    assert run(judged, in_double(0)).failures == [] and run(judged, in_double(1)).failures == []
    assert stages(run(judged, in_double(5))) == {"value"}


def test_a_rounding_counts_by_element_and_never_hides_one():
    kept = normwise(d=1)
    loose = normwise(d=1, rounding=lambda true, *sizes, **named: np.array(sizes) * named["eps"]).given(((1.0, 1e9), {"eps": 1e-9}))
    got, true = np.array([1.5, 1.5]), np.array([1.0, 1.0])
    np.testing.assert_allclose(loose.errors(got, true).astype("d"), [0.5e9, 0.5])
    for nothing in (nan, inf, -inf, 0):
        silent = normwise(d=1, rounding=lambda true, size: size).given(((nothing,), {}))
        np.testing.assert_array_equal(silent.errors(got, true), kept.errors(got, true))


@pytest.mark.parametrize("name", ["sum", "sum_labels", "mean", "variance", "standard_deviation", "center_of_mass"])
def test_statistics_of_float32_that_are_off_by_1e_5_fail(name):
    """The specification of ndimage allows for SciPy's sums in float32, not for more."""
    from gpusci.ndimage import _spec

    case = next(c for c in _spec.CASES if c.name == name)

    def off(by):
        def scaled(v):
            return type(v)(map(scaled, v)) if isinstance(v, (list, tuple)) else v * (1 + by)
        return lambda *given, **keywords: scaled(getattr(scipy.ndimage, name)(*given, **keywords))

    assert run(case, off(0.0), "f").failures == []
    assert stages(run(case, off(1e-5), "f")) == {"value"}
    assert stages(run(case, off(1e-13), "d")) == {"value"}


def test_integers_are_compared_exactly():
    case = Case("label", args(array()), exact(), dtypes="?")
    assert run(case).failures == []

    def off(x):
        labels, n = scipy.ndimage.label(x)
        return labels, n + 1

    assert stages(run(case, off)) == {"value"}


def test_post_makes_unique_what_is_not():
    case = Case("eigh", args(matrix(kind="symmetric")), normwise(f=300, d=300, why="n eps of the decomposition"),
                post=lambda r, a: (r[0], r[1] * r[0][None, :] @ r[1].conj().T), dtypes="dF")

    def flipped(a):
        w, v = np.linalg.eigh(a)
        return w, -v

    flipped.__module__ = "target"
    import scipy.linalg
    row = run_case(Suite("target", [case], Library(types.SimpleNamespace(__name__="t", eigh=flipped)), scipy.linalg), case,
                   "0", "d")
    assert {s for s, k, _ in row.failures if "empty" not in k} == set()


def test_differs_takes_everything_from_its_own_reference():
    case = Case("gaussian_filter", args(array(ndim=1), 1.0), exact(), ref=lambda x, s: np.zeros(3, "i"), differs="zeros")
    row = run_case(suite(case, lambda x, s: np.zeros(3, "i"), differences={"zeros": "a made-up difference"}), case, "0", "f")
    assert row.failures == []
    with pytest.raises(SpecError, match="no key of DIFFERENCES"):
        suite(case)


def test_samples_repeat_and_are_independent():
    s = suite(GAUSS)
    first, again = (Sample(s, GAUSS, "0", "f", "plain", 0).arguments() for _ in range(2))
    np.testing.assert_array_equal(first[0][0], again[0][0])
    other = Sample(s, GAUSS, "0", "f", "plain", 2).arguments()
    reseeded = Sample(s, GAUSS, "0", "f", "plain", 0, seed=1).arguments()
    for x in (other[0][0], reseeded[0][0]):
        assert x.shape != first[0][0].shape or not np.array_equal(x, first[0][0])


def test_array_kinds_are_checked():
    class Device(np.ndarray):
        pass

    def forgets(x, s, **k):
        return scipy.ndimage.gaussian_filter(np.asarray(x), s, **k)

    def keeps(x, s, **k):
        out = forgets(x, s, **k)
        return out.view(Device) if isinstance(x, Device) else out

    for f, expected in ((keeps, set()), (forgets, {"kind"})):
        module = types.SimpleNamespace(__name__="target", gaussian_filter=f)
        library = Library(module, Device, lambda a: a.view(Device), lambda a: a.view(np.ndarray))
        case = Case("gaussian_filter", args(array(), 1.0), normwise(f=8, d=16))
        assert stages(run_case(Suite("target", [case], library, scipy.ndimage), case, "0", "f")) == expected


def test_custom_draws_see_what_came_before():
    case = Case("gaussian_filter", args(array(ndim=2), drawn(lambda rng, got: [0.5] * got[0].ndim), axes=(0, 1)),
                normwise(f=8, d=16))
    assert run(case).failures == []


@pytest.mark.parametrize("make, words", [
    (lambda: ulp(f=1000), "needs why="),
    (lambda: normwise(), "give a ceiling"),
    (lambda: ulp(q=3), "result dtypes e, f, d"),
    (lambda: Case("f", args(1), exact(), skip={"sideways": "?"}), "skip maps a variant"),
    (lambda: Case("f", args(1), exact(), differs="x"), "needs ref="),
])
def test_bad_specs_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_two_cases_with_one_id_are_refused():
    with pytest.raises(SpecError, match="have the id"):
        Suite("target", [Case("f", args(1), id="a"), Case("f", args(2), id="a")], Library(scipy.ndimage), scipy.ndimage)
