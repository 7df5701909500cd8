"""Statistics of labelled regions. As `scipy.ndimage`.

`labels` gives every element's region, `index` the regions asked for: without both, the whole array counts; with labels alone, all
of the positive labels together; with a scalar index one region. Regions that do not occur have sum 0 and mean NaN.
Sums are accumulated in float64; on a GPU their order, and so the last place of a sum, may differ from run to run.
"""

import numpy as np

import gpusci as gs
from gpusci.core import constant, from_numpy, ndarray, public
from gpusci.ndimage import _measure_kernels as kernels
from gpusci.ndimage._arrays import FLOAT64, contiguous, host
from gpusci.ndimage._regions import INT64_MAX, Regions

PIECE = 1 << 14         # integers that a work item adds up


def _prepare(input, labels, index):
    """(input in one shape with its labels, Regions) for an array of regions, else (the selected elements, None)."""
    if labels is None:
        return input.numpy() if input.device.uses_numpy else input, None
    input, labels = _together(input, labels)
    if index is None or _is_one(index):
        x, chosen = _selected(input, labels, index)
        return x[chosen], None
    return contiguous(input), Regions(labels, index)


def _together(input, labels):
    """Both in one shape; labels may be None."""
    if labels is None or labels.shape == input.shape:
        return input, labels
    try:
        return gs.broadcast_arrays(input, labels)
    except ValueError:
        raise ValueError(f"labels of shape {labels.shape} do not broadcast with input of shape {input.shape}") from None


def _selected(input, labels, index):
    """Input and the mask of the elements that one question is about (None: all): as NumPy arrays where NumPy does the work."""
    if input.device.uses_numpy:
        input, labels = input.numpy(), None if labels is None else labels.numpy()
    return input, None if labels is None else labels > 0 if index is None else labels == index


def _is_one(index):
    """Whether one region is asked for, not an array of them."""
    return np.isscalar(index) or isinstance(index, (ndarray, np.ndarray)) and index.ndim == 0


def _result(value):
    """NumPy's number as an array, of whatever kind the caller then gets."""
    return value if isinstance(value, ndarray) else from_numpy(np.asarray(value))


def _nan(x):
    """The mean of no elements of x."""
    value = np.asarray(np.nan, complex if x.dtype.kind == "c" else float)
    return gs.asarray(value, device=x.device) if isinstance(x, ndarray) else value


@public("input", "labels")
def sum_labels(input, labels=None, index=None):
    """Sum of each region. As `scipy.ndimage.sum_labels`: float64 for an array of regions."""
    x, regions = _prepare(input, labels, index)
    return _result(x.sum()) if regions is None else regions.spread(regions.total(x))


@public("input", "labels")
def sum(input, labels=None, index=None):
    """Sum of each region: the old name of `sum_labels`."""
    return sum_labels(input, labels, index)


def _total(x):
    """The sum of all elements, in double where it may not fit the dtype. Ours of float32 is in double, as what is made of it; NumPy's, on
    the host, is SciPy's."""
    if x.dtype.char in "lLqQ" and isinstance(x, np.ndarray) and x.size >= 2 * PIECE:
        return _whole_total(x)
    if x.dtype.char in "elLqQ":
        return x.sum(dtype=np.float64)
    return x.sum(dtype={"f": np.float64, "F": np.complex128}.get(x.dtype.char) if isinstance(x, ndarray) else None)


