"""Kernel rows: a C++ template, the values that specialise it, the fields of its Args struct.

key -> two-line source -> loaded Function. See DESIGN.md section 2 for what a row means.
"""

import struct
import threading

import numpy as np

from gpusci.core import errors
from gpusci.core._dtypes import DTYPES, cpp_name
from gpusci.core._ndarray import ndarray

__all__ = ["BlockKernel", "Functor", "Kernel", "rows"]

KINDS = ("ptr", "raw", "view", "i64", "f64", "c128", "i64s", "f64s", "err")
INT32_MAX = 2**31 - 1
_lock = threading.Lock()
_rows = []  # rows that name their first signatures, for `gpusci warm` and the contract tests


class Kernel:
    """A row of at-form: called with the number of work items, template values and argument values."""

    entry = "GPUSCI_ENTRY"

    def __init__(self, name, header, *, template="", args="", first=(), errors=(), threads=256, grain=4096):
        self.name, self.header, self.first = name, header, tuple(first)
        self.template = tuple(template.split())
        self.index = self.template[-1:] == ("Index",)
        self.fields = tuple(tuple(field.split()) for field in args.split(",") if field.strip())
        self.errors, self.threads, self.grain = tuple(errors), threads, grain
        for field in self.fields:
            if field[0] not in KINDS:
                raise ValueError(f"kernel {name}: unknown argument kind {field[0]!r}, use one of {', '.join(KINDS)}")
        self._functions = {}
        if self.first:
            _rows.append(self)

    def __call__(self, n, template, *args):
        """Enqueue n work items. template: values without Index; args: one per field except `err`."""
        device = self._device(args)
        if n <= 0:
            return
        words, wide = self._pack(device, args)
        function = self._function(device, template, wide or n > INT32_MAX)
        function(n, words)
        if self.errors and device.kind == "host":
            errors.check(device)

    def _device(self, args):
        device = None
        for value in args:
            if isinstance(value, ndarray):
                if device is None:
                    device = value.device
                elif value.device is not device:
                    raise ValueError(
                        f"{self.name}: arrays are on {device.name} and {value.device.name}; "
                        "bring them together with x.to_device(...)"
                    )
        if device is None:
            raise TypeError(f"{self.name}: no array among the arguments")
        return device

    def _pack(self, device, args):
        """The Args struct as bytes, and whether an array needs 64-bit indices."""
        out, wide, values = bytearray(), False, iter(args)
        for field in self.fields:
            kind = field[0]
            if kind == "err":
                out += struct.pack("QQ", device.error_cell, errors.register(self.errors))
                continue
            value = next(values)
            if kind in ("ptr", "raw"):
                if value is None:
                    out += bytes(8)
                    continue
                if kind == "ptr" and not value.flags.c_contiguous:
                    raise ValueError(f"{self.name}: argument {field[1]} must be C-contiguous")
                wide |= value.size > INT32_MAX
                out += struct.pack("Q", value.ptr)
            elif kind == "view":
                shape, itemsize = value.shape, value.itemsize
                strides = [s // itemsize for s in value.strides]
                wide |= value.size > INT32_MAX
                wide |= sum((n - 1) * abs(s) for n, s in zip(shape, strides)) > INT32_MAX
                out += struct.pack(f"Q{2 * max(len(shape), 1)}q", value.ptr, *(*shape, *strides) if shape else (0, 0))
            elif kind == "i64":
                out += struct.pack("q", value)
            elif kind == "f64":
                out += struct.pack("d", value)
            elif kind == "c128":
                out += bytes(-len(out) % 16)  # complex<double> is aligned to its size
                out += struct.pack("dd", value.real, value.imag)
            else:
                value = tuple(value)
                out += struct.pack(f"{len(value)}{'q' if kind == 'i64s' else 'd'}", *value)
        return out, wide

    def _function(self, device, template, wide):
        key = (device, template, wide)
        function = self._functions.get(key)
        if function is None:
            source = self.source(template, wide)
            block = isinstance(self, BlockKernel)
            function = device.load(source, self.name, self.threads, self.grain, block)
            with _lock:
                function = self._functions.setdefault(key, function)
        return function

    def source(self, template, wide=False):
        """The two lines that instantiate this row: template values as in a call (or one of `first`, a string)."""
        if isinstance(template, str):
            template = tuple(DTYPES.get(t, t) for t in template.split())
        index = "int64_t" if wide else "int32_t"
        names = [_cpp(value) for value in template] + [index] * self.index
        if len(names) != len(self.template):
            raise TypeError(f"{self.name}: template values {template} given, {self.template} expected")
        # A header given twice is included once.
        includes = dict.fromkeys([*(h for v in template if isinstance(v, Functor) for h in v.headers), self.header])
        text = "".join(f'#include "{header}"\n' for header in includes)
        return f"{text}namespace gpusci {{ {self.entry}({index}, {self.name}<{', '.join(names)}>) }}\n"


class BlockKernel(Kernel):
    """A row of block-form, CUDA only: called with the number of thread blocks."""

    entry = "GPUSCI_BLOCK_ENTRY"

    def __call__(self, blocks, template, *args, shared=0):
        device = self._device(args)
        if blocks <= 0:
            return
        words, wide = self._pack(device, args)
        function = self._function(device, template, wide or blocks > INT32_MAX)
        if shared > 48 * 1024:
            device.allow_shared(function, shared)
        function(blocks, words, True, shared)


class Functor:
    """A template value that is a C++ functor type with a header (or several) of its own: `Functor("op::add", "gpusci/functors.h")`."""

    __slots__ = ("header", "name")

    def __init__(self, name, header):
        self.name, self.header = name, header

    @property
    def headers(self):
        return (self.header,) if isinstance(self.header, str) else self.header

    def __eq__(self, other):
        return isinstance(other, Functor) and (self.name, self.header) == (other.name, other.header)

    def __hash__(self):
        return hash((self.name, self.header))

    def __repr__(self):
        return self.name


def rows():
    """Every kernel row made so far."""
    return tuple(_rows)


def _cpp(value):
    if isinstance(value, Functor):
        return value.name
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(value)
    return value if isinstance(value, str) else cpp_name(value)
