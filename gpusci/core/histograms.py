"""Counting into bins with NumPy's names: bincount, digitize, the histograms.

Counts are integers, added atomically, so they are the same on every run; weights are sorted by bin first and summed bin by
bin, in the order of the data. Sizes and ranges that NumPy takes from the data (bincount's length, a histogram without
`range=`) are read back: one wait for the GPU.
"""

import operator

import numpy as np

from gpusci.core import reduction
from gpusci.core._ndarray import ndarray, new
from gpusci.core.constants import constant
from gpusci.core.kernel import BlockKernel, Kernel
from gpusci.core.numpylike import numpy_like, to_device_array
from gpusci.core.radix import contiguous

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]

SHARED_BINS = 8192  # `most` in search.h
CHUNK = 16384  # elements a block counts at least
BINS = "ptr x, ptr edges, ptr y, i64 size, i64 bins, i64 chunk, f64 first, f64 last"
count_bins = Kernel("count_bins", "gpusci/search.h", template="Bin X E Reach", args=BINS,
                    first=["own_bin q d int32_t", "equal_bin f d int32_t", "edge_bin d d int32_t"])  # fmt: skip
which_bin = Kernel("which_bin", "gpusci/search.h", template="Bin X E Reach", args=BINS, first=["equal_bin f d int32_t"])
count_bins_block = BlockKernel("count_bins_block", "gpusci/search.h", template="Bin X E Reach", args=BINS,
                               first=["own_bin q d int32_t", "equal_bin f d int32_t"])  # fmt: skip


