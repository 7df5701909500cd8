"""The bit generator behind every device but plain NumPy, and filling arrays with it."""

import threading
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

import gpusci as gs
from gpusci.core import get_device
from gpusci.random import _kernels

WORD = 2**64 - 1
RULES = {"any": 0, "nonneg": 1, "positive": 3, "share": 5, "positive share": 7, "above one": 8, "below one": 17}


class Philox4x32:
    """Counter-based Philox4x32-10 (Salmon et al. 2011): the same numbers on every device; its state is two integers.

    seed: an int, a sequence of ints, a `numpy.random.SeedSequence`, or None for fresh entropy.
    """

    def __init__(self, seed=None, *, device=None):
        self._seed = seed if type(seed) is int or isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
        self.key, self.counter = _key_of_int(seed) if type(seed) is int else _key(self._seed), 0
        self._device, self.lock = None if device is None else get_device(device), threading.Lock()

    @property
    def seed_seq(self):
        with self.lock:  # one for all threads: it counts its children
            if type(self._seed) is int:
                self._seed = np.random.SeedSequence(self._seed)
        return self._seed

    @property
    def device(self):
        """Where its numbers are made: given at construction, else the current device."""
        return get_device(self._device)

    @property
    def state(self):
        return {"bit_generator": "Philox4x32", "state": {"key": self.key, "counter": self.counter}}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict) or value.get("bit_generator") != "Philox4x32":
            raise ValueError("state must be a dict of bit_generator 'Philox4x32', as the state attribute gives it")
        self.key, self.counter = (int(value["state"][name]) for name in ("key", "counter"))

    def spawn(self, n_children):
        """Independent generators, as `numpy.random.BitGenerator.spawn`."""
        return [Philox4x32(seed, device=self._device) for seed in self.seed_seq.spawn(n_children)]

    def take(self, n):
        """(key, counter) of the next n work items, as signed words."""
        with self.lock:
            start, self.counter = self.counter, (self.counter + int(n)) & WORD
        return _signed(self.key), _signed(start)

    def __getstate__(self):
        return {**self.__dict__, "lock": None, "_device": None if self._device is None else self._device.name}

    def __setstate__(self, state):
        from gpusci.core.device import available

        self.__dict__.update(state)
        self.lock = threading.Lock()
        # One pickled on a GPU draws the same numbers on the host where there is none.
        self._device = get_device(self._device) if self._device and available(self._device) else None


def _key(seed_seq):
    return int(seed_seq.generate_state(1, np.uint64)[0])


@lru_cache(1024)
def _key_of_int(seed):
    return _key(np.random.SeedSequence(seed))


def _signed(word):
    word &= WORD
    return word - 2**64 if word >= 2**63 else word


# ---- filling
# (kind, type) -> numbers of a work item, template values
FILLINGS = {
    (how, char): (per_item, (np.dtype(char), f"gpusci::draw_{how}"))
    for how in ("uniform", "normal", "exponential") for char, per_item in (("f", 4), ("d", 2))
}  # fmt: skip


def fill_real(bits, how, out, shift=0.0, scale=1.0):
    """shift + scale * (uniform, normal or exponential numbers) in a contiguous float32 or float64 array."""
    per_item, template = FILLINGS[how, out.dtype.char]
    n = out.size
    items = -(-n // per_item)
    _kernels.fill_real(items, template, out, n, *bits.take(items), shift, scale)
    return out


def fill_integers(bits, out, low, high):
    """Integers low ... high, both included, Python ints within out's dtype."""
    wide = np.dtype(np.uint32 if high - low < 2**32 else np.uint64)
    items = -(-out.size // (4 if wide.char == "I" else 2))
    key, counter = bits.take(items)
    _kernels.fill_integers(items, (out.dtype, wide), out, out.size, key, counter, _signed(low), _signed(high - low))
    return out


def fill_between(bits, out, low, span):
    """Integers low ... low + span of int64 arrays of out's shape (span's bits count as unsigned)."""
    key, counter = bits.take(out.size)
    _kernels.fill_integers_between(out.size, (out.dtype,), out, low, span, key, counter)
    return out


class Distribution(NamedTuple):
    """How a distribution is drawn: its functor in distributions.h, a rule for each parameter, the result's dtype."""

    functor: str
    rules: tuple
    dtype: str = "d"


def draw(bits, row, shape, params, dtype=None):
    """An array of this shape; params: Python floats, or contiguous float64 arrays of that shape."""
    out = gs.empty(shape, row.dtype if dtype is None else dtype, device=bits.device)
    arrays, numbers, rules = [None] * 3, [1.0] * 3, [0] * 3
    for i, (value, rule) in enumerate(zip(params, row.rules)):
        rules[i] = RULES[rule]
        if isinstance(value, float):
            numbers[i] = value
        else:
            arrays[i] = value
    key, counter = bits.take(out.size)
    _kernels.draw(out.size, (f"gpusci::{row.functor}", out.dtype), out, *arrays, *numbers, *rules, key, counter)
    return out


@cache
def probe():
    """NumPy's generator: drawing one number with it checks parameters and words the errors."""
    return np.random.Generator(np.random.PCG64(0))
