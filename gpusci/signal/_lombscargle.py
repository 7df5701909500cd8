"""Periodograms of unevenly sampled data."""

import functools

import gpusci as gs
from gpusci.core import new, public
from gpusci.core.callers import warn
from gpusci.signal import _kernels
from gpusci.signal._lines import contiguous, has_blocks, refuse

_NOT_GIVEN = object()


def _positions_too(function):
    """Takes the options by position, with a DeprecationWarning, as SciPy does before 1.19."""
    names = ("precenter", "normalize", "weights", "floating_mean")

    @functools.wraps(function)
    def taking(x, y, freqs, *late, **options):
        if late:
            given = dict(zip(names, late, strict=False))
            if len(late) > len(names) or given.keys() & options.keys():
                raise TypeError(f"lombscargle() takes x, y, freqs and, by keyword, {', '.join(names)}, each once")
            late = ", ".join(given)
            warn(f"You are passing {late} by position: use keyword arguments, SciPy 1.19 takes no others", DeprecationWarning)
            options |= given
        return function(x, y, freqs, **options)

    return taking


@_positions_too
@public("x", "y", "freqs", "weights")
def lombscargle(x, y, freqs, *, precenter=_NOT_GIVEN, normalize=False, weights=None, floating_mean=False):
    """As `scipy.signal.lombscargle`: `freqs` are angular, in radians per unit of x.

    Weights on a GPU that are negative, or all zero, raise ValueError at the next wait for that GPU.
    """
    if not (x.ndim == 1 and x.size > 0 and x.shape == y.shape and (weights is None or weights.shape == x.shape)):
        raise ValueError("Parameters x, y, weights must be 1-D arrays of equal non-zero length!")
    if not (freqs.ndim == 1 and freqs.size > 0):
        raise ValueError("Parameter freqs must be a 1-D array of non-zero length!")
    if isinstance(normalize, bool):
        normalize = "normalize" if normalize else "power"
    if normalize not in ("power", "normalize", "amplitude"):
        raise ValueError("Normalize must be: False (or 'power'), True (or 'normalize'), or 'amplitude'.")
    x, y, freqs = (contiguous(a.astype(float, copy=False)) for a in (x, y, freqs))
    if weights is None:
        weights = gs.full(x.shape, 1.0 / x.size, float, device=x.device)
    else:
        weights = weights.astype(float, copy=False)
        total = weights.sum()
        refuse(weights, "weight")
        refuse(total, "weights")
        weights = weights * (1.0 / total)
    if precenter is not _NOT_GIVEN:
        warn(
            "Use of parameter 'precenter' is deprecated as of SciPy 1.17.0: leave 'precenter' unspecified and pass "
            "y - y.mean(), or consider floating_mean=True",
            DeprecationWarning,
        )
        y = y - y.mean() if precenter else y
    return _periodogram(x, y, freqs, weights, normalize, floating_mean)


def _periodogram(x, y, freqs, weights, normalize, floating_mean):
    device, count = x.device, freqs.size
    weighted = weights * y
    mean = weighted.sum() if floating_mean else None
    amplitude = normalize == "amplitude"
    a, b, tau = (new(count, float, device) if amplitude else None for _ in range(3))
    power = None if amplitude else new(count, float, device)
    scale = x.size / 4.0 if normalize == "power" else 0.5
    call = (weights, weighted, freqs, a, b, tau, power, x.size, count, int(bool(floating_mean)), mean, scale)
    if has_blocks(device):
        _kernels.lombscargle_block(-(-count // 4), (), x, *call)
    else:
        _kernels.lombscargle(count, (), x, *call, cost=2 * x.size)
    if amplitude:
        result = (a + 1j * b) * gs.exp(1j * tau)
    elif normalize == "normalize":
        variance = (weighted * y).sum()
        result = power / (variance - mean * mean if floating_mean else variance)
    else:
        result = power
    return result.reshape(()) if count == 1 else result
