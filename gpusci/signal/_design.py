"""Filter and system design: SciPy's own functions, on the host in float64, with the rule of kinds.

Imported at the first use of one of its names, since SciPy's signal package takes a second to import.
"""

import inspect
import types

import numpy as np
import scipy.signal
from scipy.optimize import linear_sum_assignment

from gpusci.core import dispatch
from gpusci.signal._coefficients import library, on_host
from gpusci.signal._systems import with_fractions

BadCoefficients = scipy.signal.BadCoefficients

# ---- analog prototypes, transformations
besselap = library(scipy.signal.besselap)
bilinear = library(scipy.signal.bilinear)
bilinear_zpk = library(scipy.signal.bilinear_zpk)
buttap = library(scipy.signal.buttap)
cheb1ap = library(scipy.signal.cheb1ap)
cheb2ap = library(scipy.signal.cheb2ap)
ellipap = library(scipy.signal.ellipap)
lp2bp = library(scipy.signal.lp2bp)
lp2bp_zpk = library(scipy.signal.lp2bp_zpk)
lp2bs = library(scipy.signal.lp2bs)
lp2bs_zpk = library(scipy.signal.lp2bs_zpk)
lp2hp = library(scipy.signal.lp2hp)
lp2hp_zpk = library(scipy.signal.lp2hp_zpk)
lp2lp = library(scipy.signal.lp2lp)
lp2lp_zpk = library(scipy.signal.lp2lp_zpk)

# ---- recursive filters
band_stop_obj = library(scipy.signal.band_stop_obj)
bessel = library(scipy.signal.bessel)
butter = library(scipy.signal.butter)
buttord = library(scipy.signal.buttord)
cheb1ord = library(scipy.signal.cheb1ord)
cheb2ord = library(scipy.signal.cheb2ord)
cheby1 = library(scipy.signal.cheby1)
cheby2 = library(scipy.signal.cheby2)
ellip = library(scipy.signal.ellip)
ellipord = library(scipy.signal.ellipord)
gammatone = library(scipy.signal.gammatone)
iircomb = library(scipy.signal.iircomb)
iirdesign = library(scipy.signal.iirdesign)
iirfilter = library(scipy.signal.iirfilter)
iirnotch = library(scipy.signal.iirnotch)
iirpeak = library(scipy.signal.iirpeak)

# ---- FIR filters
firls = library(scipy.signal.firls)
remez = library(scipy.signal.remez)

# ---- frequency responses
findfreqs = library(scipy.signal.findfreqs)
freqs = library(scipy.signal.freqs)
freqs_zpk = library(scipy.signal.freqs_zpk)
freqz = library(scipy.signal.freqz)
freqz_sos = library(scipy.signal.freqz_sos)
freqz_zpk = library(scipy.signal.freqz_zpk)
group_delay = library(scipy.signal.group_delay)
sosfreqz = library(scipy.signal.sosfreqz)

# ---- representations, partial fractions
abcd_normalize = library(scipy.signal.abcd_normalize)
invres = library(scipy.signal.invres)
invresz = library(scipy.signal.invresz)
normalize = library(scipy.signal.normalize)
residue = library(scipy.signal.residue)
residuez = library(scipy.signal.residuez)
sos2tf = library(scipy.signal.sos2tf)
sos2zpk = library(scipy.signal.sos2zpk)
tf2sos = library(scipy.signal.tf2sos)
tf2ss = library(scipy.signal.tf2ss)
tf2zpk = library(scipy.signal.tf2zpk)
unique_roots = library(scipy.signal.unique_roots)
zpk2sos = library(scipy.signal.zpk2sos)
zpk2ss = library(scipy.signal.zpk2ss)


@on_host
def zpk2tf(z, p, k):
    """As `scipy.signal.zpk2tf`; rows of zeros may have complex gains and gains of their own."""
    if np.ndim(z) < 2:
        return scipy.signal.zpk2tf(z, p, k)
    z, gains = np.asarray(z), np.ravel(k)
    gains = np.repeat(gains, len(z)) if gains.size == 1 else gains
    rows = [scipy.signal.zpk2tf(z[i], p, gains[i]) for i in range(len(z))]
    return np.array([b for b, a in rows]), rows[0][1]


