"""Statistics of labelled regions. As `scipy.ndimage`.

`labels` gives every element's region, `index` the regions asked for: without both, the whole array counts; with labels alone, all
of the positive labels together; with a scalar index one region. Regions that do not occur have sum 0 and mean NaN.
Sums are accumulated in float64; on a GPU their order, and so the last place of a sum, may differ from run to run.
"""

import numpy as np

import gpusci as gs
from gpusci.core import constant, cpp_name, ndarray, public
from gpusci.ndimage import _measure_kernels as kernels


class Regions:
    """The regions asked for and their table on the device: one slot a distinct label, a place in it for each of `index`."""

    def __init__(self, labels, index):
        self.labels = gs.ascontiguousarray(labels)
        host = index if not isinstance(index, ndarray) else None
        host = np.asarray(host) if host is not None else None
        for dtype in (labels.dtype, index.dtype if host is None else host.dtype):
            if dtype.kind not in "biuf":
                raise TypeError(f"labels and their index are real numbers, not {dtype}")
        self.shape = tuple(np.shape(index)) if host is not None else index.shape
        self.sorted, self.first, self.place = None, 0, None
        if host is not None and host.size and host.dtype.kind in "iu" and _ascends(host.reshape(-1)):
            self.count, self.first = host.size, int(host.reshape(-1)[0])
            return
        if host is not None:
            distinct, place = np.unique(host.reshape(-1), return_inverse=True)
            index, self.place = constant(distinct, labels.device), constant(place.reshape(-1), labels.device)
        else:
            # On the device, without knowing how many are distinct: equal labels share the first one's slot.
            wanted = index.reshape(-1)
            index = gs.sort(wanted)
            self.place = gs.searchsorted(index, wanted)
        common = np.promote_types(index.dtype, self.labels.dtype)
        self.sorted, self.labels = index.astype(common, copy=False), self.labels.astype(common, copy=False)
        self.count = self.sorted.size

    def scan(self, field, x, a=None, b=None, c=None):
        """Run a field's kernel over the pixels; its tables are a, b, c."""
        n = self.labels.size
        if not n or not self.count:
            return
        slots = (self.sorted, self.count, self.first)
        dtype = np.dtype(np.float64) if x is None else x.dtype
        if field == "SumField" and self.labels.device.kind == "cuda":
            kernels.measure_sums(-(-n // 8192), (dtype, self.labels.dtype), x, self.labels, n, *slots, a, b, c)
            return
        template = (f"{field}<{cpp_name(dtype)}>", dtype, self.labels.dtype)
        kernels.measure(-(-n // 128), template, x, self.labels, n, *slots, a, b, c)

    def spread(self, table):
        """A table's values for every entry of `index`, in its shape."""
        out = table if self.place is None else table[self.place]
        return out.reshape(self.shape)

    def zeros(self, dtype):
        return gs.zeros(self.count, dtype, device=self.labels.device)

    def sums(self, x, centre=None):
        """(count, sum of x or of squared distances from the centres) per slot."""
        count, total = self.zeros(np.int64), self.zeros(np.float64)
        self.scan("SumField", x, count, total, centre)
        return count, total


def _ascends(index):
    return index.size == 1 or bool((np.diff(index.astype(np.int64)) == 1).all())


def _prepare(input, labels, index):
    """input and labels of one shape, contiguous; the selected elements when the question is about one group."""
    if labels is None:
        return gs.ascontiguousarray(input).reshape(-1), None
    try:
        input, labels = gs.broadcast_arrays(input, labels)
    except ValueError:
        raise ValueError(f"labels of shape {labels.shape} do not broadcast with input of shape {input.shape}") from None
    if index is None:
        return input[labels > 0], None
    if _is_one(index):
        return input[labels == index], None
    return gs.ascontiguousarray(input), Regions(labels, index)


def _is_one(index):
    """Whether one region is asked for, not an array of them."""
    return np.isscalar(index) or isinstance(index, (ndarray, np.ndarray)) and index.ndim == 0


def _nan(x):
    """The mean of no elements of x."""
    return gs.asarray(np.asarray(np.nan, complex if x.dtype.kind == "c" else float), device=x.device)


def _sum_tables(x, regions):
    """(count, sum) per slot, complex sums from two passes."""
    if x.dtype.kind != "c":
        return regions.sums(x)
    count, real = regions.sums(gs.ascontiguousarray(x.real))
    return count, real + 1j * regions.sums(gs.ascontiguousarray(x.imag))[1]


@public("input", "labels")
def sum_labels(input, labels=None, index=None):
    """Sum of each region. As `scipy.ndimage.sum_labels`: float64 for an array of regions."""
    x, regions = _prepare(input, labels, index)
    return x.sum() if regions is None else regions.spread(_sum_tables(x, regions)[1])


@public("input", "labels")
def sum(input, labels=None, index=None):
    """Sum of each region: the old name of `sum_labels`."""
    return sum_labels(input, labels, index)


@public("input", "labels")
def mean(input, labels=None, index=None):
    """Mean of each region; NaN for an empty one. As `scipy.ndimage.mean`."""
    x, regions = _prepare(input, labels, index)
    if regions is None:
        return x.sum() / np.float64(x.size) if x.size else _nan(x)
    count, total = _sum_tables(x, regions)
    return regions.spread(total / count)


def _variance(input, labels, index):
    x, regions = _prepare(input, labels, index)
    if regions is None:
        if not x.size:
            return _nan(x)
        centred = x - x.mean()
        return (centred * centred.conj()).sum() / np.float64(x.size)
    if x.dtype.kind == "c":
        parts = [gs.ascontiguousarray(part) for part in (x.real, x.imag)]
        sums = [regions.sums(part) for part in parts]
        spread = [regions.sums(part, total / count)[1] for part, (count, total) in zip(parts, sums, strict=True)]
        return regions.spread((spread[0] + spread[1]) / sums[0][0])
    count, total = regions.sums(x)
    return regions.spread(regions.sums(x, total / count)[1] / count)


@public("input", "labels")
def variance(input, labels=None, index=None):
    """Mean squared distance from the region's mean, in two passes. As `scipy.ndimage.variance`."""
    return _variance(input, labels, index)


@public("input", "labels")
def standard_deviation(input, labels=None, index=None):
    """Square root of the variance of each region. As `scipy.ndimage.standard_deviation`."""
    return gs.sqrt(_variance(input, labels, index))


# ---- extremes
def _extreme_keys(x, regions):
    low, high = gs.full(regions.count, np.iinfo(np.uint64).max, np.uint64, device=x.device), regions.zeros(np.uint64)
    regions.scan("ExtremeField", x, low, high)
    return low, high


def _values(keys, x, present, regions):
    out = gs.empty(keys.size, x.dtype, device=x.device)
    kernels.from_order_key(keys.size, (x.dtype,), keys, out)
    return regions.spread(gs.where(present, out, gs.zeros((), x.dtype, device=x.device)))


def _complex_places(x, regions):
    """Flat positions of the first smallest and the last largest element per slot, and whether there is one: by real part,
    then by imaginary part, as NumPy sorts."""
    flat, order, start, stop = _in_order(x, regions)
    if not flat.size:
        nowhere = gs.zeros(regions.count, np.int64, device=x.device)
        return nowhere, nowhere, nowhere > 0
    last = flat.size - 1
    return order[gs.clip(start, 0, last)], order[gs.clip(stop - 1, 0, last)], stop > start


def _extremes(input, labels, index):
    """(minimum, maximum) per region; 0 for one that does not occur, as SciPy."""
    x, regions = _prepare(input, labels, index)
    if regions is None:
        return x.min(), x.max()
    if x.dtype.kind == "c":
        *places, present = _complex_places(x, regions)
        flat, zero = x.reshape(-1), gs.zeros((), x.dtype, device=x.device)
        return tuple(regions.spread(gs.where(present, flat[k] if flat.size else zero, zero)) for k in places)
    low, high = _extreme_keys(x, regions)
    present = low <= high
    return _values(low, x, present, regions), _values(high, x, present, regions)


@public("input", "labels")
def minimum(input, labels=None, index=None):
    """Smallest value of each region. As `scipy.ndimage.minimum`."""
    return _extremes(input, labels, index)[0]


@public("input", "labels")
def maximum(input, labels=None, index=None):
    """Largest value of each region. As `scipy.ndimage.maximum`."""
    return _extremes(input, labels, index)[1]


@public("input", "labels")
def median(input, labels=None, index=None):
    """Median of each region. As `scipy.ndimage.median`."""
    x, regions = _prepare(input, labels, index)
    if regions is None:
        return gs.median(x)
    flat, order, start, stop = _in_order(x, regions)
    if not flat.size:
        return regions.spread(gs.full(regions.count, np.nan, _wide(x.dtype), device=x.device))
    flat = flat[order]
    last, middle = flat.size - 1, start + stop
    low = flat[gs.clip((middle - 1) // 2, 0, last)]
    high = flat[gs.clip(middle // 2, 0, last)]
    wide = _wide(x.dtype)
    half = low.astype(wide) + (high.astype(wide) - low.astype(wide)) / wide.type(2)
    return regions.spread(gs.where(stop > start, half, gs.asarray(np.nan, wide, device=x.device)))


def _wide(dtype):
    return np.result_type(dtype, np.float64) if dtype.kind in "biu" else dtype


def _in_order(x, regions):
    """The flat values, their order by region and value, and where in it each region starts and stops."""
    flat, labels = x.reshape(-1), regions.labels.reshape(-1)
    wanted = regions.sorted
    if wanted is None:
        # In int64, which holds every index; labels past it belong to no region.
        wanted = gs.arange(regions.first, regions.first + regions.count, dtype=np.int64, device=x.device)
        if labels.dtype == np.uint64:
            labels = gs.minimum(labels, np.uint64(np.iinfo(np.int64).max))
        labels = labels.astype(np.int64, copy=False)
    keys = (flat.imag, flat.real) if flat.dtype.kind == "c" else (flat,)
    order = gs.lexsort((*keys, labels))
    labels = labels[order]
    return flat, order, gs.searchsorted(labels, wanted, "left"), gs.searchsorted(labels, wanted, "right")


def _positions(input, labels, index, which):
    """Position tuples of the extremes: `which` is 0 for the first smallest, 1 for the largest element."""
    shape = np.broadcast_shapes(input.shape, labels.shape) if labels is not None else input.shape
    if labels is None or index is None or _is_one(index):
        place = gs.arange(int(np.prod(shape, dtype=np.int64)), device=input.device).reshape(shape)
        chosen, _ = _prepare(input, labels, index)
        places, _ = _prepare(place, labels, index)
        at = gs.argmax(chosen) if which else gs.argmin(chosen)
        return _as_tuple(int(places[at]), shape)
    x, regions = _prepare(input, labels, index)
    if x.dtype.kind == "c":
        *places, present = _complex_places(x, regions)
        found = gs.where(present, places[which], 0)
    else:
        low, high = _extreme_keys(x, regions)
        place = gs.empty((regions.count, 2), np.int64, device=x.device)
        place[:, 0], place[:, 1] = x.size, 0
        regions.scan("PlaceField", x, low, high, place)
        found = gs.where(low <= high, place[:, which], 0)
    flat = regions.spread(found).numpy().reshape(-1).tolist()
    return [_as_tuple(k, shape) for k in flat]


def _as_tuple(k, shape):
    return tuple(int(c) for c in np.unravel_index(k, shape)) if shape else ()


@public("input", "labels")
def minimum_position(input, labels=None, index=None):
    """Position of the smallest element of each region, the first of equal ones. As `scipy.ndimage.minimum_position`.

    Tuples of Python integers: the call waits for the GPU.
    """
    return _positions(input, labels, index, 0)


@public("input", "labels")
def maximum_position(input, labels=None, index=None):
    """Position of the largest element of each region. As `scipy.ndimage.maximum_position`.

    Of equal ones the last for an array of regions, the first otherwise, as SciPy. Tuples: the call waits for the GPU.
    """
    return _positions(input, labels, index, 1)


@public("input", "labels")
def extrema(input, labels=None, index=None):
    """(minima, maxima, their positions). As `scipy.ndimage.extrema`; waits for the GPU."""
    low, high = _extremes(input, labels, index)
    return low, high, _positions(input, labels, index, 0), _positions(input, labels, index, 1)


@public("input", "labels")
def center_of_mass(input, labels=None, index=None):
    """Mean position weighted by the values, as tuples of floats. As `scipy.ndimage.center_of_mass`; waits for the GPU."""
    if input.ndim == 0:
        raise IndexError("a 0-d array has no axes for a centre of mass to lie on: reshape it to (1,)")
    normalizer = np.asarray(_host(sum_labels(input, labels, index)))
    results = []
    for d in range(input.ndim):
        along = gs.arange(input.shape[d], device=input.device).reshape([-1 if k == d else 1 for k in range(input.ndim)])
        with np.errstate(divide="ignore", invalid="ignore"):
            results.append(np.asarray(_host(sum_labels(input * along, labels, index))) / normalizer)
    if np.ndim(results[0]) == 0:
        return tuple(map(np.float64, results)) if input.dtype.kind != "c" else tuple(results)
    return [tuple(v) for v in np.array(results).T]


def _host(x):
    return x.numpy() if isinstance(x, ndarray) else x


@public("input", "labels")
def histogram(input, min, max, bins, labels=None, index=None):
    """Histogram of each region over equal bins of [min, max]. As `scipy.ndimage.histogram`: int64 counts, or an object array of NumPy
    counts (None for a region without elements)."""
    if labels is None and index is not None:
        raise ValueError("index without defined labels: give labels as well")
    edges = np.linspace(min, max, bins + 1)

    def counts(values):
        return gs.histogram(values, gs.asarray(edges, device=values.device))[0]

    x, regions = _prepare(input, labels, index)
    if regions is None:
        return None if index is not None and x.size == 0 else counts(x)
    labels = regions.labels.reshape(x.shape)
    wanted = np.asarray(_host(index))
    out = np.empty(wanted.shape, object)
    for place in np.ndindex(wanted.shape):
        values = x[labels == wanted[place].item()]
        out[place] = counts(values).numpy() if values.size else None
    return out


@public("input", "labels")
def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    """`func` of each region's values. As `scipy.ndimage.labeled_comprehension`.

    func is a Python callable, given NumPy arrays on the host: the data is copied there. Raises ValueError for a wrong
    combination of labels and index.
    """
    import scipy.ndimage

    result = scipy.ndimage.labeled_comprehension(
        _host(input), _host(labels), _host(index), func, out_dtype, default, pass_positions
    )
    # Python objects stay on the host.
    return result if np.asarray(result).dtype == object else gs.asarray(result, device=input.device)
