"""Filter and system design: SciPy's own functions, on the host in float64, with the rule of kinds.

Imported at the first use of one of its names, since SciPy's signal package takes a second to import.
"""

import inspect
import types

import scipy.signal

from gpusci.core import dispatch
from gpusci.signal._coefficients import library

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
firwin_2d = library(scipy.signal.firwin_2d)
minimum_phase = library(scipy.signal.minimum_phase)
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
ss2tf = library(scipy.signal.ss2tf)
ss2zpk = library(scipy.signal.ss2zpk)
tf2sos = library(scipy.signal.tf2sos)
tf2ss = library(scipy.signal.tf2ss)
tf2zpk = library(scipy.signal.tf2zpk)
unique_roots = library(scipy.signal.unique_roots)
zpk2sos = library(scipy.signal.zpk2sos)
zpk2ss = library(scipy.signal.zpk2ss)
zpk2tf = library(scipy.signal.zpk2tf)

# ---- linear systems
bode = library(scipy.signal.bode)
cont2discrete = library(scipy.signal.cont2discrete)
dbode = library(scipy.signal.dbode)
dfreqresp = library(scipy.signal.dfreqresp)
dimpulse = library(scipy.signal.dimpulse)
dlsim = library(scipy.signal.dlsim)
dstep = library(scipy.signal.dstep)
freqresp = library(scipy.signal.freqresp)
impulse = library(scipy.signal.impulse)
lsim = library(scipy.signal.lsim)
place_poles = library(scipy.signal.place_poles)
step = library(scipy.signal.step)

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
        return cls.mirrors(*dispatch.to_host(tuple(system)), **{name: dispatch.to_host(value) for name, value in kwargs.items()})

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
