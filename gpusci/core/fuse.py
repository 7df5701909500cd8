"""`fuse`: a Python function of element-wise operations as one kernel, one pass over memory.

The function is traced once with symbols; what it does to them becomes a C++ type (`fuse.h`), specialised by the dtypes of
a call as any ufunc. Constants of the function travel as arguments, so changing one compiles nothing.
"""

import functools
import inspect

import numpy as np

from gpusci.core import dispatch
from gpusci.core._dtypes import canonical, cpp_name
from gpusci.core._loop import Scalar, broadcast_shape
from gpusci.core._ndarray import ndarray, new
from gpusci.core.elementwise import Elementwise, as_scalar
from gpusci.core.kernel import Functor

__all__ = ["fuse"]

OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift",
    "rshift": "right_shift",
}  # fmt: skip
COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}
PYTHON = {"i": int, "f": float, "c": complex}
UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}


class Traced:
    """A value inside the traced function: an input, a constant, or a ufunc of other values."""

    __array_ufunc__ = None  # NumPy leaves the operators to this class
    __hash__ = object.__hash__

    def __init__(self, ufunc=None, operands=(), name=""):
        self.ufunc, self.operands, self.name = ufunc, operands, name

    @staticmethod
    def apply(ufunc, inputs):
        """What a ufunc does when one of its inputs is traced."""
        if ufunc.nout != 1:
            raise TypeError(f"fuse: {ufunc.__name__} has several outputs, which a fused function cannot use")
        return Traced(ufunc, tuple(inputs))

    def __bool__(self):
        raise TypeError("fuse: the function branches on an array's value; use gpusci.where or masks instead")

    def __iter__(self, *key):
        raise TypeError("fuse: only element-wise operations can be fused, not indexing or unpacking")

    __getitem__ = __len__ = __iter__

    def __array__(self, *args, **kwargs):
        raise TypeError("fuse: inside the function, arrays can only go to operators, ufuncs, where and clip")

    def __array_function__(self, function, types, args, kwargs):
        """Where the device uses NumPy, gpusci's functions come here by NumPy's."""
        own = {np.where: traced_where, np.clip: traced_clip}.get(function)
        if own is None:
            raise TypeError(f"fuse: only element-wise operations can be fused, not {function.__name__}")
        return own(*args, **kwargs)

    def __getattr__(self, name):
        raise AttributeError(f"fuse: only element-wise operations can be fused, not .{name}")


def _operator(name, reflected=False):
    def method(self, other):
        import gpusci

        a, b = (other, self) if reflected else (self, other)
        return Traced.apply(getattr(gpusci, name), (a, b))

    return method


def _unary(name):
    def method(self):
        import gpusci

        return Traced.apply(getattr(gpusci, name), (self,))

    return method


for _short, _name in OPERATORS.items():
    setattr(Traced, f"__{_short}__", _operator(_name))
    setattr(Traced, f"__r{_short}__", _operator(_name, reflected=True))
for _short, _name in COMPARISONS.items():
    setattr(Traced, f"__{_short}__", _operator(_name))
for _short, _name in UNARY.items():
    setattr(Traced, f"__{_short}__", _unary(_name))


def traced_where(condition, x, y):
    """`where` of traced values; a condition that is no comparison is compared with 0."""
    from gpusci.core.selection import where_else
    from gpusci.core.ufuncs import not_equal

    ufunc = getattr(condition, "ufunc", None)
    if ufunc is None or not all(loop.endswith("?") for loop in ufunc.types):
        condition = Traced.apply(not_equal, (condition, 0)) if isinstance(condition, Traced) else bool(condition)
    return Traced.apply(where_else, (condition, x, y))


def traced_clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """`clip` of traced values."""
    from gpusci.core.ufuncs import maximum, minimum

    a_min, a_max = min if a_min is None else a_min, max if a_max is None else a_max
    a = a if a_min is None else Traced.apply(maximum, (a, a_min))
    return a if a_max is None else Traced.apply(minimum, (a, a_max))


