# cython: language_level=3
"""Kernel rows: a C++ template, the values that specialise it, the fields of its Args struct.

key -> two-line source -> loaded Function. See DESIGN.md section 2 for what a row means.
"""

import threading

from libc.stdint cimport int64_t

from gpusci.core._pack cimport Packer

import numpy as np

from gpusci.core import errors
from gpusci.core._dtypes import DTYPES, cpp_name
from gpusci.core._pack import KINDS

__all__ = ["BlockKernel", "Functor", "Kernel", "rows"]

INT32_MAX = 2**31 - 1
cdef double WAKE = 100_000                 # nanoseconds of work that waking a thread of the host must be worth
_lock = threading.Lock()
_rows = []  # rows that name their first signatures, for `gpusci warm` and the contract tests


cdef class Kernel:
    """A row of at-form: called with the number of work items, template values and argument values."""

    cdef readonly str name, header
    cdef readonly tuple first, template, fields, errors
    cdef readonly bint index            # the last template parameter is Index, which core chooses
    cdef readonly int threads
    cdef readonly int64_t grain
    cdef readonly object exact, together
    cdef public dict _functions         # (device, template, wide) -> Function
    cdef dict __dict__
    cdef readonly Packer packer

    entry = "GPUSCI_ENTRY"

    def __init__(self, name, header, *, template="", args="", first=(), errors=(), threads=256, grain=4096,
                 exact=None, together=None):  # fmt: skip
        self.name, self.header, self.first = name, header, tuple(first)
        self.template = tuple(template.split())
        self.index = self.template[-1:] == ("Index",)
        self.fields = tuple(tuple(field.split()) for field in args.split(",") if field.strip())
        self.errors, self.threads, self.grain = tuple(errors), threads, grain
        # exact: template -> whether products must not be contracted into sums. together: template -> [(row, template)], what
        # a GPU will most likely run next; one call of NVRTC then compiles all, in half the time.
        self.exact, self.together = exact, together
        for field in self.fields:
            if field[0] not in KINDS:
                raise ValueError(f"kernel {name}: unknown argument kind {field[0]!r}, use one of {', '.join(KINDS)}")
        self._functions = {}
        self.packer = Packer(name, self.fields, self.errors)
        if self.first:
            _rows.append(self)

    def __call__(self, n, template, *args, double cost=0):
        """Enqueue n work items. template: values without Index; args: one per field except `err`. cost: nanoseconds of an item
        on the host, where that differs from call to call; else the row's `grain` says how many a thread takes at least."""
        if n <= 0:
            return
        cdef int64_t grain = 0 if cost == 0 else <int64_t>(WAKE / cost) + 1
        words, wide, device = self.packer.pack(args)
        self._function(device, template, wide or n > INT32_MAX).start(n, words, grain)
        if self.errors and device.kind == "host":
            errors.check(device)

    cdef object _function(self, device, template, bint wide):
        found = self._functions.get((device, template, wide))
        return self.function(device, template, wide) if found is None else found

    def function(self, device, template, wide):
        """The code for a device, loaded (and compiled) at the first use."""
        key = (device, template, bool(wide))
        function = self._functions.get(key)
        if function is None:
            if self.together is not None and device.kind == "cuda":
                more = self.together(template)
                device.prepare([row._unit(values, wide) for row, values in ((self, template), *more)])
            source, name, exact = self._unit(template, wide)
            function = device.load(source, name, self.threads, self.grain, isinstance(self, BlockKernel), exact)
            with _lock:
                function = self._functions.setdefault(key, function)
        return function

    def _unit(self, template, wide):
        """Source, name, and whether it is compiled without contraction."""
        return self.source(template, wide), self.name, self.exact is not None and self.exact(template)

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


cdef class BlockKernel(Kernel):
    """A row of block-form, CUDA only: called with the number of thread blocks."""

    entry = "GPUSCI_BLOCK_ENTRY"

    def __call__(self, blocks, template, *args, shared=0):
        if blocks <= 0:
            return
        words, wide, device = self.packer.pack(args)
        function = self._function(device, template, wide or blocks > INT32_MAX)
        if shared > 48 * 1024:
            device.allow_shared(function, shared)
        function.start_blocks(blocks, words, shared)


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
