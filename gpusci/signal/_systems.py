"""Responses of linear systems: SciPy's conversions, on the host, with simulations in a type that holds the result.

`lsim`, `impulse` and `step` are SciPy's, given states of a type that is not narrower than what they add up; the discrete ones are
computed here.
"""

import numpy as np
import scipy.signal
from scipy.interpolate import make_interp_spline

from gpusci.signal._coefficients import on_host

NEAR = 1e-9  # relative: a time this close to a multiple of the step is meant to be one


# ---- continuous
def _continuous(system, name, *added):
    """(A, B, C, D) with an A of a type that holds its products with `added`: SciPy's states have the type of A."""
    if isinstance(system, scipy.signal.dlti):
        raise AttributeError(f"{name} can only be used with continuous-time systems.")
    s = (system if isinstance(system, scipy.signal.lti) else scipy.signal.lti(*system)).to_ss()
    A = with_fractions(s.A)
    if any(np.iscomplexobj(x) for x in (s.B, *added)):
        A = A.astype(np.result_type(A, np.complex64), copy=False)
    return A, s.B, s.C, s.D


def with_fractions(A):
    """A state matrix of floats: SciPy's simulations truncate the states of one of integers."""
    A = np.asarray(A)
    return A.astype(float) if A.dtype.kind in "biu" else A


@on_host
def lsim(system, U, T, X0=None, interp=True):
    """As `scipy.signal.lsim`, for integer and complex systems, inputs and states, too."""
    return scipy.signal.lsim(_continuous(system, "lsim", U, X0), U, T, X0, interp)


@on_host
def impulse(system, X0=None, T=None, N=None):
    """As `scipy.signal.impulse`, for integer and complex systems and states of any number, too."""
    matrices = _continuous(system, "impulse", X0)
    A, B, C, D = matrices
    if X0 is not None and np.ndim(X0) == 1 and B.shape[1] == 1:
        X0 = np.reshape(X0, (-1, 1))
    return scipy.signal.impulse(matrices, X0, T, N)


@on_host
def step(system, X0=None, T=None, N=None):
    """As `scipy.signal.step`, for integer and complex systems and states, too."""
    return scipy.signal.step(_continuous(system, "step", X0), X0, T, N)


# ---- discrete
def _discrete(system, name):
    """A `dlti` object."""
    if isinstance(system, scipy.signal.lti):
        raise AttributeError(f"{name} can only be used with discrete-time dlti systems.")
    return system if isinstance(system, scipy.signal.dlti) else scipy.signal.dlti(*system[:-1], dt=system[-1])


def _steps(stop, dt):
    """Steps of dt from zero up to the time `stop`, which may have been rounded."""
    steps = stop / dt
    nearest = np.rint(steps)
    return int(nearest if abs(steps - nearest) <= NEAR * max(1.0, abs(nearest)) else np.floor(steps))


def _simulate(s, u, x0):
    """Outputs and states of a discrete StateSpace for the inputs u, (steps, inputs)."""
    A, B, C, D = (np.asarray(m) for m in (s.A, s.B, s.C, s.D))
    x0 = np.zeros(A.shape[1]) if x0 is None else np.asarray(x0)
    x = np.zeros((len(u), len(A)), np.result_type(A, B, C, D, u, x0, float))
    added = u @ B.T
    if len(x):
        x[0] = x0
    for i in range(len(x) - 1):
        x[i + 1] = A @ x[i] + added[i]
    return x @ C.T + u @ D.T, x


@on_host
def dlsim(system, u, t=None, x0=None):
    """As `scipy.signal.dlsim`: complex where the system, its inputs or states are; outputs at the multiples of dt up to t[-1]."""
    system = _discrete(system, "dlsim")
    s, u = system.to_ss(), np.atleast_1d(u)
    if u.ndim == 1:
        u = u[:, None]
    if t is None:
        times = np.linspace(0.0, (len(u) - 1) * s.dt, num=len(u))
    else:
        times = np.arange(_steps(t[-1], s.dt) + 1) * s.dt
        if np.isclose(times[-1], t[-1], rtol=NEAR, atol=0):
            times = np.linspace(0.0, t[-1], num=len(times))
        u = make_interp_spline(t, u, k=1)(times)
    y, x = _simulate(s, u, x0)
    return (times, y, x) if isinstance(system, scipy.signal.StateSpace) else (times, y)


def _responses(system, name, x0, t, n, signal):
    """(times, outputs for each input): signal(n) is what one input has, the others have zeros."""
    s = _discrete(system, name).to_ss()
    n = 100 if n is None else n
    t = np.linspace(0, n * s.dt, n, endpoint=False) if t is None else np.asarray(t)
    times, outputs = t, []
    for i in range(s.inputs):
        u = np.zeros((len(t), s.inputs))
        u[:, i] = signal(len(t))
        times, y = dlsim(s, u, t=t, x0=x0)[:2]
        outputs.append(y)
    return times, tuple(outputs)


@on_host
def dimpulse(system, x0=None, t=None, n=None):
    """As `scipy.signal.dimpulse`; see `dlsim`."""
    return _responses(system, "dimpulse", x0, t, n, lambda n: np.eye(1, n)[0])


@on_host
def dstep(system, x0=None, t=None, n=None):
    """As `scipy.signal.dstep`; see `dlsim`."""
    return _responses(system, "dstep", x0, t, n, np.ones)


# ---- frequency responses of discrete systems
def _limit(num, den, z):
    """num(z) / den(z) where both are zero: the limit, by their derivatives; NaN where there is none."""
    zero = lambda p: abs(np.polyval(p, z)) <= 1e-12 * np.abs(p).sum()
    while zero(num) and zero(den) and len(num) > 1 and len(den) > 1:
        num, den = np.polyder(num), np.polyder(den)
    return np.nan if zero(den) else np.polyval(num, z) / np.polyval(den, z)


@on_host
def dfreqresp(system, w=None, n=10000, whole=False):
    """As `scipy.signal.dfreqresp`, with the limit where a zero and a pole on the unit circle cancel."""
    with np.errstate(invalid="ignore"):
        w, y = scipy.signal.dfreqresp(system, w, n, whole)
    lost = np.flatnonzero(np.isnan(y))
    if lost.size:
        s = _discrete(system, "dfreqresp").to_tf()
        y[lost] = [_limit(np.ravel(s.num), s.den, np.exp(1j * w[i])) for i in lost]
    return w, y


@on_host
def dbode(system, w=None, n=100):
    """As `scipy.signal.dbode`; see `dfreqresp`. A frequency without a response does not touch the phases of the others."""
    w, y = dfreqresp(system, w=w, n=n)
    phase, known = np.angle(y), np.isfinite(y)
    phase[known] = np.unwrap(phase[known])
    dt = system.dt if isinstance(system, scipy.signal.dlti) else system[-1]
    with np.errstate(divide="ignore"):
        return w / dt, 20.0 * np.log10(abs(y)), np.rad2deg(phase)
