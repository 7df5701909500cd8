"""Validation cases of radar. It mirrors no module, so that every case has a reference of its own."""

import numpy as np

from validation import Case, args, choice, drawn, normwise, uniform, whole
from validation.draw import values

CLOSE = normwise(f=20, d=20)
C = 299792458.0


def _complex(dtype):
    return np.result_type(dtype, np.complex64)


def pulse_compression(x, template, nfft=None):
    n = x.shape[-1] if nfft is None else nfft
    y = np.fft.ifft(np.fft.fft(x, n) * np.conj(np.fft.fft(template, n)))
    return y.astype(_complex(np.result_type(x, template)))


def pulse_doppler(x, window=None):
    weights = 1.0 if window is None else np.hanning(x.shape[0])[:, None]
    return np.fft.fft(x * weights, axis=0).astype(_complex(x.dtype))


def ambiguity(x, fs, prf):
    x = x / np.linalg.norm(x)
    n, points = len(x), 1 << int(np.ceil(np.log2(2 * len(x) - 1)))
    k, f = np.arange(n), (np.arange(points) - points // 2) / points
    out = np.zeros((2 * n - 1, points))
    for row, lag in enumerate(range(1 - n, n)):
        inside = (k + lag >= 0) & (k + lag < n)
        product = x[k[inside]] * np.conj(x[k[inside] + lag])
        out[row] = np.abs(np.exp(2j * np.pi * np.outer(f, k[inside])) @ product)
    return out.astype(x.real.dtype)


def ring(x, i, j, guard, ref):
    (g0, g1), (r0, r1) = guard, ref
    window = x[i - g0 - r0 : i + g0 + r0 + 1, j - g1 - r1 : j + g1 + r1 + 1]
    mask = np.ones(window.shape, bool)
    mask[r0 : r0 + 2 * g0 + 1, r1 : r1 + 2 * g1 + 1] = False
    return window[mask].astype(float)


def cfar(level):
    """The detector with `level(cells)` for a threshold, cell by cell."""
    def run(x, guard, ref, *rest, **kw):
        threshold = np.zeros(x.shape, np.float32 if x.dtype.char in "ef" else float)
        inside = np.zeros(x.shape, bool)
        e0, e1 = guard[0] + ref[0], guard[1] + ref[1]
        for i in range(e0, x.shape[0] - e0):
            for j in range(e1, x.shape[1] - e1):
                threshold[i, j] = level(ring(x, i, j, guard, ref), *rest, **kw)
                inside[i, j] = True
        return threshold, inside & (x > threshold)
    return run


def alpha(pfa, n):
    from mpmath import mpf, workdps

    with workdps(40):
        return float(n * (mpf(float(pfa)) ** (mpf(-1) / int(n)) - 1))


def mean_level(cells, pfa=1e-3):
    return cells.size * (pfa ** (-1 / cells.size) - 1) * cells.mean()


def ordered_level(cells, pfa=1e-3, rank=5):
    return os_alpha(pfa, cells.size, rank) * np.sort(cells)[rank - 1]


def os_alpha(pfa, n, rank):
    from scipy.optimize import brentq

    return brentq(lambda a: np.sum(np.log1p(a / (n - np.arange(rank)))) + np.log(pfa), 0, 1e9, xtol=1e-300, rtol=1e-15)


def channels(x, h, n):
    taps, points = len(h) // n, len(x) // n
    out = np.zeros((n, points), complex)
    for i in range(points):
        for k in range(n):
            for t in range(min(taps, i + 1)):
                m = np.arange(n)
                out[k, i] += (x[(i - t) * n + n - 1 - m] * h[t * n + m] * np.exp(2j * np.pi * k * m / n)).sum()
    return out.astype(_complex(np.result_type(x, h)))


def mvdr(x, sv):
    weights = np.linalg.solve(np.cov(x), sv)
    return (weights / (np.conj(sv) @ weights)).astype(x.dtype)


def volterra(order):
    def run(x, w):
        n = w.shape[0]
        out = []
        for i in range(len(x) - n + 1):
            total, window = w, x[i : i + n][::-1]
            for _ in range(order):
                total = total @ window
            out.append(total)
        return np.array(out, np.result_type(x, w))
    return run


@drawn
def power(rng, got):
    return (rng.normal(size=(int(rng.integers(16, 40)), int(rng.integers(16, 60)))) ** 2).astype(got.dtype)


def draw(*shape):
    return drawn(lambda rng, got: values(rng, shape, got.dtype))


CASES = [
    Case("pulse_compression", args(draw(5, 60), draw(20)), CLOSE, dtypes="FDd", ref=pulse_compression),
    Case("pulse_compression", args(draw(3, 60), draw(20), nfft=96), CLOSE, dtypes="FD", ref=pulse_compression, id="padded"),
    Case("pulse_doppler", args(draw(16, 30)), CLOSE, dtypes="FDf", ref=pulse_doppler),
    Case("pulse_doppler", args(draw(16, 30), window=np.hanning(16)), CLOSE, dtypes="FD", ref=pulse_doppler, id="window"),
    Case("ambgfun", args(draw(20), 1.0, 1.0), CLOSE, dtypes="DF", ref=ambiguity),
    Case("cfar_alpha", args(uniform(1e-6, 0.1), whole(2, 400)), CLOSE, dtypes="d", ref=alpha),
    Case("os_cfar_alpha", args(uniform(1e-6, 0.1), 40, whole(1, 40)), CLOSE, dtypes="d", ref=os_alpha),
    Case("ca_cfar", args(power, choice((1, 1), (0, 2)), choice((2, 3), (1, 4)), choice(1e-2, 1e-3)), CLOSE,
         dtypes="fd", ref=cfar(mean_level)),
    Case("os_cfar", args(power, (1, 1), choice((2, 3), (1, 4)), rank=5), CLOSE, dtypes="fd", n=3, ref=cfar(ordered_level)),
    Case("channelize_poly", args(draw(70), draw(24), choice(4, 8)), CLOSE, dtypes="fdFD", ref=channels),
    Case("freq_shift", args(draw(3, 50), 13.0, 100.0), CLOSE, dtypes="fdFD",
         ref=lambda x, f, fs: (x * np.exp(-2j * np.pi * f / fs * np.arange(50))).astype(_complex(x.dtype))),
    Case("mvdr", args(draw(4, 60), draw(4)), normwise(f=300, d=300, why="the condition number of the covariance, about 10, times its size"),
         dtypes="FDd", ref=mvdr),
    Case("convolve1d2o", args(draw(50), draw(6, 6)), CLOSE, dtypes="fdD", ref=volterra(2)),
    Case("convolve1d3o", args(draw(50), draw(4, 4, 4)), CLOSE, dtypes="fd", ref=volterra(3)),
    Case("range_axis", args(whole(1, 40), uniform(1e5, 1e7)), CLOSE, dtypes="d", ref=lambda n, fs: np.arange(n) / fs * C / 2),
    Case("doppler_axis", args(whole(1, 40), uniform(1e2, 1e4)), CLOSE, dtypes="d", ref=lambda n, prf: np.fft.fftfreq(n) * prf),
    Case("velocity_axis", args(whole(1, 40), 1e3, 1e10), CLOSE, dtypes="d", ref=lambda n, prf, f: np.fft.fftfreq(n) * prf * C / 2 / f),
]  # fmt: skip
DIFFERENCES = {}
