"""Validation cases of gpusci.fft."""

from validation import Case, args, array, axes, axis, choice, drawn, exact, maybe, normwise, uniform, whole

NORMS = choice(None, "backward", "ortho", "forward")
LENGTH = maybe(whole(1, 24))
TYPE = choice(1, 2, 3, 4)
ANY = "bIefdFD"
REAL = "?heqfd"
# Rounding of a transform grows with the root of log2 of its length; against the largest value 8 eps are ample.
ROUNDING = normwise(f=8, d=8)


def one(name, dtypes, **kw):
    return Case(name, args(array(), n=LENGTH, axis=axis(), norm=NORMS), ROUNDING, dtypes=dtypes, **kw)


def many(name, dtypes, draw, **kw):
    return Case(name, args(array(size=600), axes=draw, norm=NORMS), ROUNDING, dtypes=dtypes, **kw)


def trig(name):
    return Case(name, args(array(), TYPE, n=LENGTH, axis=axis(), norm=NORMS, orthogonalize=choice(None, True, False)), ROUNDING,
                dtypes=REAL, raises=[args([1.0, 2.0], 7), args([1.0], 1, norm="x")])  # fmt: skip


def trig_nd(name):
    return Case(name, args(array(size=600), TYPE, axes=axes(), norm=NORMS), ROUNDING, dtypes=REAL)


PLANE = choice((-2, -1), (0, 1), (1, 0))
BAD = [args([1.0, 2.0], n=-1), args([1.0, 2.0], norm="x"), args([1.0, 2.0], plan=1), args([1.0, 2.0], workers=0)]
BAD_ND = [args([[1.0, 2.0]], (1, 2, 3)), args([[1.0]], axes=(0, 0)), args([[1.0]], axes=(0, 7)), args([[1.0]], norm="x")]
COMPLEX = [args([[1.0, 1j]])]


@drawn
def calm(rng, got):
    """A low-ringing offset. With others the inverse may divide by a Nyquist coefficient near 0, which no algorithm survives."""
    from scipy.fft import fhtoffset

    return fhtoffset(0.1, got[2], rng.uniform(-0.2, 0.2), got["bias"])


def _context(make, *given):
    with make(*given):
        return True


CASES = [
    one("fft", ANY, raises=BAD), one("ifft", ANY, raises=BAD), one("rfft", REAL, raises=BAD + COMPLEX),
    one("irfft", ANY, raises=BAD), one("hfft", ANY, raises=BAD), one("ihfft", REAL, raises=BAD + COMPLEX),
    many("fftn", ANY, axes(), raises=BAD_ND), many("ifftn", ANY, axes(), raises=BAD_ND),
    many("rfftn", REAL, axes(), raises=BAD_ND + COMPLEX), many("irfftn", ANY, axes(), raises=BAD_ND),
    many("hfftn", ANY, axes(), raises=BAD_ND), many("ihfftn", REAL, axes(), raises=BAD_ND + COMPLEX),
    *(Case(name, args(array(ndim=(2, 3), size=600), axes=PLANE, norm=NORMS), ROUNDING, dtypes=ANY, raises=BAD_ND[1:3])
      for name in ("fft2", "ifft2", "irfft2", "hfft2")),
    *(Case(name, args(array(ndim=(2, 3), size=600), axes=PLANE, norm=NORMS), ROUNDING, dtypes=REAL, raises=COMPLEX)
      for name in ("rfft2", "ihfft2")),
    trig("dct"), trig("idct"), trig("dst"), trig("idst"),
    trig_nd("dctn"), trig_nd("idctn"), trig_nd("dstn"), trig_nd("idstn"),
    *(Case(name, args(array(), TYPE, axis=axis(), orthogonalize=choice(True, False)), ROUNDING, dtypes="FD", id="complex",
           differs="orthogonalize", ref=lambda x, *a, _name=name, **kw: _parts(_name, x, *a, **kw))
      for name in ("dct", "idct", "dst", "idst")),
    *(Case(name, args(array(ndim=(1, 2), size=60), 0.1, uniform(-0.3, 2.0), bias=choice(0.0, 0.1, -0.2), offset=calm),
           normwise(f=200, d=200, why="phases of gammas at large imaginary arguments "
                      "cost digits, in SciPy too"), dtypes="ifd", n=3,
           ref=lambda a, *rest, _inverse=name == "ifht", **kw: _hankel(_inverse, a, *rest, **kw)) for name in ("fht", "ifht")),
    Case("fhtoffset", args(uniform(0.01, 0.5), uniform(-0.5, 3), initial=uniform(-1, 1), bias=uniform(-0.3, 0.3)),
         normwise(d=4)),
    Case("fftfreq", args(whole(1, 40), uniform(0.1, 2)), exact(), raises=[args(2.5)]),
    Case("rfftfreq", args(whole(1, 40), uniform(0.1, 2)), exact(), raises=[args(2.5)]),
    Case("fftshift", args(array(), axes()), exact(), dtypes="?ifD"),
    Case("ifftshift", args(array(), axes()), exact(), dtypes="?ifD"),
    Case("next_fast_len", args(whole(1, 5000), choice(True, False)), exact(), raises=[args(-1), args(1.5)]),
    Case("prev_fast_len", args(whole(1, 5000), choice(True, False)), exact(), raises=[args(-1), args(1.5)]),
    Case("set_backend", args("scipy"), exact(), call=_context),
    Case("skip_backend", args("scipy"), exact(), call=_context),
    Case("set_workers", args(2), exact(), call=_context, raises=[args(0), args(1.5)]),
    Case("get_workers", args(), exact()),
    Case("register_backend", args(), exact(), call=lambda f: f.__name__, raises=[args(3)]),
    Case("set_global_backend", args("scipy"), exact(), raises=[args(3)]),
]  # fmt: skip


