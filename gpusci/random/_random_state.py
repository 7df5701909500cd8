"""`RandomState`: NumPy's older interface, and the generator behind the module's functions."""

import numpy as np

from gpusci.core import current_device, get_device, new, to_array
from gpusci.random import _sampling
from gpusci.random._distributions import REAL, Distributions, host_value, shape_of
from gpusci.random._generator import Generator
from gpusci.random._philox import Philox4x32, fill_real


class RandomState(Distributions):
    """As `numpy.random.RandomState`; arrays are gpusci arrays, 0-d ones for size=None.

    Without `device` each draw is made on the device current then. On the host the numbers are NumPy's (MT19937), on a GPU
    those of `Philox4x32`, both from the same seed.
    """

    def __init__(self, seed=None, *, device=None):
        self._device = None if device is None else get_device(device)
        self.seed(seed)

    def seed(self, seed=None):
        """Start again; the generators themselves are made when first needed."""
        if seed is not None:
            np.random.SeedSequence(seed)  # raises for what cannot be a seed
        self._seed, self._numpy, self._bits = seed, None, None

    def _source(self):
        device = self._device or current_device()
        if device.uses_numpy:
            if self._numpy is None:
                self._numpy = np.random.RandomState(self._seed)
            return self._numpy, None, get_device("host")
        if self._bits is None:
            self._bits = Philox4x32(self._seed, device=self._device)
        return None, self._bits, device

    def __reduce__(self):
        return _rebuild, (self._seed, None if self._device is None else self._device.name, self._numpy, self._bits)

    def get_state(self, legacy=True):
        """NumPy's state on the host, that of `Philox4x32` on a GPU."""
        numpy, bits, _ = self._source()
        return numpy.get_state(legacy) if numpy is not None else bits.state

    def set_state(self, state):
        """A state of `get_state`, of either kind; it counts for the devices of its kind."""
        if isinstance(state, dict) and state.get("bit_generator") == "Philox4x32":
            self._bits = self._bits or Philox4x32(0, device=self._device)
            self._bits.state = state
        else:
            self._numpy = self._numpy or np.random.RandomState(0)
            self._numpy.set_state(state)

    def _modern(self, name, *args, **kwargs):
        """A method that NumPy's two interfaces share."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(getattr(numpy, name)(*map(host_value, args), **kwargs)))
        return getattr(Generator(bits), name)(*args, **kwargs)

    # ---- real numbers
    def _filled(self, name, how, size):
        """Numbers of one kind: by NumPy's method of this name, or by one pass of `fill_real`."""
        numpy, bits, device = self._source()
        if numpy is not None:
            return to_array(np.asarray(getattr(numpy, name)(size)))
        return fill_real(bits, how, new(shape_of(size), REAL, device))

    def random_sample(self, size=None):
        """As `numpy.random.RandomState.random_sample`."""
        return self._filled("random_sample", "uniform", size)

    def random(self, size=None):
        """As `numpy.random.RandomState.random`."""
        return self.random_sample(size)

    def rand(self, *args):
        """As `numpy.random.RandomState.rand`."""
        return self.random_sample(args or None)

    def randn(self, *args):
        """As `numpy.random.RandomState.randn`."""
        return self.standard_normal(args or None)

    def standard_normal(self, size=None):
        """As `numpy.random.RandomState.standard_normal`."""
        return self._filled("standard_normal", "normal", size)

    def standard_exponential(self, size=None):
        """As `numpy.random.RandomState.standard_exponential`."""
        return self._filled("standard_exponential", "exponential", size)

    def standard_gamma(self, shape, size=None):
        """As `numpy.random.RandomState.standard_gamma`."""
        return self._modern("standard_gamma", shape, size)

    # ---- integers and samples
    def randint(self, low, high=None, size=None, dtype=int):
        """As `numpy.random.RandomState.randint`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.randint(host_value(low), host_value(high), size, dtype)))
        return _sampling.integers(bits, low, high, size, dtype, False)

    def random_integers(self, low, high=None, size=None):
        """As `numpy.random.RandomState.random_integers`."""
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, int(high) + 1, size)

    def tomaxint(self, size=None):
        """As `numpy.random.RandomState.tomaxint`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.tomaxint(size)))
        return _sampling.integers(bits, 0, np.iinfo(np.int64).max, size, np.int64, True)

    def bytes(self, length):
        """As `numpy.random.RandomState.bytes`."""
        numpy, bits, _ = self._source()
        return numpy.bytes(length) if numpy is not None else Generator(bits).bytes(length)

    def choice(self, a, size=None, replace=True, p=None):
        """As `numpy.random.RandomState.choice`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            return to_array(np.asarray(numpy.choice(host_value(a), size, replace, host_value(p))))
        return _sampling.choice(bits, a, size, replace, p)

    def permutation(self, x):
        """As `numpy.random.RandomState.permutation`."""
        return self._modern("permutation", x)

    def shuffle(self, x):
        """As `numpy.random.RandomState.shuffle`."""
        numpy, bits, _ = self._source()
        if numpy is not None:
            numpy.shuffle(host_value(x))
        else:
            _sampling.shuffle(bits, x)

    def multinomial(self, n, pvals, size=None):
        """As `numpy.random.RandomState.multinomial`."""
        return self._modern("multinomial", n, pvals, size)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8):
        """As `numpy.random.RandomState.multivariate_normal`."""
        return super().multivariate_normal(mean, cov, size, check_valid, tol)


def _rebuild(seed, device, numpy, bits):
    from gpusci.core.device import available

    self = RandomState(seed, device=device if device and available(device) else None)
    self._numpy, self._bits = numpy, bits
    return self
