"""ShortTimeFFT: SciPy's class for window design and time axes, with the transforms on the device of the data."""

import functools

import numpy as np
import scipy.signal

import gpusci as gs
from gpusci import fft
from gpusci.core import dispatch, new, public
from gpusci.signal._coefficients import library
from gpusci.signal._frames import add_up, cut
from gpusci.signal._lines import contiguous, to_lines

PADDINGS = {"zeros": "Extension::constant", "edge": "Extension::edge", "even": "Extension::reflect", "odd": "Extension::antireflect"}

closest_STFT_dual_window = library(scipy.signal.closest_STFT_dual_window)


class ShortTimeFFT(scipy.signal.ShortTimeFFT):
    """As `scipy.signal.ShortTimeFFT`. Windows, times and frequencies are NumPy arrays; transforms are of the data's kind, in
    complex128 and float64 as SciPy's."""

    def __init__(self, win, hop, fs, *, fft_mode="onesided", mfft=None, dual_win=None, scale_to=None, phase_shift=0):
        win, dual_win = dispatch.to_host(win), dispatch.to_host(dual_win)
        super().__init__(
            win, hop, fs, fft_mode=fft_mode, mfft=mfft, dual_win=dual_win, scale_to=scale_to, phase_shift=phase_shift
        )  # fmt: skip

    @classmethod
    def from_dual(cls, dual_win, hop, fs, **options):
        """As `scipy.signal.ShortTimeFFT.from_dual`."""
        return super().from_dual(dispatch.to_host(dual_win), hop, fs, **options)

    @classmethod
    def from_win_equals_dual(cls, desired_win, hop, fs, **options):
        """As `scipy.signal.ShortTimeFFT.from_win_equals_dual`."""
        return super().from_win_equals_dual(dispatch.to_host(desired_win), hop, fs, **options)

    def stft(self, x, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1):
        """As `scipy.signal.ShortTimeFFT.stft`."""
        return self.stft_detrend(x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    @public("x")
    def stft_detrend(self, x, detr, p0=None, p1=None, *, k_offset=0, padding="zeros", axis=-1):
        """As `scipy.signal.ShortTimeFFT.stft_detrend`."""
        if self.onesided_fft and x.dtype.kind == "c":
            raise ValueError(
                f"Complex-valued `x` not allowed for self.fft_mode={self.fft_mode!r}'! Set property `fft_mode` to 'twosided' "
                "or 'centered'."
            )
        if not (detr is None or callable(detr) or isinstance(detr, str)):
            raise ValueError(f"Parameter {detr=} is not a str, function or None!")
        if isinstance(detr, str) and detr not in ("linear", "l", "constant", "c"):
            raise ValueError("Trend type must be 'linear' or 'constant'.")
        n = x.shape[axis]
        if n < self.m_num - self.m_num_mid:
            what = f"len(x)={n}" if x.ndim == 1 else f"axis={axis} of {x.shape}"
            raise ValueError(f"{what} must be >= ceil(m_num/2) = {self.m_num - self.m_num_mid}!")
        p0, p1 = self.p_range(n, p0, p1)
        if padding not in PADDINGS:
            raise ValueError(f"Parameter {padding=} not in {tuple(PADDINGS)}!")
        frames = self._frames(contiguous(to_lines(x, axis)), detr, p0, p1, k_offset, PADDINGS[padding])
        spectra = self._spectra(frames)
        axis = axis % x.ndim
        outer = (*x.shape[:axis], *x.shape[axis + 1 :])
        return gs.moveaxis(spectra.reshape(*outer, *spectra.shape[1:]), -1, axis)

    def _frames(self, lines, detr, p0, p1, k_offset, extension):
        """(lines, slices, mfft): weighted and rolled by the phase shift."""
        offset = p0 * self.hop - self.m_num_mid + k_offset
        end = offset + (p1 - p0 - 1) * self.hop + self.m_num
        place = {"offset": offset, "margin": max(0, -offset, end - lines.shape[1]), "extension": extension}
        roll = 0 if self.phase_shift is None else (self.phase_shift + self.m_num_mid) % self.m_num
        window = self.win.conj()
        dtype = np.result_type(lines.dtype, window.dtype, np.float64)
        table = gs.constant(window.astype(complex if window.dtype.kind == "c" else float), lines.device)
        count = p1 - p0
        if not callable(detr):
            trend = {None: "none", "c": "constant", "l": "linear"}[detr and detr[0]]
            return cut(lines, table, dtype, count, self.hop, self.mfft, roll=roll, trend=trend, **place)
        ones = gs.constant(np.ones(self.m_num), lines.device)
        pieces = cut(lines, ones, np.result_type(lines.dtype, np.float64), count, self.hop, self.m_num, **place)
        frames = gs.zeros((lines.shape[0], count, self.mfft), dtype, device=lines.device)
        for p in range(count):  # SciPy's functions see one slice at a time
            frames[:, p, : self.m_num] = gs.asarray(detr(pieces[:, p]), device=lines.device) * table
        return gs.roll(frames, -roll, axis=-1) if roll else frames

    def _doubled(self):
        """The bins of a one-sided spectrum that stand for two, and their factor."""
        return slice(1, (self.mfft + 1) // 2), np.sqrt(2) if self.scaling == "psd" else 2.0

    def _spectra(self, frames):
        if not self.onesided_fft:
            spectra = fft.fft(frames, overwrite_x=True)
            return fft.fftshift(spectra, axes=-1) if self.fft_mode == "centered" else spectra
        spectra = fft.rfft(frames)
        if self.fft_mode == "onesided2X":
            bins, factor = self._doubled()
            spectra[..., bins] *= factor
        return spectra

    def spectrogram(self, x, y=None, detr=None, *, p0=None, p1=None, k_offset=0, padding="zeros", axis=-1):
        """As `scipy.signal.ShortTimeFFT.spectrogram`."""
        options = {"p0": p0, "p1": p1, "k_offset": k_offset, "padding": padding, "axis": axis}
        transform = functools.partial(self.stft_detrend, detr=detr, **options)
        first = transform(x)
        if y is None or y is x:
            return first.real**2 + first.imag**2
        return first * transform(y).conj()

    @public("S")
    def istft(self, S, k0=0, k1=None, *, f_axis=-2, t_axis=-1):
        """As `scipy.signal.ShortTimeFFT.istft`."""
        if f_axis == t_axis:
            raise ValueError(f"{f_axis=} may not be equal to {t_axis=}!")
        if S.shape[f_axis] != self.f_pts:
            raise ValueError(f"{S.shape[f_axis]=} must be equal to {self.f_pts=} ({S.shape=})!")
        least = self.m_num - self.m_num_mid
        if S.shape[t_axis] < self.p_num(least):
            raise ValueError(f"{S.shape[t_axis]=} needs to have at least {self.p_num(least)} slices ({S.shape=})!")
        f_axis, t_axis = f_axis % S.ndim, t_axis % S.ndim
        q_max = S.shape[t_axis] + self.p_min
        k_max = (q_max - 1) * self.hop + least
        k1 = k_max if k1 is None else k1
        if not self.k_min <= k0 < k1 <= k_max:
            raise ValueError(f"({self.k_min=}) <= ({k0=}) < ({k1=}) <= ({k_max=}) is false!")
        if k1 - k0 < least:
            raise ValueError(f"({k1=}) - ({k0=}) = {k1 - k0} has to be at least the half the window length {least}!")
        q0 = k0 // self.hop + self.p_min if k0 >= 0 else k0 // self.hop
        q1 = min(self.p_max(k1), q_max)
        spectra = gs.moveaxis(S, (t_axis, f_axis), (-2, -1))[..., q0 - self.p_min : q1 - self.p_min, :]
        x = self._overlapped(self._pieces(spectra), k1 - k0, q1 - q0, k0 - (q0 * self.hop - self.m_num_mid))
        if x.ndim > 1:
            x = gs.moveaxis(x, -1, f_axis if f_axis < x.ndim else t_axis)
        return x

    def _pieces(self, spectra):
        if self.fft_mode == "twosided":
            return fft.ifft(spectra, n=self.mfft)
        if self.fft_mode == "centered":
            return fft.ifft(fft.ifftshift(spectra, axes=-1), n=self.mfft)
        if self.fft_mode == "onesided2X":
            bins, factor = self._doubled()
            spectra = spectra.copy()
            spectra[..., bins] /= factor
        return fft.irfft(spectra, n=self.mfft)

    def _overlapped(self, pieces, n, count, offset):
        pieces = contiguous(pieces)
        roll = 0 if self.phase_shift is None else (self.phase_shift + self.m_num_mid) % self.m_num
        dual = self.dual_win
        table = gs.constant(dual.astype(complex if dual.dtype.kind == "c" else float), pieces.device)
        out = new((*pieces.shape[:-2], n), float if self.onesided_fft else complex, pieces.device)
        add_up(pieces, table, out, count, self.hop, self.m_num, offset=offset, roll=roll)
        return out