def _count(kind, x, edges, bins, first=0.0, last=0.0):
    """How many elements of a contiguous x are in each bin."""
    from gpusci.core.creation import zeros

    y = zeros((bins,), np.int64, device=x.device)
    template = (kind, x.dtype, edges.dtype if edges is not None else np.dtype(np.float64), reduction.reach(x))
    chunk = max(CHUNK, 16 * bins)  # a block's own bins are cleared and added up for so many elements
    args = (x, edges, y, x.size, bins, chunk, first, last)
    if reduction.has_blocks(x.device) and bins <= SHARED_BINS:
        count_bins_block(-(-x.size // chunk), template, *args)
    else:
        count_bins(x.size, template, *args)
    return y


def _which(kind, x, edges, bins, first=0.0, last=0.0):
    """The bin of each element, -1 for those in none."""
    y = new(x.shape, np.int64, x.device)
    which_bin(x.size, (kind, x.dtype, edges.dtype, reduction.reach(x)), x, edges, y, x.size, bins, 0, first, last)
    return y


def _sum_by_bin(bin_of, weights, bins):
    """Sums of weights by bin (elements of bin -1 are dropped), each in the order of the data."""
    import gpusci as gs
    from gpusci.core.ufunc_methods import segment_sums

    order = gs.argsort(bin_of, stable=True)
    line = gs.take(weights, order)
    edges = gs.searchsorted(gs.take(bin_of, order), gs.arange(bins + 1, device=weights.device))
    return segment_sums(line, edges)


@numpy_like
def bincount(x, /, weights=None, minlength=0):
    """As `numpy.bincount`; waits for the GPU, since the largest value gives the length."""
    import gpusci as gs

    listed = not isinstance(x, (ndarray, np.ndarray))
    x = to_device_array(x, weights.device if isinstance(weights, ndarray) else None)
    minlength = operator.index(minlength)
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if x.ndim != 1:
        raise ValueError("object too deep for desired array: bincount takes a 1-d array")
    harmless = x.size == 0 and (listed or x.dtype.kind == "u")      # an empty list has no kind of its own
    if not harmless and not np.can_cast(x.dtype, np.int64, "safe"):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to dtype('int64') according to the rule 'safe'")
    x = contiguous(x if x.dtype.kind in "iu" else x.astype(np.int64))
    if weights is not None:
        weights = to_device_array(weights, x.device)
        if not np.can_cast(weights.dtype, np.float64, "safe"):
            raise TypeError(f"Cannot cast weights from {weights.dtype!r} to dtype('float64') according to the rule 'safe'")
        if weights.shape != x.shape:
            raise ValueError("The weights and list don't have the same length.")
    bins = minlength
    if x.size:
        low, high = (int(v) for v in gs.stack([gs.min(x), gs.max(x)]).numpy())
        if low < 0:
            raise ValueError("'list' argument must have no negative elements")
        bins = max(minlength, high + 1)
    if weights is None:
        return _count("own_bin", x, None, bins)
    return _sum_by_bin(x, weights.astype(np.float64, copy=False), bins)


@numpy_like
def digitize(x, bins, right=False):
    """As `numpy.digitize`; waits for the GPU to see that the bins are monotonic."""
    import gpusci as gs

    x = to_device_array(x, bins.device if isinstance(bins, ndarray) else None)
    bins = to_device_array(bins, x.device)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.ndim != 1:
        raise ValueError("object of too small depth for desired array: bins must be 1-d")
    up, down = True, False
    if bins.size > 1:
        step = gs.stack([gs.any(bins[1:] < bins[:-1]), gs.any(bins[1:] > bins[:-1])]).numpy()
        up, down = not step[0], step[0] and not step[1]
    if not up and not down:
        raise ValueError("bins must be monotonically increasing or decreasing")
    side = "left" if right else "right"
    if not up:
        return bins.size - gs.searchsorted(bins[::-1], x, side=side)
    return gs.searchsorted(bins, x, side=side)


# ---- edges
def _outer_edges(a, range):
    """First and last edge, as Python or NumPy scalars of a's dtype."""
    import gpusci as gs

    if range is not None:
        first, last = (float(e) if isinstance(e, ndarray) else e for e in range)
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif not a.size:
        first, last = 0, 1
    else:
        first, last = gs.stack([gs.min(a), gs.max(a)]).numpy()
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _spread(a):
    """Largest less smallest, as a float: ptp of small integers would overflow."""
    import gpusci as gs

    low, high = (v.item() for v in gs.stack([gs.min(a), gs.max(a)]).numpy())
    return float(high - low)


def _width_doane(a, n):
    import gpusci as gs

    if n <= 2:
        return 0.0
    sigma = float(gs.std(a))
    if sigma <= 0:
        return 0.0
    g = float(gs.mean(((a - gs.mean(a)) / sigma) ** 3))
    error = np.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    return _spread(a) / (1.0 + np.log2(n) + np.log2(1.0 + abs(g) / error))


def _width_fd(a, n):
    import gpusci as gs

    low, high = (float(v) for v in gs.percentile(a, [25, 75]).numpy())
    return 2.0 * (high - low) * n ** (-1.0 / 3.0)


def _width_stone(a, n):
    spread = _spread(a)
    if n <= 1 or spread == 0:
        return 0.0

    def risk(bins):
        p = histogram(a, bins, (float(a.min()), float(a.max())))[0].numpy() / n
        return (2 - (n + 1) * p.dot(p)) / (spread / bins)

    most = max(100, int(np.sqrt(n)))
    best = min(range_of(1, most + 1), key=risk)
    return spread / best


range_of = range


# Bin widths by name: Sturges (1926), Scott (1979), Freedman and Diaconis (1981), Doane (1976), Stone (1984).
WIDTHS = {
    "sqrt": lambda a, n: _spread(a) / np.sqrt(n),
    "rice": lambda a, n: _spread(a) / (2.0 * n ** (1.0 / 3)),
    "sturges": lambda a, n: _spread(a) / (np.log2(n) + 1.0),
    "scott": lambda a, n: (24.0 * np.pi**0.5 / n) ** (1.0 / 3.0) * float(a.std()),
    "doane": _width_doane,
    "fd": _width_fd,
    "stone": _width_stone,
}


def _width_auto(a, n):
    fd, sturges = _width_fd(a, n), WIDTHS["sturges"](a, n)
    # The larger number of bins, but at most one per element that sqrt allows when fd would make very many.
    fd = max(fd, WIDTHS["sqrt"](a, n) / 2)
    return min(fd, sturges) if fd else sturges


def _named_bins(a, name, first, last, range, weights):
    if name != "auto" and name not in WIDTHS:
        raise ValueError(f"{name!r} is not a valid estimator for `bins`; use auto, {', '.join(WIDTHS)}")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    if range is not None:
        a = a[(a >= first) & (a <= last)]
    if not a.size:
        return 1
    width = (_width_auto if name == "auto" else WIDTHS[name])(a, a.size)
    if not width:
        return 1
    if a.dtype.kind in "iu" and width < 1:
        width = 1
    return int(np.ceil((float(last) - float(first)) / width))


def _edges(a, bins, range, weights):
    """(edges, count of equal bins or None): edges are NumPy's when equal, else an array on a's device."""
    if isinstance(bins, str):
        first, last = _outer_edges(a, range)
        count = _named_bins(a, bins, first, last, range, weights)
    elif np.ndim(bins) == 0:
        try:
            count = operator.index(bins.item() if isinstance(bins, ndarray) else bins)
        except TypeError as error:
            raise TypeError("`bins` must be an integer, a string, or an array") from error
        if count < 1:
            raise ValueError("`bins` must be positive, when an integer")
        first, last = _outer_edges(a, range)
    elif np.ndim(bins) == 1:
        edges = to_device_array(bins, a.device)
        if bool((edges[:-1] > edges[1:]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges, None
    else:
        raise ValueError("`bins` must be 1d, when an array")
    dtype = np.result_type(first, last, a.dtype)
    if dtype.kind in "biu":
        dtype = np.result_type(dtype, float)
    edges = np.linspace(first, last, count + 1, dtype=dtype)
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")
    return edges, count


def _data(a, weights):
    a = to_device_array(a, weights.device if isinstance(weights, ndarray) else None)
    if a.dtype.kind == "b":
        a = a.view(np.uint8)
    if weights is not None:
        weights = to_device_array(weights, a.device)
        if weights.shape != a.shape:
            raise ValueError("weights should have the same shape as a.")
        weights = weights.reshape(-1)
    return a.reshape(-1), weights


@numpy_like
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """As `numpy.histogram_bin_edges`."""
    a, weights = _data(a, weights)
    edges, _ = _edges(a, bins, range, weights)
    return edges if isinstance(edges, ndarray) else to_device_array(edges, a.device)


@numpy_like
def histogram(a, bins=10, range=None, density=None, weights=None):
    """As `numpy.histogram`."""
    import gpusci as gs

    a, weights = _data(a, weights)
    edges, count = _edges(a, bins, range, weights)
    x = contiguous(a)
    if count is None or a.dtype.kind == "c":            # complex values go by their order: no bin can be computed
        edges = to_device_array(edges, a.device)
        table = contiguous(edges.astype(np.result_type(edges.dtype, a.dtype), copy=False))
        args = ("edge_bin", x, table, table.size - 1)
    else:
        first, last = float(edges[0]), float(edges[-1])
        args = ("equal_bin", x, constant(edges, a.device), count, first, last)
        edges = to_device_array(edges, a.device)
    if weights is None:
        n = _count(*args)
    else:
        n = _weighted(_which(*args), weights, args[3])
    if density:
        width = gs.diff(edges).astype(np.float64)
        return n / width / gs.sum(n), edges
    return n, edges


def _weighted(bin_of, weights, bins):
    """Sums of weights by bin in NumPy's dtype: the weights' own, integers exactly."""
    if weights.dtype.kind == "c":
        re, im = (_weighted(bin_of, part, bins) for part in (weights.real, weights.imag))
        return (re + 1j * im).astype(weights.dtype)
    loop = np.float64 if weights.dtype.kind == "f" else np.int64
    return _sum_by_bin(bin_of, weights.astype(loop, copy=False), bins).astype(weights.dtype, copy=False)


def _is_sequence(bins):
    return isinstance(bins, (list, tuple)) or getattr(bins, "ndim", 0) > 0


def _sample(sample):
    """The sample as (N, D)."""
    import gpusci as gs

    if isinstance(sample, (list, tuple)) and len(sample) and np.ndim(sample[0]) == 1:
        return gs.stack([to_device_array(s) for s in sample], axis=1)
    x = to_device_array(sample)
    return x if x.ndim == 2 else gs.atleast_2d(x).T


@numpy_like
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """As `numpy.histogramdd`."""
    import gpusci as gs

    x = _sample(sample)
    n, dims = x.shape
    weights = None if weights is None else to_device_array(weights, x.device)
    if not _is_sequence(bins):
        bins = dims * [bins]
    if len(bins) != dims:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is None:
        range = (None,) * dims
    elif len(range) != dims:
        raise ValueError("range argument must have one entry per dimension")
    edges, place, shape = [], None, []
    for d in range_of(dims):
        given = bins[d]
        if not _is_sequence(given) and operator.index(given) < 1:
            raise ValueError(f"`bins[{d}]` must be positive, when an integer")
        found, count = _edges(x[:, d], given, range[d], weights)
        edge = found if count is None else to_device_array(found, x.device)
        edges.append(edge)
        k = gs.searchsorted(edge, x[:, d], side="right")
        k = gs.where(x[:, d] == edge[-1], k - 1, k)
        shape.append(edge.size + 1)
        place = k if place is None else place * shape[-1] + k
    total = int(np.prod(shape))
    if weights is None:
        hist = bincount(place, minlength=total).astype(np.float64)
    else:
        hist = bincount(place, weights, minlength=total)
    hist = hist.reshape(shape)[(slice(1, -1),) * dims]
    if density:
        whole = gs.sum(hist)
        for d in range_of(dims):
            hist = hist / gs.diff(edges[d]).reshape(tuple(-1 if k == d else 1 for k in range_of(dims)))
        hist = hist / whole
    return contiguous(hist), tuple(edges)


@numpy_like
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """As `numpy.histogram2d`."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if _is_sequence(bins) and len(bins) not in (1, 2):
        bins = [to_device_array(bins), to_device_array(bins)]
    hist, edges = histogramdd([x, y], bins, range, density, weights)
    return hist, edges[0], edges[1]
