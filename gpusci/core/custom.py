"""Kernels that users write: ElementwiseKernel, ReductionKernel, RawKernel, RawModule, with CuPy's interfaces; WindowKernel
and LineKernel, for the generic filters.

The user's text becomes one C++ function inside a frame from `<gpusci/custom.h>`; it runs on both devices (Raw*: CUDA
only). Strided operands are honoured; `raw` ones are made contiguous (inputs) or refused (outputs).
"""

import math
import operator
import re

import numpy as np

from gpusci.core._dtypes import canonical, cpp_name
from gpusci.core._ndarray import ndarray, new
from gpusci.core.args import normalize_axes
from gpusci.core.constants import constant
from gpusci.core.device import current_device
from gpusci.core.dispatch import to_array
from gpusci.core.kernel import BlockKernel, Kernel

__all__ = ["ElementwiseKernel", "LineKernel", "RawKernel", "RawModule", "ReductionKernel", "WindowKernel"]


class Parameter:
    """One parameter of a user's kernel: `[raw] type name`; type is a dtype name or a generic letter."""

    def __init__(self, text):
        words = text.split()
        self.raw = words[0] == "raw"
        words = words[1:] if self.raw else words
        if words and words[0] == "const":
            words = words[1:]
        if len(words) != 2 or not words[1].isidentifier():
            raise ValueError(f"cannot read the kernel parameter {text!r}: write 'type name' or 'raw type name'")
        self.type, self.name = words
        try:
            self.dtype = canonical(self.type)
        except TypeError:
            if not re.fullmatch(r"[A-Z]\w*", self.type):
                raise ValueError(
                    f"kernel parameter {text!r}: {self.type!r} is neither a dtype name nor a generic type such as T"
                ) from None
            self.dtype = None


def _parameters(text):
    return [Parameter(part) for part in text.split(",") if part.strip()]


def _check_name(name):
    if not name.isidentifier():
        raise ValueError(f"kernel name {name!r} is not an identifier")
    return name


class _CustomRow(Kernel):
    """A row whose source holds the user's text."""

    def __init__(self, name, text, operands, head):
        super().__init__(name, "gpusci/custom.h", args=", ".join([*head, *(f"view v{k}" for k in range(operands))]))
        self.text = text

    def source(self, template, wide=False):
        index = "int64_t" if wide else "int32_t"
        return self.text.replace("@ENTRY", self.entry).replace("@INDEX", index)


class _CustomBlockRow(_CustomRow, BlockKernel):
    entry = BlockKernel.entry


class _Custom:
    """What both kernel kinds share: parameters, types, operands."""

    def __init__(self, in_params, out_params, name, preamble):
        self.in_params, self.out_params = _parameters(in_params), _parameters(out_params)
        self.params = self.in_params + self.out_params
        if len({p.name for p in self.params}) != len(self.params):
            raise ValueError(f"kernel {name}: two parameters have the same name")
        self.name, self.preamble = _check_name(name), preamble
        self._rows = {}

    def _bind(self, args):
        """The device, the dtype of each generic type, and the input operands as arrays."""
        arrays = [a for a in args if isinstance(a, ndarray)]
        device = arrays[0].device if arrays else current_device()
        generic, values = {}, []
        for weak in (False, True):  # arrays decide a generic type before Python scalars do
            for param, value in zip(self.params, args, strict=False):
                if isinstance(value, (bool, int, float, complex)) == weak and param.dtype is None:
                    dtype = canonical(value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype)
                    found = generic.setdefault(param.type, dtype)
                    if not weak and found != dtype:
                        raise TypeError(
                            f"kernel {self.name}: type {param.type} is {found} in one argument and {dtype} in {param.name!r}"
                        )
        for param, value in zip(self.in_params, args, strict=False):
            dtype = param.dtype or generic[param.type]
            if isinstance(value, (bool, int, float, complex, np.generic)):
                value = constant(np.asarray(value, dtype), device)
            value = to_array(value, device).astype(dtype, copy=False)
            values.append(value.copy() if param.raw and not value.flags.c_contiguous else value)
        return device, generic, values

    def _dtype(self, param, generic):
        dtype = param.dtype or generic.get(param.type)
        if dtype is None:
            raise TypeError(f"kernel {self.name}: the type {param.type} of {param.name!r} follows from no argument")
        return dtype

    def _outputs(self, given, shape, generic, device):
        out = []
        for k, param in enumerate(self.out_params):
            dtype = self._dtype(param, generic)
            if k < len(given) and given[k] is not None:
                x = given[k]
                if not isinstance(x, ndarray) or x.dtype != dtype:
                    raise TypeError(f"kernel {self.name}: output {param.name!r} must be a gpusci array of {dtype}")
                if not param.raw and x.shape != tuple(shape):
                    raise ValueError(f"kernel {self.name}: output {param.name!r} has shape {x.shape}, {tuple(shape)} is needed")
                if param.raw and not x.flags.c_contiguous:
                    raise ValueError(f"kernel {self.name}: the raw output {param.name!r} must be C-contiguous")
                out.append(x)
            else:
                out.append(new(tuple(shape), dtype, device))
        return out

    def _usings(self, generic):
        return "".join(f"using {name} = {cpp_name(dtype)};\n" for name, dtype in generic.items())


