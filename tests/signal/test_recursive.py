"""lfilter, sosfilt, their states and the zero-phase forms: layouts, accuracy of long lines, unstable and odd filters."""

import numpy as np
import pytest
import scipy.signal as ss
from signal_helpers import data, same

import gpusci as gs
from gpusci import signal
from gpusci.signal import _iir, _recurrence

B, A = ss.butter(4, 0.2)
SOS = ss.butter(7, [0.1, 0.3], "band", output="sos")            # seven sections: one group; twice that: two


@pytest.mark.parametrize("dtype", "fdFDi")
def test_axes_and_types(dtype):
    x = data((4, 30, 3), dtype)
    for axis in (0, 1, -1):
        same("lfilter", B, A, x, axis)
        same("sosfilt", SOS, x, axis, eps=200)
        same("lfilter", [1.0, 2, 3], 2.0, x, axis)
    same("lfilter", B.astype("f"), A.astype("f"), x, eps=400)


def test_states():
    x = data((5, 40))
    zi = data((5, 4))
    same("lfilter", B, A, x, -1, zi)
    same("lfilter", B, A, x.T, 0, zi.T)
    same("lfilter", B, A, x, -1, zi[:1])                         # broadcast
    same("lfilter", [1.0, 2.0, 3.0], [2.0], x, -1, zi[:, :2])
    same("lfilter", [1.0], [2.0, 1.0], x + 1j, -1, zi[:, :1] * 1j)
    same("lfilter", B * 1j, A, x, -1, zi)
    zi = data((7, 5, 2))
    same("sosfilt", SOS, x, -1, zi, eps=400)
    same("sosfilt", np.vstack([SOS, SOS]), x.T, 0, np.moveaxis(np.concatenate([zi, zi]), -1, 1), eps=400)
    same("sosfilt", SOS * [1j, 1, 1, 1, 1, 1], x, -1, zi, eps=400)


def test_state_of_a_split_signal_continues_it():
    x = data(90000)
    whole = signal.lfilter(B, A, x)
    zi, parts = np.zeros(4), []
    for piece in np.split(x, [10, 40000, 40000]):
        y, zi = signal.lfilter(B, A, piece, zi=zi)
        parts.append(y)
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 6, 11, 16, 20])
def test_orders(order):
    b, a = ss.cheby1(order, 1, 0.4)
    # High orders lose digits in any order of operations; a GPU contracts a * b + c, which loses other ones than SciPy.
    x, eps = data((3, 200)), 3000
    if gs.current_device().kind == "cuda":
        want = ss.lfilter(b, a, x)
        lost = np.abs(want - ss.lfilter(*(np.asarray(v, np.longdouble) for v in (b, a, x)))).max() / np.abs(want).max()
        eps = max(eps, 4 * float(lost) / np.finfo(float).eps)
    same("lfilter", b, a, x, eps=eps)
    same("lfilter", b, a, data(200, "D"), eps=eps)


def test_long_lines_are_as_accurate_as_the_loop():
    x = np.sign(np.sin(np.arange(60000) * 0.0021)) + 0.3
    narrow = ss.butter(4, [0.004, 0.006], btype="band", output="sos")
    np.testing.assert_allclose(signal.sosfilt(narrow, x), ss.sosfilt(narrow, x), rtol=0, atol=1e-8)
    b, a = ss.butter(8, 0.05)
    exact = ss.lfilter(b.astype(np.longdouble), a.astype(np.longdouble), x.astype(np.longdouble))
    ours, loop = (np.abs(m.lfilter(b, a, x) - exact).max() for m in (signal, ss))
    assert ours <= 1.5 * loop


