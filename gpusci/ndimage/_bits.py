"""Binary images with a bit a pixel: what a GPU does steps of binary morphology on (kernels/binary_bits.h)."""

import functools
import math

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.ndimage import _morphology_kernels as kernels
from gpusci.ndimage._arrays import BOOL, empty, table
from gpusci.ndimage._windows import CACHED_TAPS

QUAD = 128              # pixels of a work item
SHORT = 16              # rows of fewer pixels have more bytes when packed than before
LAUNCH, RUN, TAP = 5, 0.4, 0.08         # microseconds, the latter two on 2**24 pixels, or to wait for on fewer
BYTES = 1 << 19         # pixels of a step on bytes that take as long as a launch
MOST = 32               # steps at a time, however narrow the element
UINT32 = np.dtype(np.uint32)


def pay(image, structure, origins, iterations, mask):
    """Whether packing costs less than it saves."""
    if image.shape[-1] < SHORT:
        return False
    if iterations < 1:
        return True
    launches = 2 + (mask is not None) + -(-iterations // steps_at_once(structure, origins, mask))
    return iterations * (1 + image.size / BYTES) > launches


class Packed:
    """An image on its way through erosions, each of which replaces it; of a dilation (invert) it is the complement."""

    def __init__(self, x, structure, origins, mask, border, invert):
        self.image, self.element, self.invert, self.border = x, (structure, origins), invert, border ^ invert
        self.row = -(-x.shape[-1] // QUAD)      # in Quads
        self.quads = x.size // x.shape[-1] * self.row
        self.bits, self.spare = self._packed(x, invert, self.border), self._room()
        self.mask = None if mask is None else self._packed(mask, 0, 0)

    def _room(self):
        return new((4 * self.quads,), UINT32, self.image.device)

    def _packed(self, x, invert, padding):
        bits = self._room()
        kernels.pack_bits(8 * self.quads, (), x, bits, x.size, x.shape[-1], 8 * self.row, invert, padding)
        return bits

    def erode(self, steps, changed=None):
        """`changed`, if any, is set where the last steps change a pixel."""
        most = steps_at_once(*self.element, self.mask)
        *rows, length = self.image.shape
        shape, tail = (*rows, self.row), length - (self.row - 1) * QUAD
        while steps:
            times = -(-steps // -(-steps // most))      # about as many each time
            steps -= times
            element = element_runs(*self.element, times, self.image.device)
            bits = self.bits, self.spare, self.mask, None if steps else changed
            kernels.binary_bits(self.quads, (len(shape),), *bits, shape, tail, *element, self.border)
            self.bits, self.spare = self.spare, self.bits

    def settle(self, steps):
        """Whether steps came to rest; waits for the GPU."""
        changed = gs.zeros(1, np.int64, device=self.image.device)
        self.erode(steps, changed)
        return not int(changed[0])

    def unpack(self, output=None):
        """The image as booleans, in `output` if given."""
        y = empty(self.image, BOOL) if output is None else output
        kernels.unpack_bits(-(-y.size // 16), (), self.bits, y, y.size, y.shape[-1], 4 * self.row, self.invert)
        return y


def element_runs(structure, origins, times, device):
    """A structure dilated with itself `times` - 1 times, as runs (binary_bits.h): their number, and a table on the device."""
    work = _runs if structure.size <= CACHED_TAPS else _runs.__wrapped__
    runs = work(structure.tobytes(), structure.shape, tuple(origins), times)
    return len(runs), table(runs, device)


@functools.lru_cache(256)
def _runs(structure, extent, origins, times):
    """int64 (runs, ndim + 2): steps along all axes but the last one, Quads along that, 128 bits for -64 to 63 pixels from there."""
    structure = _dilated(np.frombuffer(structure, bool).reshape(extent), times)
    *centre, last = [n // 2 + o for n, o in zip(structure.shape, origins, strict=True)]
    *rows, length = structure.shape
    ahead, lead = divmod(QUAD // 2 - last, QUAD)
    taps = np.zeros((*rows, -(-(lead + length) // QUAD) * QUAD), bool)
    taps[..., lead : lead + length] = structure
    bits = np.packbits(taps, -1, "little").reshape(*rows, -1, QUAD // 8).view(np.int64)
    runs = np.argwhere(bits.any(-1))
    return np.ascontiguousarray(np.hstack([runs - [*centre, -ahead], bits[tuple(runs.T)]]))


def _dilated(structure, times):
    import scipy.ndimage

    if times == 1:
        return structure
    for axis, n in enumerate(structure.shape):          # those it does not reach along stay narrow: 65 along five is 1 GiB
        middle = structure.take([n // 2], axis)
        structure = middle if middle.sum() == structure.sum() else structure
    return scipy.ndimage.iterate_structure(structure, times)


def steps_at_once(structure, origins, mask):
    """The number of steps that are best done as one by a larger element; 1 where that would not be the same.

    It is the same where no path of steps between two pixels has to leave the image. That is so for elements that reach 1 pixel
    and hold with each tap those that do not go along some of its axes: steps there and back can stay away instead.
    """
    if mask is not None or any(origins) or any(n not in (1, 3) for n in structure.shape):
        return 1
    return _steps_at_once(structure.tobytes(), structure.shape)


@functools.lru_cache(256)
def _steps_at_once(structure, extent):
    structure = np.frombuffer(structure, bool).reshape(extent)
    middles = (structure.take([n // 2], axis) for axis, n in enumerate(extent))
    if not all((structure <= middle).all() for middle in middles):
        return 1
    best, least = 0, math.inf
    while best < MOST:
        larger = _dilated(structure, best + 1)
        cost = (LAUNCH + RUN * int(larger.any(-1).sum()) + TAP * int(larger.sum())) / (best + 1)
        if cost >= least:
            break
        best, least = best + 1, cost
    return best