class ElementwiseKernel(_Custom):
    """A kernel applied to broadcast operands, one element at a time; CuPy's `ElementwiseKernel`.

    in_params, out_params   "float64 a, T x, raw T table"; `raw` operands are indexed by the text
    operation               C++ statements that assign the outputs; `i` is the element's number, `_ind.size()` their count
    name, preamble          the function's name; text put before it

    Call it with the inputs, optionally the outputs, and `size=` when every operand is raw. Returns the output, or a tuple.
    """

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True, preamble="", **options):
        super().__init__(in_params, out_params, name, preamble)
        self.operation = operation

    def __call__(self, *args, size=None):
        nin = len(self.in_params)
        if not nin <= len(args) <= len(self.params):
            raise TypeError(f"kernel {self.name} takes {nin} inputs and up to {len(self.out_params)} outputs, got {len(args)}")
        device, generic, inputs = self._bind(args)
        shapes = [x.shape for p, x in zip(self.in_params, inputs, strict=True) if not p.raw]
        given = list(args[nin:])
        shapes += [x.shape for p, x in zip(self.out_params, given, strict=False) if not p.raw]
        if size is not None:
            shape = (int(size),)
        elif shapes:
            shape = np.broadcast_shapes(*shapes)
        else:
            raise ValueError(f"kernel {self.name}: every operand is raw, so give size=")
        outputs = self._outputs(given, shape, generic, device)
        operands = [x if p.raw else _broadcast(x, shape) for p, x in zip(self.in_params, inputs, strict=True)] + outputs
        operands, rank = _collapse(operands, [p.raw for p in self.params], shape)
        key = (tuple(x.dtype for x in operands), rank)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._row([x.dtype for x in operands], rank, generic)
        n = int(np.prod(shape, dtype=np.int64))
        row(n, (), n, *operands)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _row(self, dtypes, rank, generic):
        kinds = [
            f"{'Raw' if p.raw else 'Out' if p in self.out_params else 'In'}<{cpp_name(d)}>"
            for p, d in zip(self.params, dtypes, strict=True)
        ]
        arguments = [f"{kind}::argument {p.name}" for kind, p in zip(kinds, self.params, strict=True)]
        text = (
            f'#include "gpusci/custom.h"\nnamespace gpusci {{\n{self._usings(generic)}{self.preamble}\n'
            f"struct {self.name} {{\nHD void operator()(const LoopSize _ind, const int64_t i, {', '.join(arguments)}) const {{\n"
            f"{self.operation};\n}}\n}};\n"
            f"@ENTRY(@INDEX, custom_elementwise<{self.name}, {rank}, @INDEX, {', '.join(kinds)}>)\n}}\n"
        )
        return _CustomRow(self.name, text, len(dtypes), ["i64 n"])


