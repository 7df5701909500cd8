"""Validation of ndimage: cases per public function, and where we differ from SciPy on purpose."""

import math

import numpy as np
import scipy.ndimage

import gpusci as gs
from validation import (
    Case,
    args,
    array,
    axis,
    choice,
    drawn,
    exact,
    maybe,
    normwise,
    per_axis,
    scipy_same,
    uniform,
    whole,
)

MODES = choice("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
PLAIN_MODES = choice("reflect", "constant", "nearest", "mirror", "wrap")
REAL = "bBhHiIlLfd"
WHOLE = {"dtypes": "bBhHiIlL", "ref": scipy_same}
SAME = {"dtypes": REAL + "FD", "ref": scipy_same}
SAME_REAL = {"dtypes": REAL, "ref": scipy_same}
SAME_BOOL = {"dtypes": "?" + REAL, "ref": scipy_same}
SUM = normwise(f=1, d=8)            # summed in double, rounded once a pass
PHOTO = array(shape=(1000, 1000))   # for the timing


def image(**kw):
    return array(**{"ndim": (1, 3), "size": 3000, **kw})


def long_lines(rng, got):
    rank = int(rng.integers(1, 4))
    if got.variant in ("empty", "single"):
        return (0 if got.variant == "empty" else 1, *(1,) * (rank - 1))
    return tuple(rng.integers(24, (700, 40, 26)[rank - 1], rank))


SCENE = array(shape=long_lines)     # SciPy's splines are not exact on shorter lines; see spline_filter1d


# ---- draws
@drawn
def weights(rng, got):
    """Real weights with as many axes as the input, 1 to 4 wide."""
    return rng.normal(size=rng.integers(1, 5, size=np.ndim(got["input"])))


@drawn
def footprint(rng, got):
    shape = rng.integers(2, 5, size=np.ndim(got["input"]))
    chosen = rng.random(shape) < 0.7
    chosen.flat[0] = chosen.flat[-1] = True
    return chosen


@drawn
def heights(rng, got):
    """A structuring element that is not flat; whole numbers, so that integer images stay what they are."""
    return rng.integers(-3, 4, rng.integers(2, 4, size=np.ndim(got["input"])))


@drawn
def blobs(rng, got):
    """Half ones and half zeros."""
    return (rng.random(np.shape(image()(rng, got))) < 0.5).astype(got.dtype)


@drawn
def holes(rng, got):
    """Mostly ones, and a zero at least: distances to the background exist."""
    chosen = rng.random(np.shape(image(size=1000)(rng, got))) < 0.9
    chosen.flat[:1] = False
    return chosen.astype(got.dtype)


@drawn
def neighbours(rng, got):
    """A structure of the input's rank, 3 wide, as generate_binary_structure makes it."""
    rank = np.ndim(got["input"])
    return np.abs(np.indices((3,) * rank) - 1).sum(0) <= rng.integers(1, rank + 1)


@drawn
def lopsided(rng, got):
    """Any structure of the input's rank, 3 wide, with its centre."""
    chosen = rng.random((3,) * np.ndim(got["input"])) < 0.5
    chosen[(1,) * chosen.ndim] = True
    return chosen


@drawn
def mask(rng, got):
    return rng.random(np.shape(got["input"])) < 0.7


@drawn
def labels(rng, got):
    return rng.integers(0, 6, np.shape(got["input"])).astype(rng.choice(["int32", "int64", "uint8"]))


@drawn
def coordinates(rng, got):
    """Positions inside the image and a little beyond, for a vector or a matrix of points."""
    shape = np.shape(got["input"])
    points = (17,) if rng.random() < 0.5 else (5, 7)
    reach = np.array(shape, float).reshape(-1, *(1,) * len(points))
    return rng.uniform(-1.5, 0.5 + reach, (len(shape), *points))


@drawn
def near_identity(rng, got):
    rank = np.ndim(got["input"])
    return np.eye(rank) + rng.uniform(-0.3, 0.3, (rank, rank))


@drawn
def two_greys(rng, got):
    """With markers on the darker grey no path becomes cheaper once it is there, which SciPy's queues need: see DIFFERENCES."""
    return np.where(rng.random(np.shape(image(ndim=(1, 3))(rng, got))) < 0.4, 200, 3).astype(got.dtype)


@drawn
def markers(rng, got):
    """Seeds on the darker grey, a few or many, some of them background."""
    x = np.asarray(got["input"])
    chosen = (x < 200) & (rng.random(x.shape) < rng.choice([0.05, 0.3]))
    return np.where(chosen, rng.choice([-2, -1, 1, 2, 3, 4], x.shape), 0).astype(np.int32)


CALLBACK = 1.2                      # sigma of the callbacks


def derivative(order):
    """A callback that filters its arrays with their own library."""
    def call(input, axis, output, mode, cval):
        if isinstance(input, np.ndarray):
            import scipy.ndimage as module
        else:
            from gpusci import ndimage as module
        return module.gaussian_filter1d(input, CALLBACK, axis, order, output, mode, cval)
    return call


def running(line, out):
    out[...] = np.cumsum(line)[2:]


# C++ text and the Python functions it equals, which SciPy gets.
MEAN = gs.WindowKernel("double s = 0;\nfor (int k = 0; k < w.size(); ++k) s += w[k];\nreturn s / w.size();", name="mean")
RUNNING = gs.LineKernel("double s = in[0] + in[1];\nfor (int k = 0; k < out.size(); ++k) out[k] = s += in[k + 2];", name="running")
NORM = gs.ReductionKernel("T x", "T y", "double(x) * x", "a + b", "y = sqrt(a)", "0", "norm", reduce_type="double")
EQUALS = {"mean": np.mean, "running": running, "norm": np.linalg.norm}


def as_text(f, input, function, **keywords):
    return f(input, function if f.__module__.startswith("gpusci") else EQUALS[function.name], **keywords)


def stretched(point, factor):
    return tuple(factor * x for x in point)


# ---- filters
DOUBLE = np.finfo(float).eps


def cancelling(gain):
    """A rounding of sums in double, of which little may be left: `gain` is the sum of the weights' sizes."""
    return lambda true, input, **keywords: DOUBLE * gain(input, **keywords) * np.abs(input).max(initial=0)


def gaussian_size(sigma, order):
    """Sum of the sizes of a Gaussian's weights: of the terms of their polynomials, since these cancel too."""
    reach = int(4 * sigma + 0.5)
    x = np.abs(np.arange(-reach, reach + 1)) / sigma
    bell = np.exp(-(x**2) / 2)
    terms = np.abs(np.polynomial.hermite_e.herme2poly([0] * order + [1]))
    return np.polyval(terms[::-1], x) @ bell / (bell.sum() * sigma**order)


WEIGHTED = normwise(f=1, d=4, rounding=cancelling(lambda input, weights, **_: np.abs(weights).sum()))
GAUSSIAN = normwise(f=1, d=4, rounding=cancelling(lambda input, sigma, order, **_: gaussian_size(sigma, order)))
LAPLACIAN = cancelling(lambda input, sigma=CALLBACK, **_: input.ndim * gaussian_size(sigma, 2))
GRADIENT = cancelling(lambda input, sigma=CALLBACK, **_: math.sqrt(input.ndim) * gaussian_size(sigma, 1))
AXIS = axis("input")
WIDE = args(array(ndim=2), [1.0, 2.0, 3.0], axis=2)
FILTERS = [
    Case("correlate1d", args(input=image(), weights=[0.5, 1, -2, 0.25], axis=AXIS, mode=MODES, cval=1.5), SUM,
         dtypes="?" + REAL + "FD", ref=scipy_same, raises=[WIDE, args([1.0, 2.0], [1.0], mode="sideways"),
         args([1.0, 2.0], [1.0], origin=1), args([1.0, 2.0], [])], bench=args(PHOTO, [0.25, 0.5, 0.25])),
    Case("convolve1d", args(input=image(), weights=[0.5, 1, -2], axis=AXIS, mode=MODES, origin=1), SUM, **SAME),
    Case("correlate", args(input=image(), weights=weights, mode=MODES, cval=-0.5), WEIGHTED, **SAME,
         raises=[args([1.0, 2.0], [[1.0]]), args([1.0], [1.0], mode=["reflect"])], bench=args(PHOTO, np.ones((5, 5)))),
    Case("convolve", args(input=image(), weights=weights, mode=MODES), WEIGHTED, **SAME),
    Case("gaussian_filter1d", args(input=image(), sigma=uniform(0.3, 4), axis=AXIS, order=whole(0, 3), mode=MODES), GAUSSIAN,
         **SAME, raises=[args([1.0, 2.0], 1, axis=3), args([1.0], 1, order=-1), args([1.0], 1, radius=-2)]),
    Case("gaussian_filter", args(input=image(), sigma=per_axis(uniform(0.3, 3), "input"), mode=MODES), normwise(f=2, d=8),
         **SAME, raises=[args([1.0, 2.0], [1, 2]), args([1.0], 1, output=np.zeros(3))], bench=args(PHOTO, 2.0)),
    Case("uniform_filter1d", args(input=image(), size=whole(1, 12), axis=AXIS, mode=MODES), normwise(f=1, d=64),
         dtypes="?" + REAL + "FD", ref=scipy_same, raises=[args([1.0, 2.0], 0)]),
    Case("uniform_filter", args(input=image(), size=per_axis(whole(1, 6), "input"), mode=MODES), normwise(f=2, d=64), **SAME,
         bench=args(PHOTO, 7)),
    Case("prewitt", args(input=image(), axis=AXIS, mode=MODES), normwise(f=2, d=8), **SAME),
    Case("sobel", args(input=image(), axis=AXIS, mode=MODES), normwise(f=2, d=8), **SAME, bench=args(PHOTO)),
    Case("laplace", args(input=image(), mode=MODES), normwise(f=4, d=8), dtypes="bBhHfdFD", ref=scipy_same),
    Case("gaussian_laplace", args(input=image(), sigma=uniform(0.5, 2), mode=MODES), normwise(f=8, d=8, rounding=LAPLACIAN),
         dtypes="hifdFD", ref=scipy_same),
    Case("gaussian_gradient_magnitude", args(input=image(), sigma=uniform(0.5, 2), mode=MODES), normwise(f=8, d=8, rounding=GRADIENT),
         dtypes="ifd", ref=scipy_same),
    Case("minimum_filter1d", args(input=image(), size=whole(1, 12), axis=AXIS, mode=MODES, cval=2), exact(), **SAME_BOOL),
    Case("maximum_filter1d", args(input=image(), size=whole(1, 12), axis=AXIS, mode=MODES, cval=-2), exact(), **SAME_BOOL,
         raises=[args([1.0, 2.0], 0), args([1j, 2.0], 3)]),
    Case("minimum_filter", args(input=image(), size=per_axis(whole(1, 6), "input"), mode=MODES), exact(), **SAME_BOOL,
         raises=[args([1.0, 2.0]), args([1.0, 2.0], footprint=np.zeros(3))]),
    Case("maximum_filter", args(input=image(), footprint=footprint, mode=MODES), exact(), **SAME_REAL, bench=args(PHOTO, 5)),
    Case("median_filter", args(input=image(), size=whole(1, 6), mode=MODES), exact(), **SAME_BOOL, bench=args(PHOTO, 5)),
    Case("rank_filter", args(input=image(), rank=1, size=whole(2, 6), mode=MODES), exact(), **SAME_REAL,
         raises=[args([1.0, 2.0], 7, size=3), args([1.0, 2.0], 0)]),
    Case("percentile_filter", args(input=image(), percentile=uniform(-100, 100), size=whole(1, 6), mode=MODES), exact(),
         **SAME_REAL, raises=[args([1.0, 2.0], 101, size=3)]),
    Case("fourier_gaussian", args(input=image(), sigma=uniform(0.1, 3)), normwise(f=1, d=8), dtypes="ilfdFD"),
    Case("fourier_uniform", args(input=image(), size=uniform(0.1, 6)), normwise(f=1, d=8), dtypes="ilfdFD"),
    Case("fourier_ellipsoid", args(input=image(ndim=(1, 2)), size=uniform(0.1, 6)), normwise(f=1, d=16), dtypes="ilfdFD"),
    Case("fourier_shift", args(input=image(), shift=uniform(-5, 5)), normwise(f=1, d=64), dtypes="ilfdFD"),
    Case("generic_laplace", args(input=image(), derivative2=derivative(2), mode=MODES), normwise(f=4, d=8, rounding=LAPLACIAN),
         dtypes="ifd", ref=scipy_same),
    Case("generic_gradient_magnitude", args(input=image(), derivative=derivative(1), mode=MODES), normwise(f=4, d=8, rounding=GRADIENT),
         dtypes="ifd", ref=scipy_same),
    Case("generic_filter", args(input=image(size=200), function=np.mean, footprint=footprint, mode=MODES),
         normwise(f=1, d=4), **SAME_REAL),
    Case("generic_filter1d", args(input=image(size=200), function=running, filter_size=3, axis=AXIS, mode=MODES),
         normwise(f=1, d=4), dtypes="Bifd", ref=scipy_same, skip={"single": "one sample and three taps: nothing special"}),
    *(Case("generic_filter", args(input=image(size=200), function=function, footprint=footprint, mode=MODES), normwise(f=1, d=4),
           call=as_text, id=f"C++ {function.name}", **SAME_REAL) for function in (MEAN, NORM)),
    Case("generic_filter1d", args(input=image(size=200), function=RUNNING, filter_size=3, axis=AXIS, mode=MODES), normwise(f=1, d=4),
         call=as_text, id="C++", dtypes="Bifd", ref=scipy_same, skip={"single": "one sample and three taps: nothing special"}),
    Case("vectorized_filter", args(input=image(size=200), function=np.mean, size=whole(1, 4), mode=PLAIN_MODES),
         normwise(e=4, f=4, d=4), dtypes="Bifd", ref=scipy_same),
]  # fmt: skip

# ---- interpolation
B_SPLINES = {2: (1, 6, 1), 3: (1, 4, 1), 4: (1, 76, 230, 76, 1), 5: (1, 26, 66, 26, 1)}     # their samples, up to a factor


def coefficients(input, order=3, axis=None, mode="mirror"):
    """B-spline coefficients by solving for them, along one axis or all."""
    pad = {"reflect": "symmetric", "nearest": "symmetric", "grid-mirror": "symmetric", "grid-wrap": "wrap"}
    out = input.astype(complex if input.dtype.kind == "c" else float)
    for d in range(input.ndim) if axis is None else (axis,):
        n = input.shape[d]
        if order < 2 or n < 2:
            continue
        taps, system = np.array(B_SPLINES[order]), np.zeros((n, n))
        place = np.pad(np.arange(n), taps.size // 2, pad.get(mode, "reflect"))
        for k, tap in enumerate(taps / taps.sum()):
            np.add.at(system, (np.arange(n), place[k : k + n]), tap)
        out = np.moveaxis(np.linalg.solve(system, np.moveaxis(out, d, 0).reshape(n, -1)).reshape(
            n, *np.delete(input.shape, d)), 0, d)
    return out


def of_coordinates(true, input, **_):
    """A rounding of coordinates as large as the image, one an axis, where values change by their size from sample to sample."""
    return DOUBLE * sum(input.shape) * np.abs(input).max(initial=0)


SPLINE = normwise(f=2, d=100)       # recursions of two poles a direction
PLACED = normwise(f=2, d=8, rounding=of_coordinates)    # two roundings, of half an eps, on either side; slopes of splines to 3
SMOOTH = {"dtypes": "fdFD", "ref": scipy_same}
ORDER = whole(0, 5)
STEP = choice(0, 1)                 # of whole numbers: what stays in the range of the dtype
GARBAGE = {"empty": "SciPy 1.17 leaves the result uninitialised"}
NO_PADDING = {"empty": "with modes that pad the image SciPy 1.17 raises, from np.pad"}
INTERPOLATION = [
    Case("spline_filter1d", args(input=image(), order=ORDER, axis=AXIS, mode=MODES), SPLINE, dtypes="bBhHiIlLfdFD",
         ref=coefficients, raises=[args([1.0, 2.0], 6), args([1.0, 2.0], 3, axis=1)], bench=args(PHOTO)),
    Case("spline_filter", args(input=image(), order=whole(2, 5), mode=MODES), SPLINE, dtypes="BilfdFD", ref=coefficients,
         raises=[args([1.0, 2.0], 1)]),
    Case("map_coordinates", args(input=SCENE, coordinates=coordinates, order=ORDER, mode=MODES, cval=0.5), PLACED, skip=GARBAGE, **SMOOTH,
         raises=[args(np.ones((3, 3)), np.ones((3, 2))), args([1.0, 2.0], [[0.5]], order=9)],
         bench=args(PHOTO, array("d", shape=(2, 1000, 1000), low=0, high=999))),
    Case("map_coordinates", args(input=image(), coordinates=coordinates, order=STEP, mode=MODES), id="whole", skip=GARBAGE, **WHOLE),
    Case("affine_transform", args(input=SCENE, matrix=near_identity, offset=uniform(-1, 1), order=ORDER, mode=MODES), PLACED,
         skip=NO_PADDING, **SMOOTH, raises=[args(np.ones((3, 3)), np.eye(4)), args(np.ones(3), [[1.0, 0, 0]])],
         bench=args(PHOTO, [[0.9, 0.1], [-0.1, 0.9]])),
    Case("affine_transform", args(input=image(), matrix=near_identity, order=STEP, mode=MODES), id="whole", skip=GARBAGE, **WHOLE),
    Case("shift", args(input=SCENE, shift=per_axis(uniform(-3, 3), "input"), order=ORDER, mode=MODES, cval=0.25), PLACED,
         skip=NO_PADDING, **SMOOTH, raises=[args([1.0, 2.0], [1, 2])], bench=args(PHOTO, 2.5)),
    Case("shift", args(input=image(), shift=per_axis(uniform(-3, 3), "input"), order=STEP, mode=MODES), id="whole", skip=GARBAGE, **WHOLE),
    Case("zoom", args(input=SCENE, zoom=per_axis(uniform(0.4, 1.5), "input"), order=ORDER, mode=choice("nearest", "mirror",
         "reflect", "grid-wrap")), PLACED, skip=NO_PADDING, **SMOOTH, raises=[args([1.0, 2.0], [1, 2])], bench=args(PHOTO, 1.5)),
    Case("zoom", args(input=SCENE, zoom=per_axis(uniform(0.4, 1.5), "input"), order=ORDER, mode=MODES, grid_mode=True), PLACED,
         dtypes="fd", ref=scipy_same, skip=NO_PADDING, id="grid"),
    Case("zoom", args(input=image(size=800), zoom=uniform(0.4, 2.5), order=0, mode=choice("nearest", "mirror", "reflect",
         "grid-wrap")), id="whole", **WHOLE),
    Case("rotate", args(input=array(shape=(25, 31)), angle=uniform(-180, 180), reshape=choice(True, False), order=ORDER,
         mode=MODES), PLACED, skip=NO_PADDING, **SMOOTH, raises=[args([1.0, 2.0], 30), args(np.ones((2, 2)), 30, axes=(0, 5))],
         bench=args(PHOTO, 30.0)),
    Case("rotate", args(input=image(ndim=(2, 3)), angle=uniform(-180, 180), order=0, mode=MODES), id="whole", skip=GARBAGE, **WHOLE),
    Case("geometric_transform", args(input=array(shape=(24, 29)), mapping=stretched, order=ORDER, mode=MODES,
         extra_arguments=(0.9,)), PLACED, skip=NO_PADDING, **SMOOTH),
]  # fmt: skip

# ---- morphology
FLAT = args(input=image(), size=per_axis(whole(1, 5), "input"), mode=MODES)
SHAPED = args(input=image(), structure=heights, mode=MODES)
NO_SIZE = [args([1.0, 2.0])]
DTYPES = {"dtypes": "bhilfd", "ref": scipy_same}        # room for three steps up or down
GREY = [
    case for name in ("grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "white_tophat", "black_tophat",
                      "morphological_gradient", "morphological_laplace")
    for case in (Case(name, FLAT, id="flat", raises=NO_SIZE, bench=args(PHOTO, 5), **SAME_REAL),
                 Case(name, SHAPED, normwise(f=4, d=4), id="shaped", **DTYPES))
]  # fmt: skip
SET = {"dtypes": "?Bhfd"}
COMPLEX = args([1j, 0])
BITS = args(np.random.default_rng(1).random((1000, 1000)) < 0.7)
MISFIT = args([1, 0, 1], np.ones((3, 3)))
BINARY = [
    # brute_force changes nothing here; without it SciPy 1.17 and 1.18 leave the image's memory by steps with structures off their centre.
    *(Case(name, args(input=blobs, structure=maybe(lopsided), iterations=whole(1, 3), mask=maybe(mask), border_value=choice(0, 1),
                      origin=choice(0, 0, 1, -1), brute_force=True),
           raises=[COMPLEX, MISFIT, args([1, 0], iterations=0.5)], bench=BITS, **SET)
      for name in ("binary_erosion", "binary_dilation", "binary_opening", "binary_closing")),
    Case("binary_erosion", args(input=blobs, structure=maybe(neighbours), iterations=-1, mask=mask), id="to the end", **SET),
    Case("binary_hit_or_miss", args(input=blobs, structure1=maybe(lopsided), structure2=maybe(lopsided)), **SET,
         raises=[MISFIT]),
    Case("binary_propagation", args(input=blobs, structure=maybe(neighbours), mask=mask), **SET),
    Case("binary_fill_holes", args(input=blobs, structure=maybe(neighbours)), bench=BITS, **SET),
    Case("generate_binary_structure", args(whole(-1, 4), whole(0, 4)), dtypes="d"),
    Case("iterate_structure", args(array("?", shape=(3, 3)), whole(1, 4), maybe(whole(0, 1))), dtypes="d"),
]  # fmt: skip


def with_indices(result, input, **keywords):
    """Distances, and those to the elements that the indices name: of equally near ones any may be named."""
    distance, nearest = (gs.asnumpy(r) for r in result)
    delta = (nearest - np.indices(nearest.shape[1:])).astype(float)
    step = np.reshape(keywords.get("sampling") or 1.0, (-1,) + (1,) * (delta.ndim - 1))
    norms = {"taxicab": np.abs(delta).sum(0), "chessboard": np.abs(delta).max(0, initial=0)}
    return distance, norms.get(keywords.get("metric"), np.sqrt(((delta * step) ** 2).sum(0)))


NOTHING = args([1, 0], return_distances=False)
DISTANCES = [
    Case("distance_transform_edt", args(input=holes, sampling=maybe(per_axis(uniform(0.5, 3), "input"))), normwise(d=4), **SET,
         raises=[NOTHING, args([1, 0], distances=np.zeros(3)), args([1, 0], [1, 2])], bench=BITS),
    Case("distance_transform_edt", args(input=holes, return_indices=True), normwise(d=4), id="indices", post=with_indices, **SET),
    Case("distance_transform_cdt", args(input=holes, metric=choice("chessboard", "taxicab")), **SET, raises=[NOTHING,
         args([1, 0], "euclidean"), args([1, 0], np.ones(5))], bench=BITS),
    Case("distance_transform_cdt", args(input=holes, metric=neighbours), id="structure", **SET),
    Case("distance_transform_bf", args(input=holes, metric=choice("euclidean", "taxicab", "chessboard")), normwise(d=4), **SET,
         raises=[NOTHING, args([1, 0], "miles")]),
    Case("distance_transform_bf", args(input=holes, metric=choice("euclidean", "taxicab", "chessboard"), return_indices=True),
         normwise(d=4), id="indices", post=with_indices, **SET),
]  # fmt: skip

# ---- measurements
REGIONS = {"labels": labels, "index": choice([1, 2, 3], [5, 1, 9], 2, None)}
OCCURRING = {"labels": labels, "index": choice([1, 2, 3], None)}
MANY = args(PHOTO, array("i", shape=(1000, 1000), low=0, high=100), np.arange(1, 100))
NUMBERS = {"dtypes": "bBhilfd", "ref": scipy_same}
NOTHING_THERE = {"empty": "SciPy 1.17 raises, from the extremes of no labels"}
SHORT = {**NOTHING_THERE, "single": "regions without elements, about which SciPy raises or warns"}
MISMATCH = args([1.0, 2.0], [1, 2, 3], [1])


def counts(result, *_, **__):
    """SciPy gives an object array of histograms for several regions."""
    if result.dtype == object:
        return [None if row is None else gs.asnumpy(row) for row in result]
    return gs.asnumpy(result)


def addition(input, index):
    """eps of SciPy's sums, where ours of a GPU are in double: float32 stays so in one region, and counts in double in an array of them."""
    return np.finfo(np.float32 if input.dtype == np.float32 and np.ndim(index) == 0 else float).eps


def of_both_signs(f):
    """A rounding of the sums or means that `f` makes: it counts beside the sizes of the values, not beside what they leave."""
    return lambda true, input, labels, index: addition(input, index) * f(np.abs(input.astype(float)), labels, index)


def of_one_sign(true, input, labels, index):
    """A rounding of sums that do not cancel."""
    return addition(input, index) * np.abs(true)


SUMS = normwise(f=4, d=4, rounding=of_both_signs(scipy.ndimage.sum_labels))
MEANS = normwise(f=4, d=4, rounding=of_both_signs(scipy.ndimage.mean))
SPREAD = normwise(f=8, d=40, rounding=of_one_sign)

MEASUREMENTS = [
    *(Case(name, args(input=image(), **REGIONS), measure, raises=[MISMATCH], bench=MANY, skip=NOTHING_THERE, **NUMBERS)
      for name, measure in (("sum_labels", SUMS), ("sum", SUMS), ("mean", MEANS), ("variance", SPREAD), ("standard_deviation", SPREAD))),
    *(Case(name, args(input=image(), **REGIONS), exact(), bench=MANY, skip=SHORT, **NUMBERS)
      for name in ("minimum", "maximum")),
    Case("median", args(input=image(), **OCCURRING), exact(), bench=MANY, skip=SHORT, **NUMBERS),
    *(Case(name, args(input=image(), **OCCURRING), exact(), dtypes="fd", ref=scipy_same, bench=MANY, skip=SHORT)
      for name in ("minimum_position", "maximum_position", "extrema")),
    Case("center_of_mass", args(input=image(low=0, high=1), **OCCURRING), normwise(d=40, rounding=of_one_sign), dtypes="Blfd",
         ref=scipy_same, skip=SHORT, bench=MANY),
    Case("histogram", args(input=image(), min=-1, max=1, bins=8, **OCCURRING), exact(), dtypes="bilfd", ref=scipy_same,
         post=counts, raises=[args([1.0], 0, 1, 2, index=[1])]),
    Case("labeled_comprehension", args(input=image(), labels=labels, index=[1, 2, 9], func=np.mean, out_dtype=float,
         default=-1.0), normwise(d=8), dtypes="bilfd", ref=scipy_same),
    Case("label", args(input=blobs, structure=maybe(neighbours)), dtypes="?Bilfd", raises=[COMPLEX,
         args([1, 0], np.ones((3, 3))), args([1, 0], np.ones(5))], bench=BITS),
    Case("find_objects", args(input=array(low=0, high=6, size=60), max_label=choice(0, 3, 9)), dtypes="bBhHiIlL",
         raises=[args([1.0, 2.0])], skip=NOTHING_THERE),
    Case("value_indices", args(arr=array(low=0, high=6), ignore_value=choice(None, 2)), dtypes="bBhHiIlL",
         raises=[args([1.0, 2.0])]),
    Case("watershed_ift", args(input=two_greys, markers=markers, structure=lopsided), dtypes="BH", n=12,
         raises=[args([1.0], [1]), args(np.ones(3, np.uint8), [1])]),
]  # fmt: skip

CASES = [*FILTERS, *INTERPOLATION, *GREY, *BINARY, *DISTANCES, *MEASUREMENTS]

DIFFERENCES = {
    "uniform_filter1d/nan": "Every window is summed on its own; SciPy 1.17 keeps a running sum, which spreads a NaN or an "
                            "infinity to the line's end and drifts.",
    "minimum_filter/int64": "int64 and uint64 are compared as they are (SciPy 1.17 goes through double); a NaN makes its windows "
                            "NaN (SciPy's result depends on the order).",
    "rank_filter/order": "NaN sorts last; int64 exact in any dimension; holes of a 1-D footprint count (SciPy 1.17 fills them); "
                         "1-D float32 input with float64 output is right (SciPy 1.17 returns other memory).",
    "fourier_ellipsoid/small": "Near zero frequency the 3-D transform is summed as a series; SciPy 1.17 loses up to half the "
                               "digits to cancellation.",
    "laplace/rounding": "With one mode and floating point or short integers the sum over axes is rounded once, not once an axis.",
    "minimum_filter/cval": "64-bit constants are exact, and those beyond an integer dtype leave the minima or maxima of full windows "
                           "alone. Likewise rank filters and flat grey morphology.",
    "rank_filter/axes": "Sizes belong to `axes` one by one in any order, as in uniform_filter; SciPy 1.17 sorts the axes first. Likewise "
                        "median_filter, percentile_filter, generic_filter.",
    "map_coordinates/order": "Order 0 of 64-bit integers picks them as they are, and its constant is exact; SciPy 1.17 uses double. "
                             "Of interpolated boolean samples 1 less a rounding counts as 1. Likewise all transforms.",
    "center_of_mass/overflow": "Sums of 64-bit integers and of float16 are in double; SciPy 1.17 lets them overflow. Likewise mean.",
    "zoom/last": "The last output sample is the last input sample exactly; SciPy 1.17 may miss it by a rounding and give cval.",
    "zoom/complex": "grid_mode counts for complex input too; SciPy 1.17 drops it there.",
    "zoom/ties": "Values a rounding away from half may be rounded the other way when the output is of whole numbers.",
    "spline_filter1d/short": "Exact on lines of any length, also in what is interpolated from them; with modes reflect, nearest "
                             "and grid-mirror SciPy 1.17 is off by up to 1 % on lines of fewer than about 20 samples.",
    "generic_filter/C++": "Takes gs.WindowKernel, gs.ReductionKernel and gs.RawKernel too, which run on the array's device; "
                          "generic_filter1d gs.LineKernel and gs.RawKernel.",
    "find_objects/empty": "No objects in an empty array; SciPy 1.17 raises, from the maximum of nothing. Likewise sum_labels.",
    "median/absent": "NaN for a region without elements, as mean; SciPy 1.17 returns another region's value.",
    "spline_filter1d/nan": "A NaN spoils its surroundings, not always the whole line.",
    "map_coordinates/far": "Infinite and huge coordinates are outside, as any others; SciPy 1.17 turns them into integers first.",
    "map_coordinates/range": "Interpolated values that an integer output cannot hold saturate; in SciPy 1.17 they overflow.",
    "map_coordinates/alias": "An output that shares memory with the input gets the result of the untouched input, as in all "
                             "geometric transforms.",
    "geometric_transform/calls": "Complex input calls `mapping` once for each point; SciPy 1.17 twice.",
    "distance_transform_edt/ties": "Of equally near background elements `indices` may name another than SciPy's; likewise bf, cdt.",
    "minimum_position/ties": "Of equal elements the first one's position; with an array of regions SciPy 1.17 names any "
                             "(its sort is not stable). The same for extrema.",
    "sum_labels/index": "A fraction names no integer label, an index of 0 dimensions one region; complex values work with any index. "
                        "SciPy 1.17 cuts fractions off and raises for the others. Labels and index must be real. Likewise mean etc.",
    "minimum_position/nan": "NaN is the largest, as in minimum; SciPy 1.17 raises IndexError for a single region.",
    "histogram/index": "An index of any shape; SciPy 1.17 raises for two dimensions or more.",
    "binary_erosion/origin": "An origin that puts the centre outside of the structure is an IndexError in all binary functions; SciPy "
                             "1.17 takes some for Python's negative indices and then reads outside of the image or crashes. With many "
                             "steps, structures off their centre and no brute_force, SciPy 1.17 and 1.18 read and write outside of it.",
    "binary_dilation/mask": "Any nonzero element of the mask counts; SciPy 1.17 cuts fractions off when it iterates.",
    "binary_erosion/axes": "One negative axis counts from the end, and one out of range is a ValueError, in all morphology; SciPy "
                           "1.17 uses a number as it is.",
    "grey_erosion/footprint": "Footprint and structure must have one shape, and a footprint elements (else RuntimeError, ValueError); "
                              "SciPy 1.17 reads other memory or crashes. Likewise all grey morphology.",
    "morphological_laplace/alias": "An output that shares memory with the input gets the result of the untouched input, as the top "
                                   "hats; SciPy 1.17 subtracts what it has overwritten.",
    "distance_transform_bf/indices": "The array given as indices is only written to; SciPy 1.17 looks its result up in it, so that "
                                     "it must hold numpy.indices. Likewise cdt.",
    "distance_transform_edt/outputs": "Outputs that are no arrays are a TypeError; SciPy 1.17 ignores them. Negative sampling counts as "
                                      "its absolute value.",
    "distance_transform_cdt/structure": "A structure has the input's rank and counts by its nonzero elements; SciPy 1.17 and 1.18 read any "
                                        "but booleans as bytes (of float64 ones the zero bytes, hence the -1 that SciPy's own test "
                                        "expects), and other ranks from elsewhere, or crash.",
    "sum_labels/order": "On a GPU the order of a region's sum, and so its last digit, may change from run to run.",
    "watershed_ift/queues": "On a GPU labels are those of queues in order. SciPy 1.17, which does the work on the host, leaves a pixel "
                            "that is alone in its queue there when it finds a cheaper path: later ones get out of order or lost, and "
                            "have labels of dearer paths or none. On a GPU labels may have 64 bits, and an output narrower than the "
                            "markers only narrows the result; SciPy keeps 32 bits, and queues such labels by either sign.",
}  # fmt: skip