@on_host
def ss2tf(A, B, C, D, input=0):
    """As `scipy.signal.ss2tf`, with digits where SciPy's difference of two polynomials has none.

    The numerator is also the start of the impulse response times the denominator: each coefficient is taken from where less
    cancels. Leading ones that are zero are not what rounding leaves, which makes zeros far away.
    """
    num, den = scipy.signal.ss2tf(A, B, C, D, input)
    if num.ndim < 2:  # without states
        return num, den
    A, B, C, D = scipy.signal.abcd_normalize(A, B, C, D)
    D, count = D[:, input], len(den)
    response, size = np.zeros((2, *num.shape), num.dtype)
    response[:, 0], column, bound = D, B[:, input], abs(C)
    for k in range(1, count):
        response[:, k], size[:, k] = C @ column, k * (bound @ abs(B[:, input]))
        column, bound = A @ column, bound @ abs(A)
    response[abs(response) <= np.finfo(float).eps * abs(size)] = 0
    for h, row, feed in zip(response, num, D):
        cancels = np.convolve(abs(h), abs(den))[:count]
        better = cancels < abs(row - (feed - 1) * den) + abs((feed - 1) * den)
        row[better] = np.convolve(h, den)[:count][better]
    return num, den


@on_host
def ss2zpk(A, B, C, D, input=0):
    """As `scipy.signal.ss2zpk`, with the eigenvalues of A for poles, in SciPy's order; for zeros and gain see `ss2tf`."""
    num, den = ss2tf(A, B, C, D, input)
    while num.ndim == 2 and num.shape[1] > 1 and not num[:, 0].any():  # tf2zpk would warn of them
        num = num[:, 1:]
    zeros, poles, gain = scipy.signal.tf2zpk(num, den)
    values = np.linalg.eigvals(scipy.signal.abcd_normalize(A, B, C, D)[0])
    if values.size == poles.size:
        poles = values[linear_sum_assignment(abs(poles[:, None] - values))[1]]
    return zeros, poles, gain


@on_host
def cont2discrete(system, dt, method="zoh", alpha=None):
    """As `scipy.signal.cont2discrete`; see `ss2tf`."""
    forms = {2: (scipy.signal.tf2ss, ss2tf), 3: (scipy.signal.zpk2ss, ss2zpk)}
    if isinstance(system, scipy.signal.lti) or len(system) not in forms:
        return scipy.signal.cont2discrete(system, dt, method, alpha)
    to, back = forms[len(system)]
    return *back(*scipy.signal.cont2discrete(to(*system), dt, method, alpha)[:4]), dt


# ---- linear systems; their responses are in _systems.py
bode = library(scipy.signal.bode)
freqresp = library(scipy.signal.freqresp)
place_poles = library(scipy.signal.place_poles)

# ---- peaks over a continuous wavelet transform
find_peaks_cwt = library(scipy.signal.find_peaks_cwt)


class _HostClass(type):
    """A class that makes SciPy's objects, from arrays of any kind; isinstance and class methods are those of SciPy's class.

    A class derived from it is derived from SciPy's.
    """

    def __new__(meta, name, bases, body):
        if "mirrors" in body:
            return super().__new__(meta, name, bases, body)
        return types.new_class(name, tuple(getattr(b, "mirrors", b) for b in bases), exec_body=lambda new: new.update(body))

    def __call__(cls, *system, **kwargs):
        system = dispatch.to_host(tuple(system))
        if len(system) == 4:
            system = (with_fractions(system[0]), *system[1:])
        return cls.mirrors(*system, **{name: dispatch.to_host(value) for name, value in kwargs.items()})

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.mirrors)

    def __subclasscheck__(cls, subclass):
        return issubclass(getattr(subclass, "mirrors", subclass), cls.mirrors)

    def __getattr__(cls, name):
        return getattr(cls.mirrors, name)

    @property
    def __signature__(cls):
        return inspect.signature(cls.mirrors)


class lti(metaclass=_HostClass):
    """As `scipy.signal.lti`; a SciPy object on the host."""

    mirrors, gpusci_status = scipy.signal.lti, "library"


class dlti(metaclass=_HostClass):
    """As `scipy.signal.dlti`; a SciPy object on the host."""

    mirrors, gpusci_status = scipy.signal.dlti, "library"


class StateSpace(metaclass=_HostClass):
    """As `scipy.signal.StateSpace`; a SciPy object on the host."""

    mirrors, gpusci_status = scipy.signal.StateSpace, "library"


class TransferFunction(metaclass=_HostClass):
    """As `scipy.signal.TransferFunction`; a SciPy object on the host."""

    mirrors, gpusci_status = scipy.signal.TransferFunction, "library"


class ZerosPolesGain(metaclass=_HostClass):
    """As `scipy.signal.ZerosPolesGain`; a SciPy object on the host."""

    mirrors, gpusci_status = scipy.signal.ZerosPolesGain, "library"