def _hankel(inverse, a, dln, mu, offset, bias):
    """Hamilton's sums in 40 digits."""
    import mpmath as mp
    import numpy as np

    n = np.shape(a)[-1]
    with mp.workdps(40):
        dln, mu, offset, bias = map(mp.mpf, (dln, mu, offset, bias))
        place = [mp.mpf(2 * i - n + 1) / 2 * dln for i in range(n)]
        turn = [mp.expjpi(-2 * mp.mpf(k) / n) for k in range(n)]
        u = []
        for k in range(n // 2 + 1):
            y = mp.pi * k / (n * dln)
            ratio = mp.gamma((mu + 1 + bias) / 2 + 1j * y) / mp.gamma((mu + 1 - bias) / 2 - 1j * y)
            u.append(2**bias * ratio * mp.exp(2j * (mp.log(2) - offset) * y))
        if n % 2 == 0:
            u[-1] = mp.mpc(u[-1].real)
        rows = [
            _hankel_line(inverse, [mp.mpf(float(v)) for v in row], u, turn, place, offset, bias)
            for row in np.reshape(a, (-1, n))
        ]
    return np.array(rows, float).reshape(np.shape(a))


def _hankel_line(inverse, x, u, turn, place, offset, bias):
    import mpmath as mp

    n = len(x)
    before, after = [mp.exp(-bias * p) for p in place], [mp.exp(-bias * (p + offset)) for p in place]
    if inverse:
        before, after = [1 / v for v in after], [1 / v for v in before]
    x = [v * w for v, w in zip(x, before)]
    total = [mp.mpf(0)] * n
    for k in range(n // 2 + 1):
        c = mp.fsum(v * turn[t * k % n] for t, v in enumerate(x))
        c = c / mp.conj(u[k]) if inverse else c * u[k]
        twice = 1 if k == 0 or 2 * k == n else 2
        total = [s + twice * (c * mp.conj(turn[t * k % n])).real for t, s in enumerate(total)]
    return [v / n * w for v, w in zip(total[::-1], after)]


def _parts(name, x, *positional, **keywords):
    import numpy as np
    import scipy.fft

    f = getattr(scipy.fft, name)
    y = np.empty(np.shape(x), np.result_type(x, np.complex64))
    y.real, y.imag = f(x.real, *positional, **keywords), f(x.imag, *positional, **keywords)
    return y


DIFFERENCES = {
    "orthogonalize": "of complex data in dct, dst and their inverses: SciPy 1.17.1 ignores it; here both parts are transformed "
    "as real data would be.",
    "no samples": "n=0 of irfft and hfft raises ValueError, as it does in the other transforms: SciPy 1.17.1 gives one value.",
    "longdouble": "of NumPy's arrays is transformed by SciPy on the host, in longdouble, whatever the device; gpusci arrays have no wider "
    "dtype than float64.",
    "small integers": "of NumPy given to fftfreq and rfftfreq do not wrap round, where those of SciPy 1.17 do.",
    "backend": "one set by scipy.fft.set_backend serves scipy.fft; for functions called here set it by gpusci.fft.set_backend.",
    "workers": "1, SciPy's default, means all threads of the host for large transforms; give workers=1 for one.",
    "layout": "results on a GPU may have their axes in another order in memory than SciPy's C order, where that saves a copy.",
}
