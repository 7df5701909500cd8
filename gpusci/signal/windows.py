"""Window functions, as `scipy.signal.windows`: float64, computed on the host.

Without `xp` and `device` a NumPy array comes back; `device=` (or `xp=gpusci`) gives a `gpusci.ndarray`, another namespace in
`xp` its own kind. Formulas: Harris, Proc. IEEE 66 (1978) 51; Nuttall, IEEE Trans. ASSP 29 (1981) 84; Heinzel, Rüdiger,
Schilling, "Spectrum and spectral density estimation by the DFT" (2002), for the flat top.
"""

import operator
import sys

import numpy as np

import gpusci as gs
from gpusci.core import get_device, public, to_array
from gpusci.core.callers import warn

__all__ = [
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine", "dpss", "exponential",
    "flattop", "gaussian", "general_cosine", "general_gaussian", "general_hamming", "get_window", "hamming", "hann", "kaiser",
    "kaiser_bessel_derived", "lanczos", "nuttall", "parzen", "taylor", "triang", "tukey",
]  # fmt: skip


# ---- what all windows share
def _short(M):
    if int(M) != M or M < 0:
        raise ValueError("Window length M must be a non-negative integer")
    return M <= 1


def _deliver(values, xp, device):
    """A float64 NumPy array (or scalar) as what `xp` and `device` ask for."""
    if xp is gs or xp is None and device not in (None, "cpu"):
        return gs.asarray(values, device=get_device(device))
    return values if xp in (None, np) else xp.asarray(values, device=device)


def _window(formula, M, sym, xp, device):
    """formula(n) for n points; a periodic window is a symmetric one of one more point without its last."""
    if _short(M):
        return _deliver(np.ones(int(M)), xp, device)
    M = int(M)
    return _deliver(np.asarray(formula(M if sym else M + 1), float)[:M], xp, device)


def _centred(n):
    return np.arange(n) - (n - 1) / 2


def _cosines(n, weights):
    angle = np.linspace(-np.pi, np.pi, n)
    return sum(weight * np.cos(k * angle) for k, weight in enumerate(weights))