class ReductionKernel(_Custom):
    """A reduction that users write; CuPy's `ReductionKernel`.

    map_expr       value of one element, of the inputs' names     "x * x"
    reduce_expr    of `a` and `b`                                 "a + b"
    post_map_expr  assigns the output from `a`                    "y = sqrt(a)"
    identity       text of the neutral value; None: an empty reduction is a ValueError
    reduce_type    C++ type of `a` and `b`; the first output's by default

    Call it with the inputs, `axis=`, `keepdims=`, `out=`.
    """

    def __init__(self, in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name="reduce_kernel",
                 reduce_type=None, reduce_dims=True, preamble="", options=()):  # fmt: skip
        super().__init__(in_params, out_params, name, preamble)
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = None if identity is None or str(identity) == "" else str(identity)
        self.reduce_type = reduce_type

    def __call__(self, *args, axis=None, keepdims=False, out=None, stream=None):
        nin = len(self.in_params)
        if len(args) == nin + 1 and out is None:
            args, out = args[:nin], args[nin]
        if len(args) != nin:
            raise TypeError(f"kernel {self.name} takes {nin} inputs, got {len(args)}")
        device, generic, inputs = self._bind(args)
        if out is not None and self.out_params[0].dtype is None:
            generic.setdefault(self.out_params[0].type, out.dtype)
        for param in self.out_params:  # CuPy: an output type that no input fixes follows the first input
            if param.dtype is None:
                generic.setdefault(param.type, inputs[0].dtype)
        shape = np.broadcast_shapes(*(x.shape for p, x in zip(self.in_params, inputs, strict=True) if not p.raw))
        axes = normalize_axes(axis, len(shape))
        kept = [d for d in range(len(shape)) if d not in axes]
        length = int(np.prod([shape[d] for d in axes], dtype=np.int64))
        if length == 0 and self.identity is None:
            raise ValueError(f"zero-size array to reduction {self.name}, which has no identity")
        final = tuple(1 if d in axes else shape[d] for d in range(len(shape))) if keepdims else tuple(shape[d] for d in kept)
        if out is not None and not out.flags.c_contiguous:
            out[...] = self(*args, axis=axis, keepdims=keepdims)
            return out
        outputs = self._outputs([out] if out is not None else [], final, generic, device)
        order = [*kept, *axes]
        operands = [x if p.raw else _broadcast(x, shape).transpose(order) for p, x in zip(self.in_params, inputs, strict=True)]
        operands, rank = _collapse(operands, [p.raw for p in self.in_params], tuple(shape[d] for d in order))
        rows = int(np.prod([shape[d] for d in kept], dtype=np.int64))
        results = [x.reshape((1,) * (rank - 1) + (rows,)) for x in outputs]
        self._run(device, operands, results, rows, length, rank, generic)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _run(self, device, operands, results, rows, length, rank, generic):
        key = (tuple(x.dtype for x in (*operands, *results)), rank, device.kind)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._row(operands, results, rank, generic, device.kind == "cuda")
        # Enough parts to fill the device when there are few rows.
        splits = 1
        if rows and length > 4096:
            splits = max(1, min(1024 // rows, length // 2048))
        if splits == 1:
            row(rows, (), length, 1, None, None, *operands, *results)
            return
        acc = self._accumulator(generic, results[0].dtype)
        # Space for the accumulators, whatever their C++ type: 32 bytes hold any dtype beside the `has` word.
        bytes_each = 32 if acc is None or self.identity is None else acc.itemsize
        partial = new((rows * splits, bytes_each), "u1", device)
        row(rows * splits, (), length, splits, partial, None, *operands, *results)
        row(rows, (), splits, 1, None, partial, *operands, *results)

    def _accumulator(self, generic, default):
        if self.reduce_type is None:
            return default
        try:
            return generic.get(self.reduce_type) or canonical(self.reduce_type)
        except TypeError:
            return None

    def _row(self, operands, results, rank, generic, block):
        kinds, text = self.struct([x.dtype for x in operands], [x.dtype for x in results], generic)
        core = self.name if self.identity is not None else f"NoIdentity<{self.name}>"
        text = (
            f'#include "gpusci/custom.h"\nnamespace gpusci {{\n{text}'
            f"@ENTRY(@INDEX, custom_reduction<{core}, {rank}, @INDEX, {', '.join(kinds)}>)\n}}\n"
        )
        head = ["i64 length", "i64 splits", "ptr partial", "ptr parts"]
        return (_CustomBlockRow if block else _CustomRow)(self.name, text, len(operands) + len(results), head)

    def struct(self, inputs, outputs, generic):
        """(kinds of the inputs, C++ text of the struct `name`) for dtypes; `generic` maps generic types to theirs."""
        kinds = [f"{'Raw' if p.raw else 'In'}<{cpp_name(d)}>" for p, d in zip(self.in_params, inputs, strict=True)]
        arguments = [f", {kind}::argument {p.name}" for kind, p in zip(kinds, self.in_params, strict=True)]
        acc = self._accumulator(generic, outputs[0])
        acc_name = self.reduce_type if acc is None else cpp_name(acc)
        bind = "".join(
            f"{cpp_name(d)}& {p.name} = Out<{cpp_name(d)}>::get(out_[{k}], i_);\n"
            for k, (p, d) in enumerate(zip(self.out_params, outputs, strict=True))
        )
        return kinds, (
            f"{self._usings(generic)}{self.preamble}\n"
            f"struct {self.name} {{\nusing accumulator = {acc_name};\nstatic constexpr int outputs = {len(outputs)};\n"
            f"HD static accumulator identity() {{ return accumulator({self.identity or ''}); }}\n"
            f"HD static accumulator map(const int64_t i{''.join(arguments)}) {{ return accumulator({self.map_expr}); }}\n"
            f"HD static accumulator reduce(const accumulator a, const accumulator b) {{ return accumulator({self.reduce_expr}); }}\n"
            f"template <int R> HD static void post(const accumulator a, const View<char, R>* out_, const int64_t i_) {{\n"
            f"{bind}{self.post_map_expr};\n}}\n}};\n"
        )


# ---- functions of neighbouring values
class _Function:
    """What WindowKernel and LineKernel share: the user's statements as the body of one C++ function, with numbers besides."""

    arguments, result = (), "void"

    def __init__(self, operation, params="", name="function", preamble=""):
        self.operation, self.name, self.preamble = operation, _check_name(name), preamble
        self.params = _parameters(params)
        taken = set(self.arguments)
        for p in self.params:
            if p.raw or p.dtype is None or p.dtype.kind == "c":
                raise ValueError(f"kernel {name}: parameter {p.name!r} must be a number of a real dtype, such as 'float64 {p.name}'")
            if p.name in taken:
                raise ValueError(f"kernel {name}: {p.name!r} is the name of another argument of the function; choose another")
            taken.add(p.name)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    def words(self, args, keywords):
        """The parameters' values in order, as a kernel row takes them. Raises TypeError as a Python function would."""
        names = [p.name for p in self.params]
        if len(args) > len(names):
            raise TypeError(f"{self!r} takes {len(names)} extra arguments ({', '.join(names)}), got {len(args)}")
        given = dict(zip(names, args, strict=False))
        for name, value in keywords.items():
            if name in given or name not in names:
                raise TypeError(f"{self!r} got {'twice' if name in given else 'an unknown'} extra argument {name!r}")
            given[name] = value
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"{self!r} lacks the extra argument {missing[0]!r}; give it in extra_arguments or extra_keywords")
        return [_number(p, given[p.name], self) for p in self.params] or [0]

    def struct(self):
        """C++ text of the struct `name` with `Parameters` and `call`; the user's lines keep their numbers in messages."""
        fields = "".join(f"{'double' if p.dtype.kind == 'f' else 'int64_t'} {p.name}; " for p in self.params)
        values = "".join(f"const {cpp_name(p.dtype)} {p.name} = {cpp_name(p.dtype)}(parameters_.{p.name});\n" for p in self.params)
        types = [f"{a.capitalize()}_" for a in self.arguments]
        arguments = "".join(f"const {t}& {a}, " for t, a in zip(types, self.arguments, strict=True))
        return (
            f'#line 1 "{self.name}.preamble"\n{self.preamble}\n#line 1 "gpusci"\n'
            f"struct {self.name} {{\nstruct Parameters {{ {fields or 'int64_t none; '}}};\n"
            f"template <{', '.join(f'class {t}' for t in types)}>\n"
            f"HD static {self.result} call({arguments}const Parameters& parameters_) {{\n{values}"
            f'#line 1 "{self.name}"\n{self.operation}\n;\n}}\n}};\n#line 1 "gpusci"\n'
        )

    @property
    def fields(self):
        """The parameters as fields of a kernel row."""
        return ", ".join(f"{'f64' if p.dtype.kind == 'f' else 'i64'} {p.name}" for p in self.params) or "i64 none"


class WindowKernel(_Function):
    """A function of the values in a window that users write in C++, for `ndimage.generic_filter`; runs on both devices.

    operation   C++ statements that return the result, a double. `w[k]` is the window's k-th value as a double (of the
                footprint's elements in C order), `w.size()` their number
    params      numbers it takes besides, "float64 scale, int64 n": values come in extra_arguments or extra_keywords
    preamble    text put before the function, for helper functions (marked HD)

        contrast = gs.WindowKernel('''
            double low = w[0], high = w[0];
            for (int k = 1; k < w.size(); ++k) {
                low = min(low, w[k]);
                high = max(high, w[k]);
            }
            return scale * (high - low);
        ''', "float64 scale", name="contrast")
        ndimage.generic_filter(x, contrast, size=5, extra_arguments=(0.5,))

    Windows may have any size: `w[k]` reads the value where it lies, so copy what is read often, into an array of
    your own where the size has a bound. Sizes, modes and parameters compile nothing anew.
    """

    arguments, result = ("w",), "double"


class LineKernel(_Function):
    """A function from a line to a line that users write in C++, for `ndimage.generic_filter1d`; runs on both devices.

    operation   C++ statements that set every `out[k]`, k < `out.size()`, from `in[k]`, k < `in.size()`, all doubles. `in` is
                the line with the boundary filled in: filter_size - 1 longer than `out`. Both may be read and written
    params, preamble    as for WindowKernel

        smooth = gs.LineKernel('''
            for (int64_t k = 0; k < out.size(); ++k)
                out[k] = k ? a * out[k - 1] + (1 - a) * in[k] : in[0];
        ''', "float64 a", name="smooth")
        ndimage.generic_filter1d(x, smooth, filter_size=1, extra_keywords={"a": 0.9})

    Lines run in parallel, each in one thread.
    """

    arguments = ("in", "out")


def _number(param, value, kernel):
    """A parameter's value: a float, or an int of 64 bits."""
    try:
        if param.dtype.kind == "f":
            return math.ldexp(value, 0)         # takes numbers of any kind, and no strings
        value = int(bool(value)) if param.dtype.kind == "b" else operator.index(value)
        return int(np.array(value, param.dtype).astype(np.int64))
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{kernel!r}: extra argument {param.name!r} must be a number of type {param.type}: {error}") from None


def _broadcast(x, shape):
    from gpusci.core._ndarray import wrap

    return x if x.shape == tuple(shape) else wrap(np.broadcast_to(x._a, shape), x)


def _collapse(operands, raw, shape):
    """Operands with equal rank: one dimension when all are contiguous, raw ones as (size, 1, ...)."""
    flat = all(r or (x.flags.c_contiguous and x.shape == tuple(shape)) for x, r in zip(operands, raw, strict=True))
    rank = 1 if flat else max(len(shape), 1)
    out = []
    for x, is_raw in zip(operands, raw, strict=True):
        if is_raw:
            out.append(x.reshape((x.size,) + (1,) * (rank - 1)))
        else:
            out.append(x.reshape(-1) if flat else x.reshape((1,) if not shape else x.shape))
    return out, rank


# ---- raw CUDA
class RawKernel:
    """CUDA text compiled as it is; CuPy's `RawKernel`. `kernel(grid, block, args, shared_mem=0)`. CUDA devices only.

    Arrays among `args` pass their pointer: look at `x.strides` yourself, or pass `gs.ascontiguousarray(x)`.
    Scalars pass by their NumPy type; Python int, float, complex, bool as int64, float64, complex128, bool.
    """

    def __init__(self, code, name, options=(), **other):
        self.code, self.name, self.options = code, name, tuple(options)
        self._functions = {}

    def __call__(self, grid, block, args, *, shared_mem=0):
        from gpusci.core import _launch

        arrays = [a for a in args if isinstance(a, ndarray)]
        device = arrays[0].device if arrays else current_device()
        for a in arrays:
            if a.device is not device:
                raise ValueError(f"kernel {self.name}: arguments are on different devices, {device.name} and {a.device.name}")
        function = self._functions.get(device)
        if function is None:
            function = self._functions[device] = _raw_function(device, self.code, self.name, self.options)
        if shared_mem > 48 * 1024:
            device.allow_shared(function, shared_mem)
        values = [np.asarray(a.ptr, np.uint64) if isinstance(a, ndarray) else np.asarray(a) for a in args]
        buffers = [np.frombuffer(v.tobytes(), np.uint8) for v in values]
        _launch.launch_raw(function.handle, device.index, grid, block, shared_mem, buffers)


class RawModule:
    """Several `extern "C"` kernels of one CUDA text; `get_function(name)` gives each."""

    def __init__(self, *, code, options=()):
        self.code, self.options = code, tuple(options)

    def get_function(self, name):
        return RawKernel(self.code, name, self.options)


def _raw_function(device, code, name, options):
    from gpusci.core import _launch, compiler, cuda

    if device.kind != "cuda":
        raise RuntimeError(f"RawKernel {name} is CUDA text and runs on a GPU only; this array is on the host")
    cubin = compiler.compile_cuda(code, name=name, arch=device.arch, options=options)
    device.use()
    module = cuda.call("cuModuleLoadData", cubin)
    return _launch.Function(int(cuda.call("cuModuleGetFunction", module, name.encode())), device.index, module)
