"""Distance transforms. As `scipy.ndimage`: exact, any rank, with sampling and the nearest background elements."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import args, constant, ndarray, new, public
from gpusci.ndimage import _morphology_kernels as kernels
from gpusci.ndimage._arrays import FLOAT64, contiguous, empty, host
from gpusci.ndimage._structure import generate_binary_structure

METRICS = {"euclidean": "euclidean", "taxicab": "taxicab", "cityblock": "taxicab", "manhattan": "taxicab",
           "chessboard": "chessboard"}  # fmt: skip
UINT32_MAX = np.iinfo(np.uint32).max
NANOSECONDS = 12  # of an element of a pass by lines on the host
BATCH = 16
COLUMNS, COLUMNS_FROM = 64, 16       # distance.h: lines side by side of a work item; from how many there are
# See distance_lines.h: elements a word, words that the first axis looks through without a scan of them. Lines that need no samples; the
# distance of samples as a power of two; of the coarsest samples, which look through their line, there are fewer than TOP_SAMPLES a line.
WORD, FEW_WORDS, SHORT_LINE, SHIFT, TOP_SAMPLES = 32, 16, 128, 5, 32
DISTANCE_FAR, DISTANCE_NONE = 1 << 30, np.finfo(np.float64).max        # no background: see distance_lines.h
INT32, INT64, UINT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.uint32)


def _check_request(shape, return_distances, return_indices, distances, indices, dtype, unfit=RuntimeError):
    """Raises RuntimeError when nothing or something else is asked for, `unfit`, as SciPy, for outputs that do not fit, TypeError
    for outputs that are no arrays."""
    if not (return_distances or return_indices):
        raise RuntimeError("at least one of return_distances/return_indices must be True")
    if distances is None and indices is None:
        return
    wanted = [("distances", distances, return_distances, shape, dtype),
              ("indices", indices, return_indices, (len(shape), *shape), np.int32)]  # fmt: skip
    for name, given, asked, _, _ in wanted:
        if given is not None and not isinstance(given, ndarray):
            raise TypeError(f"{name} is an array to write to, not {type(given).__name__}")
        if given is not None and not asked:
            raise RuntimeError(f"return_{name} must be True, if {name} is not None")
    for name, given, _, shape, dtype in wanted:
        if given is not None and given.shape != shape:
            raise unfit(f"{name} array has wrong shape: {given.shape} is not {shape}")
        if given is not None and given.dtype != dtype:
            raise unfit(f"{name} array must be {np.dtype(dtype)}")


def _sampling(sampling, ndim):
    if sampling is None:
        return [1.0] * ndim
    return np.asarray(args.normalize_sequence(host(sampling), ndim), np.float64).tolist()


def _foreground(input):
    return input if input.dtype == bool else input != 0


def _by_lines(device):
    """Whether passes go line by line, each in linear time, not element by element; tests try both on the host."""
    return device.kind == "host"


def _nearest(foreground, metric, sampling, whole=False, want_feature=True, last=False):
    """Per element: the distance measure g to the nearest background element, and that one's flat index (-1: none).

    whole: g in whole numbers, for unit sampling; the index only if wanted. last: of equally near elements the last in C
    order, as SciPy's brute force finds them.
    """
    x = contiguous(foreground)
    device, shape = x.device, x.shape
    ftype, gtype = INT32 if x.size < 2**31 else INT64, INT32 if whole else FLOAT64

    def pair():
        return empty(x, gtype), empty(x, ftype) if want_feature else None

    if not x.size:
        return pair()
    lines = [(shape[d], math.prod(shape[d + 1 :]), sampling[d]) for d in range(x.ndim)]
    long = [line for line in lines if line[0] > 1] or lines[:1]
    by_lines = _by_lines(device)
    if by_lines and whole:
        return _by_steps(x, metric, long), None
    now = pair()
    if by_lines and metric == "euclidean" and not last:
        start = x
        for line in lines:
            kernels.distance_envelope(x.size // line[0], (ftype,), start, *now, *line, cost=NANOSECONDS * line[0])
            start = None
        return now
    lines = long
    if not last:        # then sums may be formed in any order: an axis much longer than the others goes first, where length costs least
        lines.sort(key=lambda line: -(line[0] // (2 * shape[0])))
    _first_axis(x, (f"Metric::{metric}", gtype, ftype), now, *lines[0])
    template, spare = (f"Metric::{metric}", last, gtype, ftype), None
    for line in lines[1:]:
        spare = spare or pair()
        kernels.distance_search(x.size, template, *now, *line, *_samples(template, now, line), *spare)
        now, spare = spare, now
    if last and metric == "chessboard":
        kernels.last_in_box(x.size, (ftype, x.ndim), x, *now, shape)
    return now


def _by_steps(foreground, metric, lines):
    """g in whole numbers, on the host. Along the first axis both metrics count steps, as taxicab does along all."""
    g, start = empty(foreground, INT32), foreground
    if lines[0][1] < COLUMNS_FROM:
        g, start = gs.where(foreground, INT32.type(DISTANCE_FAR), INT32.type(0)), None
    for k, (length, stride, _) in enumerate(lines):
        counts = "taxicab" if k == 0 else metric
        if counts == "taxicab" and stride >= COLUMNS_FROM:
            items = g.size // (length * stride) * -(-stride // COLUMNS)
            kernels.distance_columns(items, (), start, g, length, stride, cost=NANOSECONDS * 4 * length)
        else:
            kernels.distance_whole(g.size // length, (f"Metric::{counts}",), g, length, stride, cost=NANOSECONDS * length)
        start = None
    return g


def _first_axis(x, template, pair, length, stride, sampling):
    """g and features along one axis of the foreground: nearest set bits of words, and of the words around them."""
    ftype, device, lines = template[-1], x.device, x.size // length
    count = -(-length // WORD)
    words, carry, total = new((count * lines,), UINT32, device), None, count * lines
    if count > FEW_WORDS:
        carry = new((2 * lines // stride, count, stride), ftype, device)
    kernels.background_words(total, (ftype,), x, words, carry, length, stride, count, total)
    if carry is not None:
        gs.maximum.accumulate(carry, axis=1, out=carry)
    rows = 16 if stride >= WORD else 1
    items = lines * -(-length // rows)
    kernels.distance_firsts[rows](items, template, words, carry, *pair, length, stride, count, total, rows, sampling)


def _samples(template, pair, line):
    """Of a line's every 2^shift-th element and its last where in the line their nearest are, and shift. A short line needs none."""
    length, ftype = line[0], template[-1]
    samples, shift = None, 0
    if length <= SHORT_LINE:
        return samples, shift
    for step in reversed([s for s in range(SHIFT, 63, 3) if s == SHIFT or (length - 1) >> (s - 3) >= TOP_SAMPLES]):
        made = new((pair[0].size // length * (((length - 2) >> step) + 2),), ftype, pair[0].device)
        kernels.distance_samples(made.size, template, *pair, *line, samples, shift, made, step)
        samples, shift = made, step
    return samples, shift


def _finish(feature, shape, sampling, want_distance, want_indices):
    distance = empty(feature, FLOAT64) if want_distance else None
    indices = new((len(shape), *shape), INT32, feature.device) if want_indices else None
    if feature.size:
        kernels.distance_finish(feature.size, (feature.dtype, len(shape)), feature, distance, indices, feature.size, shape, sampling)
    return distance, indices


def _deliver(distance, indices, distances_out, indices_out):
    """Results as SciPy returns them: what was given as an output array is filled and left out."""
    results = []
    for value, out in ((distance, distances_out), (indices, indices_out)):
        if value is None:
            continue
        if out is not None:
            out[...] = value
        else:
            results.append(value)
    return tuple(results) if len(results) > 1 else results[0] if results else None


def _euclidean(foreground, sampling, want_distance, want_indices):
    shape, device = foreground.shape, foreground.device
    whole = all(s == 1 for s in sampling) and sum(n * n for n in shape) < 2**30
    if want_indices or not whole or _by_lines(device):
        _, feature = _nearest(foreground, "euclidean", sampling)
        return _finish(feature, shape, sampling, want_distance, want_indices)
    # Squares of whole numbers are exact, and half as wide as doubles: the nearest elements need not be known.
    g, _ = _nearest(foreground, "euclidean", sampling, whole=True, want_feature=False)
    distance = empty(g, FLOAT64)
    kernels.distance_root(g.size, (len(shape),), g, distance, shape)
    return distance, None


@public("input", outputs=("distances", "indices"))
def distance_transform_edt(
    input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None
):
    """Euclidean distance of every nonzero element to the nearest zero. As `scipy.ndimage.distance_transform_edt`.

    Distances are float64, indices int32 (rank, *shape). Among equally near zeros any may be named in `indices`.
    Raises RuntimeError for outputs of a wrong shape or dtype or when nothing is asked for.
    """
    input = input if input.ndim else input.reshape(1)
    _check_request(input.shape, return_distances, return_indices, distances, indices, np.float64)
    sampling = _sampling(sampling, input.ndim)
    if input.size == 0:
        distance, found = gs.zeros(input.shape, device=input.device), gs.zeros((input.ndim, *input.shape), np.int32, device=input.device)
        distance, found = distance if return_distances else None, found if return_indices else None
    else:
        distance, found = _euclidean(_foreground(input), sampling, return_distances, return_indices)
    return _deliver(distance, found, distances, indices)


@public("input", outputs=("distances", "indices"))
def distance_transform_bf(
    input, metric="euclidean", sampling=None, return_distances=True, return_indices=False, distances=None, indices=None
):
    """Distance to the nearest zero by any of three metrics. As `scipy.ndimage.distance_transform_bf`.

    metric "euclidean" (float64, with `sampling`), "taxicab" or "chessboard" (uint32; SciPy ignores `sampling` there, and so do
    we). Not by brute force here: the three metrics separate by axes. Raises RuntimeError for an unknown metric.
    """
    known = METRICS.get(metric.lower())
    dtype = np.dtype(np.float64 if known == "euclidean" else np.uint32)
    _check_request(input.shape, return_distances, return_indices, distances, indices, dtype)
    if known is None:
        raise RuntimeError("distance metric not supported: use 'euclidean', 'taxicab' or 'chessboard'")
    metric, steps = known, _sampling(sampling, input.ndim)
    if metric != "euclidean":
        steps = [1.0] * input.ndim
    if input.ndim == 0:
        far = np.sqrt(np.finfo(np.float64).max) if metric == "euclidean" else UINT32_MAX
        distance = gs.where(input != 0, dtype.type(far), dtype.type(0)) if return_distances else None
        return _deliver(distance, gs.empty(0, np.int32, device=input.device) if return_indices else None, distances, indices)
    if metric != "euclidean" and not return_indices and sum(input.shape) < DISTANCE_FAR:
        distance = _chamfer_distance(_foreground(input), metric).astype(dtype)          # -1 becomes UINT32_MAX
        return _deliver(distance, None, distances, indices)
    g, feature = _nearest(_foreground(input), metric, steps, last=return_indices)
    distance, found = None, None
    if return_distances:
        if metric == "euclidean":
            distance, _ = _finish(feature, input.shape, steps, True, False)
            distance = gs.where(feature < 0, np.sqrt(np.finfo(np.float64).max), distance)
        else:
            distance = gs.where(feature < 0, float(UINT32_MAX), g).astype(dtype)
    if return_indices:
        _, found = _finish(gs.where(feature < 0, feature.dtype.type(0), feature), input.shape, steps, False, True)
    return _deliver(distance, found, distances, indices)


@public("input", outputs=("distances", "indices"))
def distance_transform_cdt(
    input, metric="chessboard", return_distances=True, return_indices=False, distances=None, indices=None
):
    """Chamfer distance to the nearest zero, int32; -1 where there is none. As `scipy.ndimage.distance_transform_cdt`.

    metric "chessboard", "taxicab" ("cityblock", "manhattan"), or a structure 3 wide whose offsets are steps of cost 1. With a
    structure or `return_indices` SciPy's two passes are repeated, which on a GPU waits for it every 16 relaxations.
    Raises ValueError for a structure that is not 3 wide or an unknown metric, TypeError, as SciPy, for a 0-d array.
    """
    _check_request(input.shape, return_distances, return_indices, distances, indices, np.int32, ValueError)
    if isinstance(metric, str):
        if metric not in METRICS or metric == "euclidean":
            raise ValueError("invalid metric provided: use 'chessboard', 'taxicab' or a structure")
        _needs_axes(input)
        if not return_indices:
            return _deliver(_chamfer_distance(_foreground(input), METRICS[metric]), None, distances, indices)
        structure = generate_binary_structure(input.ndim, 1 if METRICS[metric] == "taxicab" else input.ndim)
    else:
        structure = np.asarray(host(metric)) != 0
        if any(n != 3 for n in structure.shape) or structure.ndim != input.ndim > 0:
            raise ValueError("metric sizes must be equal to 3, one for each axis")
        _needs_axes(input)
    distance, feature = _chamfer(_foreground(input), structure)
    found = None
    if return_indices:
        _, found = _finish(gs.where(feature < 0, feature.dtype.type(0), feature), input.shape, [1.0] * input.ndim, False, True)
    return _deliver(distance if return_distances else None, found, distances, indices)


def _chamfer_distance(foreground, metric):
    """int32 distances, -1 everywhere when there is no background."""
    whole = sum(foreground.shape) < DISTANCE_FAR
    g, _ = _nearest(foreground, metric, [1.0] * foreground.ndim, whole=whole, want_feature=False)
    if not whole:
        return gs.where(g == DISTANCE_NONE, -1.0, g).astype(INT32)
    if not g.device.uses_numpy:
        return gs.where(g == DISTANCE_FAR, INT32.type(-1), g)
    if g.size and g.numpy().item(0) == DISTANCE_FAR:        # one for all, known without waiting
        g.fill(-1)
    return g


def _needs_axes(input):
    if input.ndim == 0:
        raise TypeError("a 0-d array has no neighbours: reshape it to (1,)")


def _chamfer(foreground, structure):
    """int32 distances and int64 flat indices: the first half of the structure looks back, its reflection forward."""
    x = contiguous(foreground)
    shape, device = x.shape, x.device
    delta, steps = _looking_back(structure.tobytes(), shape)
    distance = gs.where(x, np.int32(-1), np.int32(0))
    feature = gs.arange(x.size, dtype=np.int64, device=device).reshape(shape)
    for reverse, sign in enumerate((1, -1)):
        where = (shape, len(delta), constant(sign * delta, device), constant(sign * steps, device))
        if device.kind == "host":
            kernels.chamfer_pass(x.size, (x.ndim,), distance, feature, x.size, reverse, *where)
        else:
            distance, feature = _relaxed(distance, feature, where)
    return distance, feature


@functools.lru_cache(64)
def _looking_back(structure, shape):
    """The set offsets of the first half of a structure 3 wide, as coordinates and as steps of the flat index."""
    taps = np.frombuffer(structure, bool)
    delta = np.stack(np.unravel_index(np.flatnonzero(taps[: taps.size // 2]), (3,) * len(shape)), -1).astype(np.int64) - 1
    return delta, delta @ np.array([math.prod(shape[d + 1 :]) for d in range(len(shape))], np.int64)


def _relaxed(distance, feature, where):
    """What one pass makes of distance and feature."""
    start, changed = (distance, feature), gs.zeros(1, np.int64, device=distance.device)
    now, spare = start, [(gs.empty_like(distance), gs.empty_like(feature)) for _ in range(2)]
    while distance.size:
        for _ in range(BATCH):
            kernels.chamfer_step(distance.size, (distance.ndim,), *start, *now, *spare[0], changed, *where)
            now, spare = spare[0], spare[::-1]
        if not int(changed[0]):
            break
        changed.fill(0)
    return now
