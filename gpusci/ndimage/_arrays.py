"""What every filter does with its arrays and arguments: dtypes, `output=`, overlap, complex parts, axes, modes."""

import numpy as np

from gpusci.core import args, constant, from_numpy, ndarray, new
from gpusci.ndimage import _kernels

MODE_NUMBERS = {name: number for number, name in enumerate(
    ("Mode::reflect", "Mode::constant", "Mode::nearest", "Mode::mirror", "Mode::wrap", "Mode::grid_constant", "Mode::grid_wrap")
)}  # fmt: skip  the enumerators of boundary.h in order
CONSTANT_MODES = ("constant", "grid-constant")
CONSTANT_NUMBERS = (MODE_NUMBERS["Mode::constant"], MODE_NUMBERS["Mode::grid_constant"])
FLOAT64 = np.dtype(np.float64)
UINT8 = np.dtype(np.uint8)
BOOL = np.dtype(bool)
_REAL = {"F": np.dtype("f"), "D": np.dtype("d")}
_NUMBERS = {name: MODE_NUMBERS[enumerator] for name, enumerator in args.MODES.items()}
_EVERY = tuple(tuple(range(ndim)) for ndim in range(65))       # axes=None, by the array's rank
# Plain Python values come at nearly every call: they go round the general rules below.
_PLAIN = frozenset((int, float, bool, str, type(None)))


# ---- arguments
def host(value):
    """A small argument (size, origin, weights, footprint) as NumPy or Python data; waits for the GPU if it lies there."""
    return value.numpy() if isinstance(value, ndarray) else value


def sequence(value, n):
    """One value for each of n axes. Raises RuntimeError, as SciPy, for a sequence of another length."""
    kind = type(value)
    if kind in _PLAIN:
        return [value] * n
    if kind in (list, tuple) and len(value) == n:
        return list(value)
    return args.normalize_sequence(host(value), n)


def mode_number(mode):
    """The number a kernel knows a boundary mode by. Raises RuntimeError for an unknown one."""
    try:
        return _NUMBERS[mode]
    except (KeyError, TypeError):
        return MODE_NUMBERS[args.mode_enum(mode)]       # raises


def one_mode(mode):
    """A mode that must be one string: filters that are not separable take no sequence. Raises RuntimeError as SciPy."""
    if not isinstance(mode, str) and hasattr(mode, "__iter__"):
        raise RuntimeError("A sequence of modes is not supported by filters that are not separable; give one mode")
    return mode_number(mode)


def check_axes(axes, ndim):
    """`axes=` as a tuple of distinct numbers in [0, ndim). Raises ValueError as SciPy, TypeError for a fraction."""
    if axes is None:
        return _EVERY[ndim]
    axes = host(axes)
    if isinstance(axes, (np.ndarray, np.generic)):
        axes = axes.tolist()
    try:
        return args.normalize_axes(axes, ndim)
    except np.exceptions.AxisError as e:
        raise ValueError(f"specified axis: {e.axis} is out of range for an array of {ndim} dimensions") from None


def fills(cval, is_complex):
    """The constant for the real and the imaginary part. Raises TypeError for a complex one with real data."""
    if type(cval) is float and not is_complex:
        return cval, cval
    cval = host(cval)
    if is_complex:
        cval = complex(cval)
        return cval.real, cval.imag
    return (float(cval),) * 2


def check_cval(input, weights, cval):
    """Raises ValueError, as SciPy, for a complex constant with real data and complex weights."""
    if weights.dtype.kind == "c" and input.dtype.kind != "c" and np.iscomplexobj(host(cval)):
        raise ValueError("Cannot provide a complex-valued cval when the input is real.")


def check_dtypes(*arrays):
    """Raises RuntimeError, as SciPy, for float16, which its filters do not take."""
    for x in arrays:
        if x.dtype.char == "e":
            raise RuntimeError(f"array type {x.dtype!r} not supported; convert it first, for example with astype('float32')")


def cost(taps):
    """Nanoseconds of an element of a filter on the host."""
    return 1 + 0.15 * taps


# ---- output
def get_output(output, input, complex_output=False):
    """The array to write to, as SciPy reads `output=`. Raises RuntimeError for a wrong shape or dtype."""
    if output is None and not (complex_output and input.dtype.kind != "c"):
        return new(input.shape, input.dtype, input.device)
    if isinstance(output, str):
        dtype = np.dtype(output)
        if complex_output and dtype.kind != "c":
            raise RuntimeError("output must have complex dtype; name complex64 or complex128")
        if not issubclass(dtype.type, np.number):
            raise RuntimeError("output must have numeric dtype")
        output = dtype
    out = args.get_output(output, input, complex_output=complex_output)
    if out.dtype.kind == "c" and not complex_output:
        raise RuntimeError(f"array type {out.dtype!r} not supported as output of real data; give a real output")
    if not out.flags.writeable:
        raise ValueError("output array is read-only; give one that can be written to")
    return out


def bounds(x):
    """First and one past the last address that an array may touch."""
    reach = [(n - 1) * s for n, s in zip(x.shape, x.strides)]
    return x.ptr + sum(r for r in reach if r < 0), x.ptr + sum(r for r in reach if r > 0) + x.itemsize


def overlap(x, y):
    """Whether two arrays may share memory."""
    if x.flags.c_contiguous and y.flags.c_contiguous:
        a, b = x.ptr, y.ptr
        return a < b + y.nbytes and b < a + x.nbytes and x.device is y.device
    if x.size == 0 or y.size == 0 or x.device is not y.device:
        return False
    (a, b), (c, d) = bounds(x), bounds(y)
    return a < d and c < b


def contiguous(x):
    return x if x.flags.c_contiguous else x.copy("C")


def real_dtype(x):
    """The dtype kernels see of an array: complex ones are pairs of reals."""
    return parts_dtype(x.dtype)


def table(array, device):
    """A contiguous NumPy array of a kernel's own dtype on the device, read-only."""
    return from_numpy(array) if device.kind == "host" else constant(array, device)


def parts_dtype(dtype):
    return _REAL[dtype.char] if dtype.kind == "c" else dtype


def empty(like, dtype):
    """Uninitialised C-ordered array of an array's shape, on its device."""
    return new(like.shape, dtype, like.device)


def direct(x_dtype, y_dtype):
    """Whether kernels that sum in double store y_dtype from x_dtype themselves; other pairs go through a float64 array."""
    return y_dtype == x_dtype or y_dtype.kind == "f" or (y_dtype == UINT8 and x_dtype == BOOL)


def store(result, out):
    """Write a result into the caller's output; into another integer dtype through double, truncated as SciPy does."""
    if result is out:
        return out
    if out.dtype.kind in "biu" and result.dtype != out.dtype:
        target = out if out.flags.c_contiguous else empty(out, out.dtype)
        wide = result if result.dtype == FLOAT64 else result.astype(FLOAT64)
        _kernels.truncate(result.size, (out.dtype,), contiguous(wide), target)
        if target is out:
            return out
        result = target
    out[...] = result
    return out