def test_unstable_filters_fall_back_to_the_loop():
    x = data(60000)
    b, a = [1.0], [1.0, -1.5]
    assert _recurrence.Filter.section(np.array(b), np.array(a)).powers(30000, 1) is None
    with np.errstate(all="ignore"):
        got, want = signal.lfilter(b, a, x), ss.lfilter(b, a, x)
    if gs.current_device().kind == "cuda":                  # in pieces; past the range of floats NaN stands for infinity
        np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want))
        got, want = got[np.isfinite(want)], want[np.isfinite(want)]
        np.testing.assert_allclose(got, want, rtol=1e-12)
    else:
        np.testing.assert_array_equal(got, want)
    same("lfilter", [1.0], [1.0, -1.0], x, eps=1e6)                # an integrator, on the circle itself


def test_nan_and_infinity():
    x = data(80000)
    x[70000] = np.nan
    y = signal.lfilter(B, A, x)
    assert np.isfinite(y[:70000]).all() and np.isnan(y[70000:]).all()
    assert np.isnan(signal.lfilter([1.0], [0.0], [0.0])).all() and np.isinf(signal.lfilter([1.0], [0.0], [1.0])).all()


def test_input_is_left_alone_and_views_work():
    x = data((6, 400))
    before = x.copy()
    x.flags.writeable = False
    for view, axis in ((x[::-1, ::2], 1), (x.T, 0), (np.asfortranarray(x), -1), (x[:, ::-3], 1)):
        same("lfilter", B, A, view, axis)
        same("sosfiltfilt", SOS, view, axis, eps=2000)
        same("filtfilt", B, A, view, axis, eps=400)
    np.testing.assert_array_equal(x, before)
    same("lfilter", B.astype(">f8"), A.astype(">f8"), x.astype(">f4"))


@pytest.mark.parametrize("padtype", ["odd", "even", "constant", None])
@pytest.mark.parametrize("dtype", "fdD")
def test_zero_phase(padtype, dtype):
    x = data((3, 120), dtype)
    same("sosfiltfilt", SOS.astype(dtype.lower()), x, padtype=padtype, eps=20000)
    same("filtfilt", B, A, x, padtype=padtype, eps=400)
    same("filtfilt", B, [2.0], x, padtype=padtype, padlen=7)
    np.testing.assert_allclose(signal.filtfilt([2.0], [1.0], x), 4 * x)          # SciPy 1.17 raises for a mere gain


@pytest.mark.parametrize("dtype", "fdFD")
def test_zero_phase_copies_no_states(monkeypatch, dtype):
    """Of any order and type of coefficients states come in double and padded; only the parts of complex ones are copied."""
    copied, padded = set(), _iir._padded

    def watched(zi, order):
        states = padded(zi, order)
        copied.add(states is not zi)
        return states

    monkeypatch.setattr(_iir, "_padded", watched)
    x = data((3, 120), dtype)
    wide = x.astype(dtype.translate({ord("f"): "d", ord("F"): "D"}))
    for order in (1, 3, 5):
        b, a, sos = (c.astype(dtype.lower()) for c in (*ss.butter(order, 0.3), ss.butter(2 * order, 0.3, output="sos")))
        for got, want in (
            (signal.filtfilt(b, a, x), ss.filtfilt(b.astype(float), a.astype(float), wide)),
            (signal.sosfiltfilt(sos, x), ss.sosfiltfilt(sos.astype(float), wide)),
        ):
            assert got.dtype == x.dtype
            eps = np.finfo(dtype).eps * (4 if dtype in "fF" else 400)     # single is computed in double; double as elsewhere here
            np.testing.assert_allclose(got, want, rtol=0, atol=eps * np.abs(want).max())
    assert copied == {dtype in "FD"}


def test_gustafsson():
    x = data((3, 200))
    for options in ({}, {"irlen": 50}):
        same("filtfilt", *ss.butter(3, 0.2), x, method="gust", eps=4e5, **options)
        same("filtfilt", *ss.butter(3, 0.2), x.T, 0, method="gust", eps=4e5, **options)
    same("filtfilt", [2.0], [1.0], x, method="gust")