class Fused:
    """What `fuse` returns: called with arrays and numbers, it launches one kernel."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function)
        self.root = None
        self.rows = {}

    def _trace(self, count):
        symbols = [Traced(name=str(k)) for k in range(count)]
        root = self.function(*symbols)
        if not isinstance(root, Traced):
            raise TypeError("fuse: the function must return one array, computed element-wise from its arguments")
        self.root, self.symbols = root, symbols

    def __call__(self, *args, out=None):
        if self.root is None or len(self.symbols) != len(args):
            bound = inspect.signature(self.function).bind(*args)
            bound.apply_defaults()
            args = bound.args
            self._trace(len(args))
        kind, device = dispatch.kind_of([a for a in args if not isinstance(a, (bool, int, float, complex))])
        values = [a if isinstance(a, (bool, int, float, complex)) else dispatch.to_array(a, device) for a in args]
        given = tuple(type(v) if not isinstance(v, ndarray) else v.dtype for v in values)
        row, dtypes, constants = self._row(given)
        operands = [v if isinstance(v, ndarray) else as_scalar(np.array(v, d), d) for v, d in zip(values, dtypes, strict=False)]
        operands += [as_scalar(np.array(v, d), d) for v, d in constants]
        shape = broadcast_shape(operands)
        result = new(shape, dtypes[-1], device) if out is None else out
        if result.shape != shape:
            raise ValueError(f"fuse: out has shape {result.shape}, the result has {shape}")
        memory = [d if isinstance(x, Scalar) else x.dtype for x, d in zip([*operands, result], dtypes, strict=True)]
        row.loop(dtypes, memory, device)([*operands, result])
        return dispatch.as_kind(result, kind)

    def _row(self, given):
        """The kernel row for these input dtypes (or Python number types), its loop dtypes, and the constants."""
        found = self.rows.get(given)
        if found is None:
            builder = _Builder(self.symbols, given)
            text, dtype = builder.visit(self.root)
            dtype = canonical(dtype)
            dtypes = [*builder.inputs, *(d for _, d in builder.constants), dtype]
            functor = Functor(f"fused<{text}>", ("gpusci/fuse.h", *builder.headers))
            row = Elementwise(functor, len(dtypes) - 1)
            found = self.rows[given] = row, tuple(dtypes), builder.constants
        return found


class _Builder:
    """Walks the traced expression: C++ type and dtype of every node for given input dtypes."""

    def __init__(self, symbols, given):
        self.place = {id(s): k for k, s in enumerate(symbols)}
        self.given, self.headers, self.constants, self.done = given, {}, [], {}
        # A Python number among the inputs takes the dtype its first use gives it.
        self.inputs = [None if isinstance(g, type) else g for g in given]

    def visit(self, value):
        if id(value) not in self.done:
            self.done[id(value)] = self._node(value)
        return self.done[id(value)]

    def _node(self, value):
        k = self.place.get(id(value))
        if k is not None:
            return f"input<{k}>", self.given[k]
        children = [self.visit(v) if isinstance(v, Traced) else (None, _kind(v)) for v in value.operands]
        dtypes = value.ufunc.resolve(tuple(d for _, d in children))
        functor = value.ufunc.functor_of("".join(d.char for d in dtypes))
        self.headers[functor.header] = None
        names = []
        for (text, found), operand, dtype in zip(children, value.operands, dtypes, strict=False):
            if text is None:
                text = f"input<{len(self.given) + len(self.constants)}>"
                self.constants.append((operand, dtype))
            elif isinstance(found, type) and id(operand) in self.place:
                k = self.place[id(operand)]
                self.inputs[k] = dtype if self.inputs[k] is None else np.promote_types(self.inputs[k], dtype)
            names.append(text)
        loop = ", ".join(map(cpp_name, dtypes[:-1]))
        # Arithmetic on Python numbers alone gives a Python number, which does not promote what it meets.
        weak = all(isinstance(d, type) for _, d in children)
        result = PYTHON.get(dtypes[-1].kind, dtypes[-1]) if weak else dtypes[-1]
        return f"node<{functor.name}, types<{loop}>, {', '.join(names)}>", result


def _kind(value):
    if isinstance(value, bool):
        return np.dtype(bool)
    if type(value) in (int, float, complex):
        return type(value)
    if isinstance(value, np.generic) or isinstance(value, np.ndarray) and value.ndim == 0:
        return canonical(value.dtype)
    raise TypeError(f"fuse: {type(value).__name__} inside the function is neither an argument nor a number; pass it as an argument")


def fuse(function=None, **options):
    """Decorator: run a function of element-wise operations (operators, ufuncs, `where`) as one kernel.

    The function is called once with symbols; it must not branch on values. NumPy in, NumPy out; gpusci arrays stay where
    they are. `out=` names the array to write to. Raises TypeError for what is not element-wise.
    """
    return Fused(function) if function is not None else Fused