# ---- cosine sums
def boxcar(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.boxcar`."""
    return _window(np.ones, M, sym, xp, device)


@public("a")
def general_cosine(M, a, sym=True):
    """As `scipy.signal.windows.general_cosine`; the window is of the kind of `a`."""
    return to_array(_window(lambda n: _cosines(n, a.numpy()), M, sym, None, None), a.device)


def general_hamming(M, alpha, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.general_hamming`."""
    return _window(lambda n: _cosines(n, (alpha, 1 - alpha)), M, sym, xp, device)


def hann(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.hann`."""
    return general_hamming(M, 0.5, sym, xp=xp, device=device)


def hamming(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.hamming`."""
    return general_hamming(M, 0.54, sym, xp=xp, device=device)


def blackman(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.blackman`."""
    return _window(lambda n: _cosines(n, (0.42, 0.50, 0.08)), M, sym, xp, device)


def nuttall(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.nuttall`: the minimum four-term Blackman-Harris window of Nuttall (1981)."""
    return _window(lambda n: _cosines(n, (0.3635819, 0.4891775, 0.1365995, 0.0106411)), M, sym, xp, device)


def blackmanharris(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.blackmanharris`."""
    return _window(lambda n: _cosines(n, (0.35875, 0.48829, 0.14128, 0.01168)), M, sym, xp, device)


def flattop(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.flattop`."""
    weights = (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)
    return _window(lambda n: _cosines(n, weights), M, sym, xp, device)


def cosine(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.cosine`."""
    return _window(lambda n: np.sin(np.pi / n * (np.arange(n) + 0.5)), M, sym, xp, device)


# ---- pieces of lines and powers
def triang(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.triang`."""

    def formula(n):
        rise = np.arange(1, (n + 1) // 2 + 1)
        half = 2 * rise / (n + 1.0) if n % 2 else (2 * rise - 1.0) / n
        return np.concatenate([half, half[::-1][n % 2 :]])

    return _window(formula, M, sym, xp, device)


def bartlett(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.bartlett`."""
    return _window(np.bartlett, M, sym, xp, device)


def parzen(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.parzen`."""

    def formula(n):
        place = np.abs(_centred(n))
        r = place / (n / 2.0)
        return np.where(place <= (n - 1) / 4.0, 1 - 6 * r**2 * (1 - r), 2 * (1 - r) ** 3)

    return _window(formula, M, sym, xp, device)


def bohman(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.bohman`."""

    def formula(n):
        r = np.abs(np.linspace(-1, 1, n))
        w = (1 - r) * np.cos(np.pi * r) + np.sin(np.pi * r) / np.pi
        w[0] = w[-1] = 0
        return w

    return _window(formula, M, sym, xp, device)


def barthann(M, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.barthann`."""

    def formula(n):
        r = np.abs(np.arange(n) / (n - 1.0) - 0.5)
        return 0.62 - 0.48 * r + 0.38 * np.cos(2 * np.pi * r)

    return _window(formula, M, sym, xp, device)


def tukey(M, alpha=0.5, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.tukey`."""
    if not _short(M) and alpha <= 0:
        return boxcar(M, sym, xp=xp, device=device)
    if not _short(M) and alpha >= 1:
        return hann(M, sym, xp=xp, device=device)

    def formula(n):
        w = np.ones(n)
        taper = int(np.floor(alpha * (n - 1) / 2.0)) + 1
        w[:taper] = 0.5 * (1 + np.cos(np.pi * (-1 + 2.0 * np.arange(taper) / alpha / (n - 1))))
        w[n - taper :] = w[:taper][::-1]
        return w

    return _window(formula, M, sym, xp, device)


# ---- exponentials and Bessel functions
def gaussian(M, std, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.gaussian`; `std` in samples."""
    return _window(lambda n: np.exp(-(_centred(n) ** 2) / (2 * std * std)), M, sym, xp, device)


def general_gaussian(M, p, sig, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.general_gaussian`; `sig` in samples."""
    return _window(lambda n: np.exp(-0.5 * np.abs(_centred(n) / sig) ** (2 * p)), M, sym, xp, device)


def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.exponential`; `center` and `tau` in samples."""
    if sym and center is not None:
        raise ValueError("If sym==True, center must be None.")

    def formula(n):
        middle = (n - 1) / 2 if center is None else center
        return np.exp(-np.abs(np.arange(n) - middle) / tau)

    return _window(formula, M, sym, xp, device)


def kaiser(M, beta, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.kaiser`."""
    return _window(lambda n: _kaiser(n, beta), M, sym, xp, device)


def _kaiser(n, beta):
    # SciPy's i0 where it is loaded, since NumPy's takes 0.2 ms; loading it would take longer than the first filter's compilation.
    i0 = getattr(sys.modules.get("scipy.special"), "i0", np.i0)
    r = 2 * _centred(n) / (n - 1)
    root = np.sqrt(1 - r**2)
    if abs(beta) > 700:  # where i0 overflows
        from scipy.special import i0e

        return i0e(beta * root) / i0e(float(beta)) * np.exp(abs(beta) * (root - 1))
    return i0(beta * root) / i0(float(beta))


def kaiser_bessel_derived(M, beta, *, sym=True, xp=None, device=None):
    """As `scipy.signal.windows.kaiser_bessel_derived`."""
    if not sym:
        raise ValueError("Kaiser-Bessel Derived windows are only defined for symmetric shapes")
    if M < 1:
        return _deliver(np.array([]), xp, device)
    if M % 2:
        raise ValueError("Kaiser-Bessel Derived windows are only defined for even number of points")
    mass = np.cumsum(kaiser(M // 2 + 1, beta))
    half = np.sqrt(mass[:-1] / mass[-1])
    return _deliver(np.concatenate([half, half[::-1]]), xp, device)


def lanczos(M, *, sym=True, xp=None, device=None):
    """As `scipy.signal.windows.lanczos`."""
    return _window(lambda n: np.sinc(_centred(n) * (2 / (n - 1))), M, sym, xp, device)


# ---- designs by side lobes and concentration
def chebwin(M, at, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.chebwin`; `at` is the attenuation in dB."""
    if abs(at) < 45:
        warn(
            "This window is not suitable for spectral analysis for attenuation values lower than about 45dB because the "
            "equivalent noise bandwidth of a Chebyshev window does not grow monotonically with increasing sidelobe "
            "attenuation when the attenuation is smaller than about 45 dB.",
        )

    def formula(n):
        order, k = n - 1.0, np.arange(n)
        x = np.cosh(np.arccosh(10 ** (abs(at) / 20.0)) / order) * np.cos(np.pi * k / n)
        # Chebyshev polynomial of that order at x; its sign left of -1 is (-1)^order.
        outside = np.cosh(order * np.arccosh(np.maximum(np.abs(x), 1)))
        spectrum = np.where(np.abs(x) > 1, outside, np.cos(order * np.arccos(np.clip(x, -1, 1))))
        spectrum[x < -1] *= 2 * (n % 2) - 1
        if n % 2 == 0:                      # half a sample of delay puts the centre between two points
            spectrum = spectrum * np.exp(1j * np.pi / n * k)
        half = np.fft.fft(spectrum).real[: n // 2 + 1]
        w = np.concatenate([half[:0:-1], half[1 - n % 2 :]])
        return w / w.max()

    return _window(formula, M, sym, xp, device)


def taylor(M, nbar=4, sll=30, norm=True, sym=True, *, xp=None, device=None):
    """As `scipy.signal.windows.taylor`; `sll` is the side-lobe level in dB."""

    def formula(n):
        a = np.arccosh(10 ** (sll / 20)) / np.pi
        m = np.arange(1, nbar)
        stretch = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
        weights = np.empty(nbar - 1)
        for i in range(nbar - 1):
            zeros = np.prod(1 - m[i] ** 2 / stretch / (a**2 + (m - 0.5) ** 2))
            others = np.prod(1 - m[i] ** 2 / np.delete(m, i).astype(float) ** 2)
            weights[i] = (-1) ** i * zeros / (2 * others)
        value = lambda t: 1 + 2 * weights @ np.cos(2 * np.pi * np.outer(m, t) / n)
        w = value(_centred(n))
        return w / value(np.zeros(1)) if norm else w

    return _window(formula, M, sym, xp, device)


def dpss(M, NW, Kmax=None, sym=True, norm=None, return_ratios=False, *, xp=None, device=None):
    """As `scipy.signal.windows.dpss`. Slepian, Bell Syst. Tech. J. 57 (1978) 1371; signs: Percival, Walden (1993), p. 379."""
    single = Kmax is None
    norm = norm if norm is not None else "approximate" if single else 2
    if norm not in (2, "approximate", "subsample"):
        raise ValueError(f"norm must be one of (2, 'approximate', 'subsample'), got {norm}")
    if _short(M):
        w = _deliver(np.ones(int(M)), xp, device)
        return (w, 1.0 if single else _deliver(np.ones(1), xp, device)) if return_ratios else w
    count = 1 if single else operator.index(Kmax)
    if not 0 < count <= M:
        raise ValueError("Kmax must be greater than 0 and less than M")
    if NW >= M / 2.0:
        raise ValueError("NW must be less than M/2.")
    if NW <= 0:
        raise ValueError("NW must be positive")
    n = int(M) if sym else int(M) + 1
    w = _slepian(n, NW, count)
    ratios = _concentration(w, NW / n) if return_ratios else None
    if norm != 2:
        w = w / w.max()
        if n % 2 == 0:
            w = w * (n**2 / float(n**2 + NW) if norm == "approximate" else _peak_between_samples(w[0]))
    w = w[:, : int(M)]
    w = _deliver(w[0] if single else w, xp, device)
    if not return_ratios:
        return w
    return w, ratios[0] if single else _deliver(ratios, xp, device)


def _slepian(n, NW, count):
    from scipy.linalg import eigh_tridiagonal

    k = np.arange(n)
    diagonal = ((n - 1 - 2 * k) / 2.0) ** 2 * np.cos(2 * np.pi * NW / n)
    w = eigh_tridiagonal(diagonal, k[1:] * (n - k[1:]) / 2.0, select="i", select_range=(n - count, n - 1))[1].T[::-1]
    w = np.ascontiguousarray(w)
    floor = max(1e-7, 1.0 / n)
    for i, row in enumerate(w):             # symmetric ones have a positive mean, the others begin positive
        if (row.sum() if i % 2 == 0 else row[row * row > floor][0]) < 0:
            row *= -1
    return w


def _concentration(w, bandwidth):
    n = w.shape[1]
    length = 1 << (2 * n - 1).bit_length()
    autocorrelation = np.fft.irfft(np.abs(np.fft.rfft(w, length)) ** 2, length)[:, :n]
    kernel = 4 * bandwidth * np.sinc(2 * bandwidth * np.arange(n))
    kernel[0] = 2 * bandwidth
    return autocorrelation @ kernel


def _peak_between_samples(w):
    n = len(w)
    spectrum = np.fft.rfft(w)
    spectrum[1:] *= 2 * np.exp(1j * np.pi * (1 - 1.0 / n) * np.arange(1, n // 2 + 1))
    return n / spectrum.real.sum()


# ---- by name
# name: (function, whether parameters are given: False, True or "optional"), then the aliases.
_NAMES = {
    "barthann brthan bth": (barthann, False), "bartlett bart brt": (bartlett, False), "blackman black blk": (blackman, False),
    "blackmanharris blackharr bkh": (blackmanharris, False), "bohman bman bmn": (bohman, False),
    "boxcar box ones rect rectangular": (boxcar, False), "chebwin cheb": (chebwin, True), "cosine halfcosine": (cosine, False),
    "dpss": (dpss, True), "exponential poisson": (exponential, "optional"), "flattop flat flt": (flattop, False),
    "gaussian gauss gss": (gaussian, True), "general_cosine": (general_cosine, True),
    "general_gaussian general_gauss ggs": (general_gaussian, True), "general_hamming": (general_hamming, True),
    "hamming hamm ham": (hamming, False), "hann han": (hann, False), "kaiser ksr": (kaiser, True),
    "kaiser_bessel_derived kbd": (kaiser_bessel_derived, True), "lanczos sinc": (lanczos, False),
    "nuttall nutl nut": (nuttall, False), "parzen parz par": (parzen, False), "taylor taylorwin": (taylor, "optional"),
    "triangle triang tri": (triang, False), "tukey tuk": (tukey, "optional"),
}  # fmt: skip
_BY_NAME = {alias: row for names, row in _NAMES.items() for name in names.split() for alias in (name, name.replace("_", " "))}


def get_window(window, Nx, fftbins=True, *, xp=None, device=None):
    """As `scipy.signal.windows.get_window`, with the same names, aliases and suffixes `_periodic` and `_symmetric`."""
    if not (isinstance(Nx, (int, np.integer)) and Nx > 0):
        raise ValueError(f"Parameter Nx={Nx!r} is not a positive integer")
    if not isinstance(fftbins, bool):
        raise ValueError(f"Parameter fftbins={fftbins!r} is not of type bool!")
    if not isinstance(window, (str, tuple)):
        try:
            beta = float(window)
        except Exception as error:
            raise ValueError(f"Parameter window={window!r} must be a tuple, a string or a float!") from error
        return kaiser(Nx, beta, not fftbins, xp=xp, device=device)
    name, *args = (window,) if isinstance(window, str) else window
    if not isinstance(name, str):
        raise ValueError(f"First tuple entry of parameter window={window!r} is not a str!")
    sym = not fftbins
    for suffix in ("_symmetric", "_periodic"):
        if name.endswith(suffix):
            sym, name = suffix == "_symmetric", name.removesuffix(suffix)
            break
    if name not in _BY_NAME:
        raise ValueError(f"Invalid window name '{name}' in parameter window={window!r}!")
    function, takes = _BY_NAME[name]
    if args and takes is False:
        raise ValueError(f"'{name}' does not allow parameters, but window={window!r}!")
    if not args and takes is True:
        raise ValueError(f"'{name}' must have parameters, but window={window!r}!")
    if function is dpss and len(args) != 1:
        raise ValueError(f"Window {name} must have one parameter but window={window!r}")
    if function is general_cosine:
        if xp is not None or device is not None:
            raise ValueError("'general_cosine' does not accept the parameters xp and device not being None!")
        return general_cosine(Nx, *args, sym=sym)
    return function(Nx, *args, sym=sym, xp=xp, device=device)
