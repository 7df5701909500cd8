"""`Generator` and `default_rng`."""

import numpy as np

import gpusci as gs
from gpusci.core import get_device, new, to_array
from gpusci.random import _sampling
from gpusci.random._distributions import TABLE, Distributions, host_value, is_scalar, result_shape, shape_of
from gpusci.random._philox import Philox4x32, draw, fill_real, probe


def default_rng(seed=None, *, device=None):
    """As `numpy.random.default_rng`: a `Generator` on `device` (default: the current one).

    On the host it draws NumPy's numbers (PCG64); on a GPU those of `Philox4x32`.
    """
    if isinstance(seed, Generator):
        return seed
    device = get_device(device)
    if device.uses_numpy or isinstance(seed, (np.random.BitGenerator, np.random.Generator, np.random.RandomState)):
        return Generator(np.random.default_rng(seed).bit_generator)
    return Generator(seed if isinstance(seed, Philox4x32) else Philox4x32(seed, device=device))


class Generator(Distributions):
    """As `numpy.random.Generator`; arrays are gpusci arrays, 0-d ones for size=None, so that nothing waits.

    bit_generator: a `Philox4x32` (any device), or one of NumPy's (the host).
    """

    def __init__(self, bit_generator):
        self._bits, self._numpy = bit_generator, None
        if isinstance(bit_generator, np.random.BitGenerator):
            self._numpy = np.random.Generator(bit_generator)
        elif not isinstance(bit_generator, Philox4x32):
            raise TypeError("bit_generator must be a gpusci.random.Philox4x32 or a NumPy bit generator; see default_rng")

    def _source(self):
        return (self._numpy, None, get_device("host")) if self._numpy is not None else (None, self._bits, self._bits.device)

    def __repr__(self):
        return f"<gpusci.random.Generator({type(self._bits).__name__}) on {self._source()[2].name}>"

    def __reduce__(self):
        return Generator, (self._bits,)

    @property
    def bit_generator(self):
        """Holds the state: `bit_generator.state` is read and set as NumPy's."""
        return self._bits

    def spawn(self, n_children):
        """As `numpy.random.Generator.spawn`."""
        return [Generator(child) for child in self._bits.spawn(n_children)]

    # ---- real numbers
    def _real(self, name, how, size, dtype, out, *args):
        numpy, bits, device = self._source()
        dtype = np.dtype(dtype)
        if dtype.char not in "fd":
            raise TypeError(f"Unsupported dtype {dtype!r} for {name}; use float32 or float64")
        if out is not None:
            _check_out(out, size, dtype)
        if numpy is not None:
            view = None if out is None else host_value(out)
            result = getattr(numpy, name)(size, dtype, *args, view)
            return to_array(np.asarray(result)) if out is None else out
        target = out if isinstance(out, gs.ndarray) else new(shape_of(size), dtype, device)
        fill_real(bits, how, target)
        return _into(out, target)

    def random(self, size=None, dtype=np.float64, out=None):
        """As `numpy.random.Generator.random`."""
        return self._real("random", "uniform", size, dtype, out)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """As `numpy.random.Generator.standard_normal`."""
        return self._real("standard_normal", "normal", size, dtype, out)

    def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
        """As `numpy.random.Generator.standard_exponential`."""
        if method not in ("zig", "inv"):
            raise ValueError(f'method must be "zig" or "inv", not {method!r}')
        return self._real("standard_exponential", "exponential", size, dtype, out, method)

    def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
        """As `numpy.random.Generator.standard_gamma`."""
        numpy, bits, device = self._source()
        dtype = np.dtype(dtype)
        if numpy is not None:
            result = numpy.standard_gamma(host_value(shape), size, dtype, None if out is None else host_value(out))
            return to_array(np.asarray(result)) if out is None else out
        if dtype.char not in "fd":
            raise TypeError(f"Unsupported dtype {dtype!r} for standard_gamma; use float32 or float64")
        if is_scalar(shape):
            probe().standard_gamma(shape)
        if out is not None:
            _check_out(out, size, dtype)
        where = result_shape(out.shape if out is not None and size is None else size, shape)
        param = (
            float(shape) if is_scalar(shape) else gs.broadcast_to(gs.asarray(shape, dtype="d", device=device), where).copy()
        )
        return _into(out, draw(bits, TABLE["gamma"], where, [param, 1.0], dtype))

    # ---- integers and samples
    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """As `numpy.random.Generator.integers`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.integers(host_value(low), host_value(high), size, dtype, endpoint)))
        return _sampling.integers(bits, low, high, size, dtype, endpoint)

    def bytes(self, length):
        """As `numpy.random.Generator.bytes`."""
        numpy, bits, _ = self._source()
        return (
            numpy.bytes(length) if numpy is not None else _sampling.integers(bits, 0, 256, length, np.uint8, False).tobytes()
        )

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """As `numpy.random.Generator.choice`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.choice(host_value(a), size, replace, host_value(p), axis, shuffle)))
        return _sampling.choice(bits, a, size, replace, p, axis, shuffle)

    def permutation(self, x, axis=0):
        """As `numpy.random.Generator.permutation`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(numpy.permutation(host_value(x), axis))
        return _sampling.permutation(bits, x, axis)

    def permuted(self, x, axis=None, out=None):
        """As `numpy.random.Generator.permuted`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            result = numpy.permuted(host_value(x), axis=axis, out=None if out is None else host_value(out))
            return to_array(result) if out is None else out
        return _sampling.permuted(bits, x, axis, out)

    def shuffle(self, x, axis=0):
        """As `numpy.random.Generator.shuffle`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            numpy.shuffle(host_value(x), axis)
        else:
            _sampling.shuffle(bits, x, axis)

    def multinomial(self, n, pvals, size=None):
        """As `numpy.random.Generator.multinomial`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.multinomial(host_value(n), host_value(pvals), size)))
        return _sampling.multinomial(bits, n, pvals, size)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """As `numpy.random.Generator.multivariate_hypergeometric`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(numpy.multivariate_hypergeometric(host_value(colors), nsample, size, method))
        return _sampling.multivariate_hypergeometric(bits, colors, nsample, size, method)


def _check_out(out, size, dtype):
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("Supplied output array must be contiguous, writable, aligned, and in machine byte-order.")
    if out.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {dtype}, got {out.dtype}")
    if size is not None and shape_of(size) != out.shape:
        raise ValueError("size must match out.shape when used together")


def _into(out, result):
    if out is None or out is result:
        return result
    out[...] = result if isinstance(out, gs.ndarray) else gs.asnumpy(result)
    return out
