"""Element-wise kernels, and what is made of them: `copyto` and `fill_number`.

`Elementwise` is a functor's row. Loops of it are found by their dtypes; how they walk memory is decided in `_ufunc.pyx`.
"""

import math
from numbers import Number

import numpy as np

from gpusci.core import dispatch, host_parts
from gpusci.core._dtypes import DTYPES, cpp_name
from gpusci.core._launch import Memory, copy_async
from gpusci.core._loop import Loop, Scalar, collapse
from gpusci.core._ndarray import from_numpy, ndarray, wrap
from gpusci.core.callers import warn
from gpusci.core.kernel import BlockKernel, Functor, Kernel
from gpusci.core.plans import keep

__all__ = ["Elementwise", "as_scalar", "copyto", "fill_number", "overlaps"]

FUNCTORS = "gpusci/functors.h"
# Costs of an element, and the elements that a host thread is woken for (waking takes some 10 us).
SMALL = 1 << 17  # elements that NumPy copies on one thread, at once
GRAIN = {"light": 1 << 16, "medium": 1 << 12, "heavy": 1 << 9}


class Elementwise:
    """The kernel row of a functor.

    functor   Functor, or a function from the loop's characters to one
    cost      of one element, or a function of the characters: "light" (bound by memory: several vectors a thread),
              "medium" (one vector), "heavy" (one element, so that few elements still fill the GPU)
    errors    (exception, sentence), for a functor that has `can_fail`
    first     dtypes that CI and `gpusci warm` compile
    """

    def __init__(self, functor, nin, nout=1, *, cost="light", errors=(), first=None):
        self.functor = functor if callable(functor) else lambda chars: functor
        self.cost = cost if callable(cost) else lambda chars: cost
        self.nin, self.nout, self.errors = nin, nout, tuple(errors)
        first = [self._template(first, first, False, *self._vector(first, first), 1)] if first else ()
        self.kernel = Kernel(
            "elementwise", "gpusci/elementwise.h", template="F NIN Loop Mem Masked V U R Index", first=first,
            grain=GRAIN[_known(self.cost(""))],
        )  # fmt: skip
        self._loops = {}

    def loop(self, dtypes, memory, device, masked=False):
        """The Loop with these dtypes (inputs, outputs) on operands stored as `memory` on `device`."""
        key = (device, masked, *dtypes, *memory)
        found = self._loops.get(key)
        if found is None:
            found = self._loops[key] = self._make(tuple(dtypes), tuple(memory), device, masked)
        return found

    def _make(self, dtypes, memory, device, masked):
        def load(v, u, rank, wide):
            return self.kernel.function(device, self._template(dtypes, memory, masked, v, u, rank), wide)

        light = self.cost(_chars(dtypes)) == "light"
        sizes = [dtype.itemsize for dtype in memory] + [1] * masked
        vector = self._vector(dtypes, memory)
        return Loop(self.nin, self.nout, sizes, device, load, vector, max(1, 4 // self.nin) if light else 1, self.errors)

    def _vector(self, dtypes, memory):
        return vector_shape(self.cost(_chars(dtypes)), self.nin, memory)

    def _template(self, dtypes, memory, masked, v, u, rank):
        functor = self.functor(_chars(dtypes))
        return functor, self.nin, _types(dtypes), _types(memory), masked, v, u, rank


def vector_shape(cost, nin, dtypes):
    """(V, U): elements of a vector and vectors of a thread, for operands of these dtypes.

    V makes the largest operand's vector 16 bytes, or the smallest one's 4; at most 64 bytes of loads are in flight.
    """
    if cost == "heavy":
        return 1, 1
    sizes = [dtype.itemsize for dtype in dtypes]
    v = max(16 // max(sizes), min(16 // min(sizes), 4))
    if cost == "medium":
        return min(v, 4), 1
    return v, max(1, min(4 // nin, 16 // v, 64 // (v * max(sizes))))


def _known(cost):
    if cost not in GRAIN:
        raise ValueError(f"cost must be one of {', '.join(GRAIN)} (got {cost!r})")
    return cost


def _chars(dtypes):
    return "".join(dtype.char for dtype in dtypes)


def _types(dtypes):
    return f"types<{', '.join(map(cpp_name, dtypes))}>"


_copy = Elementwise(Functor("op::copy", FUNCTORS), 1, first=[DTYPES["f"], DTYPES["d"]])
transpose = BlockKernel(
    "transpose", "gpusci/transpose.h", template="X Y R", first=["f f 1"],
    args="raw x, raw y, i64 rows, i64 columns, i64 x_column, i64 y_row, i64s batch, i64s x_batch, i64s y_batch",
)  # fmt: skip
# Copies of one dtype move bits, so one kernel serves all dtypes of a size.
_BITS = {1: DTYPES["B"], 2: DTYPES["H"], 4: DTYPES["I"], 8: DTYPES["Q"], 16: DTYPES["D"]}
LEAST = {bool: "?", int: "b", float: "e", complex: "F"}  # the smallest dtype of a number's kind; a bool is an int, too
NUMBERS = tuple(LEAST)
_fills = {}  # (type of the number, dtype, casting, device) -> Loop


def copyto(dst, src, casting="same_kind", where=True):
    """As `numpy.copyto`, between arrays of any layout, dtype and overlap; numbers and host arrays are brought to dst's device.

    Raises TypeError where `casting` forbids the conversion, ValueError for a shape that does not broadcast into dst's or
    a read-only dst.
    """
    if not isinstance(dst, ndarray):
        raise TypeError(f"copyto() argument 1 must be gpusci.ndarray, not {type(dst).__name__}")
    device = dst.device
    ready = type(src) is ndarray and src.device is device or type(src) in NUMBERS
    if ready and where is True and device.uses_numpy and dst.size < SMALL:
        np.copyto(dst._a, src._a if type(src) is ndarray else src, casting)
        return
    if not dst.flags.writeable:
        raise ValueError("assignment destination is read-only")
    if ready and where is True and not device.uses_numpy:
        if type(src) is not ndarray:
            return fill_number(dst, src, casting)
        if src.dtype == dst.dtype and src.shape == dst.shape:
            return _write(dst, src.copy() if overlaps(dst, src) else src, None)
    if not isinstance(src, ndarray):
        if _is_number(src, dst.dtype, casting) or casting == "unsafe" and _is_read(src):
            src = np.array(src, dst.dtype)
        else:
            src = dispatch.to_array(src, None if np.ndim(src) == 0 else device)
    mask = None if where is True else _as_mask(where, dst)
    if isinstance(src, np.ndarray):
        return _write(dst, as_scalar(src, dst.dtype), mask)
    if src.dtype != dst.dtype and not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {src.dtype!r} to {dst.dtype!r} according to the rule {casting!r}; "
            "pass casting='unsafe' to convert anyway"
        )
    if src.dtype.kind == "c" and dst.dtype.kind not in "cb" and not device.uses_numpy:
        text = "Casting complex values to real discards the imaginary part"
        warn(text, np.exceptions.ComplexWarning)
    if src.ndim == 0 and src.device is not device and src.device.kind == "host":
        return _write(dst, as_scalar(src.numpy(), dst.dtype), mask)
    src = _broadcastable(src if src.device is device else src.to_device(device), dst.shape)
    if device.uses_numpy:
        return host_parts.copy(dst.numpy(), src.numpy(), True if mask is None else mask.numpy())
    if overlaps(dst, src):
        src = src.copy()
    return _write(dst, src, mask)


def fill_number(dst, value, casting="unsafe"):
    """Set every element of dst, on a device that runs kernels, to a Python number. Raises as `copyto`."""
    key = (type(value), dst.dtype, casting, dst.device)
    loop = _fills.get(key)
    if loop is None:
        _is_number(value, dst.dtype, casting)
        bits = _BITS[dst.itemsize]
        loop = _fills[key] = _copy.loop((bits, bits), (bits, bits), dst.device)
    element = Scalar(np.array(value, dst.dtype))
    if dst.size:
        loop((element, dst))


def _write(dst, src, mask):
    """src (a Scalar, or an array of dst's device that broadcasts) into dst."""
    if dst.size == 0:
        return
    scalar = isinstance(src, Scalar)
    source = dst.dtype if scalar else src.dtype
    if mask is None and not scalar and source == dst.dtype and _same_order(src, dst):
        return _copy_block(dst, src)
    if mask is None and not scalar and dst.device.kind == "cuda" and _transposed(dst, src):
        return
    target = dst.dtype
    if source == target:
        source = target = _BITS[target.itemsize]
    loop = _copy.loop((target, target), (source, target), dst.device, mask is not None)
    loop((src, dst) if mask is None else (src, dst, mask))


def _same_order(a, b):
    """Whether both fill one block of memory, with the elements in the same places."""
    p, q = a.flags, b.flags
    return a.shape == b.shape and ((p.c_contiguous and q.c_contiguous) or (p.f_contiguous and q.f_contiguous))


def _copy_block(dst, src):
    if dst.device.kind == "cuda":
        copy_async(dst.device.index, dst.ptr, src.ptr, dst.nbytes)
    else:
        np.copyto(dst.numpy(), src.numpy())


_transposes = {}  # what `_transposed` found for shapes, strides and dtypes


def _transposed(dst, src):
    """Copy by tiles where the contiguous dimensions differ; whether it was done."""
    if dst.size < 256:
        return False
    key = (dst.shape, dst.strides, dst.dtype, src.shape, src.strides, src.dtype)
    found = _transposes.get(key)
    if found is None:
        found = keep(_transposes, key, _tiling(dst, src))
    if not found:
        return False
    blocks, template, tail = found
    transpose(blocks, template, src, dst, *tail)
    return True


def _tiling(dst, src):
    """Blocks, template values and further arguments of a copy by tiles; empty where the contiguous dimensions are the same."""
    shape, to, of = collapse(dst, src)
    last = len(shape) - 1
    if not 1 <= last <= 5 or to[last] != 1 or 1 not in of or of.index(1) == last:
        return ()
    row = of.index(1)
    if shape[row] < 16 or shape[last] < 16:
        return ()
    rest = [d for d in range(last) if d != row]
    batch, x_batch, y_batch = ([s[d] for d in rest] or [one] for s, one in ((shape, 1), (of, 0), (to, 0)))
    itemsize, bits = dst.itemsize, dst.dtype == src.dtype
    x, y = (_BITS[itemsize],) * 2 if bits else (src.dtype, dst.dtype)
    tile = 32 if src.itemsize > 4 else 64
    blocks = -(-shape[row] // tile) * -(-shape[last] // tile) * math.prod(batch)
    return blocks, (x, y, len(batch)), (shape[row], shape[last], of[last], to[row], batch, x_batch, y_batch)


# ---- operands
def as_scalar(value, dtype):
    """A 0-d array or NumPy scalar as a kernel argument of `dtype`."""
    return Scalar(np.asarray(value).astype(dtype, copy=False))


def overlaps(written, read):
    """Whether writing one array could change what is still to be read of the other. The same elements in the same places are
    safe: each is read before it is written."""
    if written.device is not read.device:
        return False
    if type(written.owner) is type(read.owner) is Memory and written.owner is not read.owner:      # two blocks of a GPU
        return False
    if not np.may_share_memory(written._a, read._a):
        return False
    if written.ptr == read.ptr and written.shape == read.shape and written.strides == read.strides:
        return written.itemsize != read.itemsize
    try:
        return np.shares_memory(written._a, read._a, max_work=1000)
    except np.exceptions.TooHardError:
        return True


def _is_number(value, dtype, casting):
    """Whether it is a Python number; its kind must be castable to dtype."""
    if not isinstance(value, (bool, int, float, complex)) or isinstance(value, np.generic):
        return False
    least = next(char for kind, char in LEAST.items() if isinstance(value, kind))
    if not np.can_cast(least, dtype, casting) and not (least == "b" and dtype.kind == "u"):
        raise TypeError(f"Cannot cast scalar from {np.asarray(value).dtype!r} to {dtype!r} according to the rule {casting!r}")
    return True


def _is_read(value):
    """Whether NumPy reads it as a number of the dtype that it is assigned to: None, text, a Fraction or Decimal."""
    return value is None or isinstance(value, (str, Number)) and not isinstance(value, np.generic)


def _as_mask(where, dst):
    """`where=` as a boolean array on dst's device that broadcasts to dst."""
    mask = where if isinstance(where, ndarray) else from_numpy(np.asarray(where))
    if mask.dtype != np.bool_:
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    if mask.ndim > dst.ndim or any(n not in (1, m) for n, m in zip(mask.shape[::-1], dst.shape[::-1])):
        raise ValueError(f"could not broadcast where mask from shape {mask.shape} into shape {dst.shape}")
    return mask if mask.device is dst.device else mask.to_device(dst.device)


def _broadcastable(src, shape):
    """src without surplus leading dimensions of length 1, checked against the shape it is broadcast into."""
    if src.shape == shape:
        return src
    extra = src.ndim - len(shape)
    fits = all(n == 1 for n in src.shape[:extra]) if extra > 0 else True
    view = src if extra <= 0 or not fits else wrap(src._a.reshape(src.shape[extra:], copy=False), src)
    if not fits or any(n not in (1, m) for n, m in zip(view.shape[::-1], shape[::-1])):
        raise ValueError(f"could not broadcast input array from shape {src.shape} into shape {shape}")
    return view
