"""Kernel rows of the generic filters with the user's C++: a row for each function, shared by equal texts."""

import functools
import re

import gpusci as gs
from gpusci.core import Kernel, cpp_name
from gpusci.core.errors import CompileError

HEADER = "ndimage/kernels/generic.h"
BUFFERS = (32, 128, 512, 2048)       # values a RawKernel's window may have, by what a thread's local array then holds

extend_lines = Kernel(
    "extend_lines", HEADER, template="X Index", first=["f", "B"],
    args="ptr x, ptr extended, i64 n, i64 inner, i64 lines, i64 length, i64 lo, i64 mode, i64 across, f64 cval",
)  # fmt: skip
_WINDOW = ("template <class X, class Y, int R, class Index> using user_window = window_function<{}, X, Y, R, Index>;",
           "X Y R Index", "ptr x, ptr y, i64s window, f64s cval, ptr table")  # fmt: skip
_LINE = ("template <class Index> using user_line = line_function<{}, Index>;", "Index",
         "raw extended, raw y, i64 length, i64 n, i64 step, i64 line, i64 out")  # fmt: skip


@functools.lru_cache(512)
def window_row(function, x_dtype, y_dtype, taps):
    """The row for windows of `taps` values. Raises TypeError or ValueError for a kernel that cannot be their function."""
    if isinstance(function, gs.ReductionKernel):
        return _reduction_row(function, x_dtype, y_dtype, taps)
    if isinstance(function, gs.RawKernel):
        fitting = [n for n in BUFFERS if taps <= n]
        if not fitting:
            raise ValueError(f"a RawKernel's window holds at most {BUFFERS[-1]} values, this one has {taps}; a WindowKernel takes any")
        return _raw_row("user_window", function, f"window_buffer<user::function, {fitting[0]}>")
    return _row("user_window", function.name, _inside(function.struct()), f"window_body<user::{function.name}>", function.fields,
                function.operation)  # fmt: skip


@functools.lru_cache(512)
def line_row(function):
    """The row for lines. Raises TypeError or ValueError as `window_row`."""
    if isinstance(function, gs.RawKernel):
        return _raw_row("user_line", function, "line_buffer<user::function>")
    return _row("user_line", function.name, _inside(function.struct()), f"user::{function.name}", function.fields, function.operation)


def _inside(text):
    return f"namespace gpusci {{ namespace user {{\n{text}}} }}\n"


def _reduction_row(function, x_dtype, y_dtype, taps):
    """CuPy's rules: a generic input type is the array's dtype, a generic output type the output's."""
    params = [*function.in_params, *function.out_params]
    if len(function.in_params) != 1 or len(function.out_params) != 1 or params[0].raw or params[1].raw:
        raise TypeError(f"ReductionKernel {function.name}: a filter's function has one input and one output, neither of them raw")
    if taps == 0 and function.identity is None:
        raise ValueError(f"the footprint is empty and ReductionKernel {function.name} has no identity; give it one")
    generic = {}
    for param, dtype in zip(params, (x_dtype, y_dtype), strict=True):
        if param.dtype is None:
            generic.setdefault(param.type, dtype)
    dtypes = [param.dtype or generic[param.type] for param in params]
    if any(dtype.kind == "c" for dtype in dtypes):
        raise TypeError(f"ReductionKernel {function.name}: complex type not supported by filters")
    _, text = function.struct(dtypes[:1], dtypes[1:], generic)
    has_identity = "false" if function.identity is None else "true"
    user = f"window_reduction<user::{function.name}, {has_identity}, {', '.join(map(cpp_name, dtypes))}>"
    lines = "\n".join([function.map_expr, function.reduce_expr, function.post_map_expr])
    return _row("user_window", function.name, _inside(text), user, "i64 none", lines)


def _raw_row(name, function, user):
    if function.options:
        raise ValueError(f"RawKernel {function.name}: a filter's function takes no options; write #define in its text")
    if not function.name.isidentifier():
        raise ValueError(f"RawKernel {function.name!r}: a filter's function is named by an identifier")
    text = (
        f'#include "ndimage/kernels/raw.h"\n#line 1 "{function.name}"\n{function.code}\n#line 1 "gpusci"\n'
        '#include "ndimage/kernels/raw.h"\n'
        + _inside(f"struct function {{ template <class... A> HD static void call(A... a) {{ ::{function.name}(a...); }} }};\n")
    )
    return _row(name, function.name, text, user, "i64 none", function.code)


@functools.lru_cache(512)
def _row(name, user_name, text, user, fields, lines, first=()):
    return _UserRow(name, user_name, text, user, fields, lines, first)


class _UserRow(Kernel):
    """A row whose function is the user's text: `text` defines it, the C++ type `user` is it.

    lines    what the user wrote, for messages
    """

    def __init__(self, name, user_name, text, user, fields, lines, first):
        alias, template, args = _WINDOW if name == "user_window" else _LINE
        self.user_name, self.lines = user_name, lines
        self.text = f'#include "{HEADER}"\n{text}namespace gpusci {{ {alias.format(user)} }}\n'
        # Truncated results are the same on both devices: no contraction of a * b + c there.
        super().__init__(name, HEADER, template=template, args=f"{args}, {fields}", first=first, grain=1024 if "window" in name else 8,
                         exact=lambda template: len(template) > 1 and template[1].kind != "f")  # fmt: skip

    def source(self, template, wide=False):
        return self.text + super().source(template, wide)

    def function(self, device, template, wide):
        try:
            return super().function(device, template, wide)
        except CompileError as error:
            raise CompileError(self._explained(device, error.log), error.log) from None

    def _explained(self, device, log):
        """The user's lines with their numbers, those that the compiler complains of marked."""
        marked = {int(n) for n in re.findall(rf"(?m)^{self.user_name}[:(](\d+)", log)}
        numbered = [f"{'>' if k in marked else ' '}{k:4} | {line}" for k, line in enumerate(self.lines.splitlines(), 1)]
        return "\n".join([f"the filter's function {self.user_name} does not compile for the {device.kind} device:", *numbered])


# One of each kind, for CI to compile.
_row("user_window", "sample", _inside(gs.WindowKernel("return w[0];", name="sample").struct()), "window_body<user::sample>", "i64 none",
     "return w[0];", first=("f f 2", "d B 3"))  # fmt: skip
_row("user_line", "sample", _inside(gs.LineKernel("out[0] = in[0];", name="sample").struct()), "user::sample", "i64 none",
     "out[0] = in[0];", first=("",))  # fmt: skip