def test_initial_states():
    for filter in ((B, A), ([1.0, 2], [2.0]), ([1.0], [1.0, 0.5, 0.2]), (B.astype("f"), A.astype("f"))):
        same("lfilter_zi", *filter)
    with gs.device("host"):         # a zero that leads the coefficients is not waited for on a GPU
        same("lfilter_zi", [1.0], [0.0, 2.0, 1.0])
    same("sosfilt_zi", SOS)
    same("sosfilt_zi", np.array([[1, 2, 3, 1, 0, 0]]))
    np.testing.assert_allclose(signal.sosfilt_zi([[0.2, 0.3, 0.0, 1.0, -0.6, 0.0]]), [[1.05, 0.0]])
    same("lfiltic", B, A, [1.0, 2.0], [3.0])
    same("lfiltic", [1, 2], [1, 3, 4], [1, 2])


def test_bad_input():
    x = np.ones(30)
    for args in (([1.0], [0.0, 1.0], x), ([], [1.0], x), ([[1.0]], [1.0], x), ([1.0], [1.0, 0.5], 3.0), ([1.0], [1.0, 0.5], x, 2),
                 ([1], [2, 1], np.arange(4)), ([1.0], [1.0, 0.5], x, -1, [1.0, 2.0]), ([1.0], [1.0, 0.5], x, -1, [[1.0]]),
                 (np.float16([1]), np.float16([2, 1]), np.float16([1, 2]))):  # fmt: skip
        same("lfilter", *args)
    for args in (([3.0], [4.0]), (SOS[:, :5], x), (SOS * 2, x), (SOS, 1.0), (SOS, x, -1, [1.0]), (SOS.astype(int), np.arange(4))):
        same("sosfilt", *args)
    same("sosfiltfilt", SOS, x[:5])
    same("filtfilt", B, A, x, padtype="x")
    same("filtfilt", B, A, x, method="x")
    with gs.device("host"):         # coefficients on a GPU are not waited for
        same("lfilter_zi", [[1.0]], [1.0])
        same("lfilter_zi", [1.0], [0.0])
    same("lfiltic", [1.0], [0.0, 1.0], [1.0])
    same("sosfilt_zi", [1.0])


def test_empty_batches():
    for shape in ((0, 1, 3), (2, 0), (0, 0)):
        assert signal.lfilter([0.5, 0.5], [1.0, -0.3], np.empty(shape)).shape == shape
        assert signal.sosfilt(SOS, np.empty(shape)).shape == shape


def test_coefficients_of_any_kind():
    x = data(50)
    want = ss.lfilter(B, A, x)
    result = signal.lfilter(gs.asarray(B), gs.asarray(A), x)      # one gpusci array among the arguments
    assert isinstance(result, gs.ndarray)
    np.testing.assert_allclose(result.numpy(), want, atol=1e-12)
    assert isinstance(signal.lfilter_zi(gs.asarray(B), A), gs.ndarray)


def test_steady_state_beside_the_unit_circle():
    """The state keeps a constant as it is, also where sum(a) cancels; there is none for a pole at z = 1."""
    same("lfilter_zi", [1.0, 2.0], [1.0, -1.0])
    b, a = ss.butter(4, 1e-3)
    y = signal.lfilter(b, a, np.ones(50), zi=signal.lfilter_zi(b, a))[0]
    np.testing.assert_allclose(y, sum(b.tolist()) / np.sum(a.astype("g")).astype(float), rtol=1e-6)


def test_a_negative_padlen_pads_nothing():
    b, a = ss.butter(2, 0.2)
    for x in (np.array([1.0, 2.0]), np.arange(40.0) % 7):
        np.testing.assert_allclose(signal.filtfilt(b, a, x, padlen=-1), signal.filtfilt(b, a, x, padlen=0), rtol=1e-13)


def test_objects_are_a_type_error():
    """As SciPy's of what is no number; integers alone stay its NotImplementedError."""
    x = [1.0, 2.0, 3.0]
    for args in (([1.0], [1.0], [1.0, None]), ([1.0], [None], x), ([None], [1.0], x), ([2, 3], [4, 5], [1, 2, 3])):
        same("lfilter", *args)
    same("sosfilt", np.array([[1, 0, 0, 1, None, 0]], object), np.ones(5))
