"""filtfilt with Gustafsson's initial states (IEEE Trans. SP 44 (1996) 988)."""

import functools

import numpy as np

import gpusci as gs
from gpusci.signal._lines import from_lines, to_lines

CACHED = 4096  # samples: tables of longer responses are not worth their memory


def filtfilt_gust(b, a, x, axis, irlen):
    """Forward-backward filtering whose initial states make the result the same from both ends.

    With y_fb the forward-backward and y_bf the backward-forward result from zero states, the states u solve the
    least-squares problem M u = y_bf - y_fb, and y = y_fb + W u.
    """
    from gpusci.signal._iir import lfilter

    order = max(len(a), len(b)) - 1
    if order == 0:
        return x * (b[0] / a[0] * (b[0] / a[0]).conjugate())
    lines = to_lines(x, axis)
    n = lines.shape[1]
    m = n if irlen is None or n <= 2 * irlen else irlen
    tables = _small_tables if m <= CACHED else _tables
    inverse, W = (gs.constant(table, x.device) for table in tables(b.tobytes(), b.dtype, a.tobytes(), a.dtype, m, m == n))
    back = b.conj(), a.conj()
    fb = gs.ascontiguousarray(lfilter(*back, lfilter(b, a, lines)[:, ::-1])[:, ::-1])
    bf = lfilter(b, a, lfilter(*back, lines[:, ::-1])[:, ::-1])
    delta = bf - fb
    if m < n:
        delta = gs.concatenate([delta[:, :m], delta[:, n - m :]], axis=1)
    # u = pinv(M) delta and W u for every line: small matrix products on the device.
    correction = gs.matmul(gs.matmul(delta, inverse), W)
    if m == n:
        fb += correction
    else:
        fb[:, :m] += correction[:, :m]
        fb[:, n - m :] += correction[:, m:]
    return from_lines(fb, x.shape, axis)


def _tables(b, b_dtype, a, a_dtype, m, whole):
    """pinv(M) and W, transposed."""
    b, a = np.frombuffer(b, b_dtype), np.frombuffer(a, a_dtype)
    M, W = _systems(b, a, max(len(a), len(b)) - 1, m, whole)
    return np.ascontiguousarray(np.linalg.pinv(M).T), np.ascontiguousarray(W.T)


_small_tables = functools.lru_cache(8)(_tables)


def _systems(b, a, order, m, whole):
    """M and W for m samples: responses to the initial states of the forward and of the backward run."""
    from gpusci.signal._iir import lfilter

    observed = np.zeros((m, order), np.result_type(b, a, float))
    unit = np.zeros(order, observed.dtype)
    unit[0] = 1
    observed[:, 0] = lfilter(b, a, np.zeros(m), zi=unit)[0]
    for k in range(1, order):
        observed[k:, k] = observed[:-k, 0]
    filtered = lfilter(b.conj(), a.conj(), observed[::-1], axis=0)
    forward, backward = filtered[::-1], observed[::-1].conj()
    filtered = filtered.conj()  # the forward run of `backward`
    if whole:
        return np.hstack([forward - observed, backward - filtered]), np.hstack([forward, backward])
    zeros = np.zeros((m, order))
    M = np.block([[forward - observed, zeros], [zeros, backward - filtered]])
    return M, np.block([[forward, zeros], [zeros, backward]])