def _whole_total(x):
    """The exact sum of 64-bit integers on the host, as float64: NumPy's own overflows, or takes its time with doubles."""
    x = from_numpy(np.ascontiguousarray(x))
    pieces = -(-x.size // PIECE)
    low, high = (gs.empty(pieces, np.int64, device=x.device) for _ in range(2))
    kernels.half_sums(pieces, (x.dtype,), x, low, high, x.size, PIECE)
    low, high = (half.numpy().astype(object).sum() for half in (low, high))
    return np.float64(low + (high << 32))


@public("input", "labels")
def mean(input, labels=None, index=None):
    """Mean of each region; NaN for an empty one. As `scipy.ndimage.mean`."""
    x, regions = _prepare(input, labels, index)
    if regions is None:
        return _result(_total(x) / np.float64(x.size) if x.size else _nan(x))
    if x.dtype.kind == "c":
        return regions.spread(regions.total(x) / regions.sums(None)[0])
    count, total = regions.sums(x)
    return regions.spread(total / count)


def _variance(input, labels, index):
    x, regions = _prepare(input, labels, index)
    if regions is None:
        if not x.size:
            return _nan(x)
        mean = x.mean() if x.dtype.char == "e" else _total(x) / np.float64(x.size)
        centred = x - (mean.astype(x.dtype) if x.dtype.kind in "fc" else mean)
        return _total(centred * centred.conj()) / np.float64(x.size)
    if x.dtype.kind == "c":
        parts = [contiguous(part) for part in (x.real, x.imag)]
        sums = [regions.sums(part) for part in parts]
        spread = [regions.total(part, total / count) for part, (count, total) in zip(parts, sums, strict=True)]
        return regions.spread((spread[0] + spread[1]) / sums[0][0])
    count, total = regions.sums(x)
    return regions.spread(regions.total(x, total / count) / count)


@public("input", "labels")
def variance(input, labels=None, index=None):
    """Mean squared distance from the region's mean, in two passes. As `scipy.ndimage.variance`."""
    return _result(_variance(input, labels, index))


@public("input", "labels")
def standard_deviation(input, labels=None, index=None):
    """Square root of the variance of each region. As `scipy.ndimage.standard_deviation`."""
    value = _variance(input, labels, index)
    return gs.sqrt(value) if isinstance(value, ndarray) else _result(np.sqrt(value))


# ---- extremes
class Extremes:
    """The smallest and largest elements of an array of regions, as order keys; complex ones as positions."""

    def __init__(self, x, regions):
        self.x, self.regions = x, regions
        if x.dtype.kind == "c":
            *self.places, self.present = _complex_places(x, regions)
            return
        self.low = gs.full(regions.count, np.iinfo(np.uint64).max, np.uint64, device=x.device)
        self.high = regions.zeros(np.uint64)
        regions.scan("ExtremeField", x, self.low, self.high)

    def values(self, *which):
        """Smallest (0) or largest (1) values for every entry of `index`; 0 for one that does not occur, as SciPy."""
        x, regions = self.x, self.regions
        if x.dtype.kind == "c":
            flat, zero = x.reshape(-1), gs.zeros((), x.dtype, device=x.device)
            found = [gs.where(self.present, flat[self.places[k]] if flat.size else zero, zero) for k in which]
        else:
            found = [gs.empty(regions.count, x.dtype, device=x.device) for _ in which]
            pair = [found[which.index(k)] if k in which else None for k in (0, 1)]
            kernels.extreme_values(regions.count, (x.dtype,), self.low, self.high, *pair)
        return [regions.spread(value) for value in found]

    def positions(self, *which):
        """The same for lists of position tuples; waits for the GPU."""
        x, regions = self.x, self.regions
        if regions.count and not x.size:
            raise ValueError(f"an image of shape {x.shape} has no elements, and so no positions of any region")
        if x.dtype.kind == "c":
            found = [gs.where(self.present, self.places[k], 0) for k in which]
        else:
            place = gs.full((regions.count, 2), x.size, np.int64, device=x.device)
            regions.scan("PlaceField", x, self.low, self.high, place)
            present = self.low <= self.high
            found = [gs.where(present, -place[:, 1] if k else place[:, 0], 0) for k in which]
        return [_as_tuples(regions.spread(value).numpy(), x.shape) for value in found]


def _as_tuples(places, shape):
    """Flat positions as a list of tuples."""
    if not shape:
        return [()] * places.size
    return list(zip(*[axis.tolist() for axis in np.unravel_index(places.reshape(-1), shape)], strict=True))


def _complex_places(x, regions):
    """Flat positions of the first smallest and the last largest element per slot, and whether there is one: by real part,
    then by imaginary part, as NumPy sorts."""
    flat, order, start, stop = _in_order(gs, x, regions.labels, regions)
    if not flat.size:
        nowhere = gs.zeros(regions.count, np.int64, device=x.device)
        return nowhere, nowhere, nowhere > 0
    last = flat.size - 1
    return order[gs.clip(start, 0, last)], order[gs.clip(stop - 1, 0, last)], stop > start


@public("input", "labels")
def minimum(input, labels=None, index=None):
    """Smallest value of each region. As `scipy.ndimage.minimum`."""
    x, regions = _prepare(input, labels, index)
    return _result(x.min()) if regions is None else Extremes(x, regions).values(0)[0]


@public("input", "labels")
def maximum(input, labels=None, index=None):
    """Largest value of each region. As `scipy.ndimage.maximum`."""
    x, regions = _prepare(input, labels, index)
    return _result(x.max()) if regions is None else Extremes(x, regions).values(1)[0]


@public("input", "labels")
def median(input, labels=None, index=None):
    """Median of each region. As `scipy.ndimage.median`."""
    x, regions = _prepare(input, labels, index)
    if regions is None:
        return _result((gs if isinstance(x, ndarray) else np).median(x))
    if not x.size:
        return regions.spread(gs.full(regions.count, np.nan, _wide(x.dtype), device=x.device))
    if x.device.uses_numpy:
        return regions.spread(from_numpy(_medians(np, x.numpy(), regions.labels.numpy(), regions)))
    return regions.spread(_medians(gs, x, regions.labels, regions))


def _medians(xp, x, labels, regions):
    flat, order, start, stop = _in_order(xp, x, labels, regions)
    flat = flat[order]
    last, middle = flat.size - 1, start + stop
    low = flat[xp.clip((middle - 1) // 2, 0, last)]
    high = flat[xp.clip(middle // 2, 0, last)]
    wide = _wide(x.dtype)
    half = (low.astype(wide) + high.astype(wide)) / wide.type(2)
    return xp.where(stop > start, half, wide.type(np.nan))


def _wide(dtype):
    return np.result_type(dtype, np.float64) if dtype.kind in "biu" else dtype


def _in_order(xp, x, labels, regions):
    """The flat values, their order by region and value, and where in it each region starts and stops."""
    flat, labels = x.reshape(-1), labels.reshape(-1)
    if regions.index is None:
        # In int64, which holds every index; labels past it belong to no region.
        wanted = np.arange(regions.first, regions.first + regions.count, dtype=np.int64)
        wanted = wanted if xp is np else constant(wanted, x.device)
        if labels.dtype == np.uint64:
            labels = xp.minimum(labels, np.uint64(INT64_MAX))
        labels = labels.astype(np.int64, copy=False)
    else:
        wanted = (regions.index.numpy() if xp is np else regions.index).astype(regions.common, copy=False)
        labels = labels.astype(regions.common, copy=False)
    keys = (flat.imag, flat.real) if flat.dtype.kind == "c" else (flat,)
    order = xp.lexsort((*keys, labels))
    labels = labels[order]
    return flat, order, xp.searchsorted(labels, wanted, "left"), xp.searchsorted(labels, wanted, "right")


def _one_region(input, labels, index, *which):
    """The elements that one question is about, and position tuples: the first smallest's (0), the first largest's (1)."""
    input, labels = _together(input, labels)
    x, chosen = _selected(input, labels, index)
    places = None
    if chosen is not None:
        x, places = x[chosen], (gs if isinstance(chosen, ndarray) else np).flatnonzero(chosen)
    found = []
    for largest in which:
        at = int(x.argmax() if largest else x.argmin())
        at = at if places is None else int(places[at])
        place = []
        for n in reversed(input.shape):
            at, remainder = divmod(at, n)
            place.append(remainder)
        found.append(tuple(reversed(place)))
    return x, found


@public("input", "labels")
def minimum_position(input, labels=None, index=None):
    """Position of the smallest element of each region, the first of equal ones. As `scipy.ndimage.minimum_position`.

    Tuples of Python integers: the call waits for the GPU.
    """
    if labels is None or index is None or _is_one(index):
        return _one_region(input, labels, index, 0)[1][0]
    return Extremes(*_prepare(input, labels, index)).positions(0)[0]


@public("input", "labels")
def maximum_position(input, labels=None, index=None):
    """Position of the largest element of each region. As `scipy.ndimage.maximum_position`.

    Of equal ones the last for an array of regions, the first otherwise, as SciPy. Tuples: the call waits for the GPU.
    """
    if labels is None or index is None or _is_one(index):
        return _one_region(input, labels, index, 1)[1][0]
    return Extremes(*_prepare(input, labels, index)).positions(1)[0]


@public("input", "labels")
def extrema(input, labels=None, index=None):
    """(minima, maxima, their positions). As `scipy.ndimage.extrema`; waits for the GPU."""
    if labels is None or index is None or _is_one(index):
        x, places = _one_region(input, labels, index, 0, 1)
        return _result(x.min()), _result(x.max()), *places
    found = Extremes(*_prepare(input, labels, index))
    return *found.values(0, 1), *found.positions(0, 1)


@public("input", "labels")
def center_of_mass(input, labels=None, index=None):
    """Mean position weighted by the values, as tuples of floats. As `scipy.ndimage.center_of_mass`; waits for the GPU."""
    if input.ndim == 0:
        raise IndexError("a 0-d array has no axes for a centre of mass to lie on: reshape it to (1,)")
    x, regions = _prepare(input, labels, index)
    if regions is None:
        x, chosen = _selected(*_together(input, labels), index)
        if chosen is None:
            places = [_along(n, d, x.ndim) for d, n in enumerate(x.shape)]
            places = [constant(place, x.device) for place in places] if isinstance(x, ndarray) else places
        else:
            x, places = x[chosen], [place.astype(FLOAT64) for place in chosen.nonzero()]
        totals = [_total(x), *(_total(x * place) for place in places)]
    else:
        places = [constant(_along(n, d, x.ndim), x.device) for d, n in enumerate(x.shape)]
        totals = [regions.spread(regions.total(part)) for part in (x, *(x * place for place in places))]
    normalizer, *results = (np.asarray(host(total)) for total in totals)
    with np.errstate(divide="ignore", invalid="ignore"):
        results = [value / normalizer for value in results]
    if np.ndim(results[0]) == 0:
        return tuple(map(np.float64, results)) if input.dtype.kind != "c" else tuple(results)
    return list(zip(*results, strict=True)) if results[0].ndim == 1 else [tuple(v) for v in np.array(results).T]


def _along(n, axis, ndim):
    """Places along an axis, to broadcast with arrays of that rank."""
    return np.arange(float(n)).reshape([-1 if k == axis else 1 for k in range(ndim)])


@public("input", "labels")
def histogram(input, min, max, bins, labels=None, index=None):
    """Histogram of each region over equal bins of [min, max]. As `scipy.ndimage.histogram`: int64 counts, or an object array of NumPy
    counts (None for a region without elements). Raises ValueError for an index that the labels' dtype cannot hold."""
    if labels is None and index is not None:
        raise ValueError("index without defined labels: give labels as well")
    if index is not None:
        wanted = np.asarray(host(index))
        _check_fit(wanted, labels.dtype)
    edges = np.linspace(min, max, bins + 1)

    def counts(values):
        if isinstance(values, np.ndarray):
            return from_numpy(np.histogram(values, edges)[0])
        return gs.histogram(values, gs.asarray(edges, device=values.device))[0]

    x, regions = _prepare(input, labels, index)
    if regions is None:
        return None if index is not None and x.size == 0 else counts(x)
    labels = regions.labels.reshape(x.shape)
    if x.device.uses_numpy:
        x, labels = x.numpy(), labels.numpy()
    out = np.empty(wanted.shape, object)
    for place in np.ndindex(wanted.shape):
        values = x[labels == wanted[place].item()]
        out[place] = counts(values).numpy() if values.size else None
    return out


def _check_fit(index, dtype):
    """That labels of that dtype can be equal to each index."""
    with np.errstate(invalid="ignore"):
        if np.any(index.astype(dtype).astype(index.dtype) != index):
            raise ValueError(f"Cannot convert index values from <{index.dtype}> to <{dtype}> (labels' type) without loss of precision: "
                             "leave out those that no label can be equal to")  # fmt: skip


@public("input", host=("labels",))
def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    """`func` of each region's values. As `scipy.ndimage.labeled_comprehension`.

    func is a Python callable, given NumPy arrays on the host: the data is copied there. Raises ValueError for a wrong
    combination of labels and index.
    """
    import scipy.ndimage

    result = scipy.ndimage.labeled_comprehension(
        host(input), labels, host(index), func, out_dtype, default, pass_positions
    )
    # Python objects stay on the host.
    return result if np.asarray(result).dtype == object else gs.asarray(result, device=input.device)
