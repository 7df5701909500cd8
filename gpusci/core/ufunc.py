"""Ufunc: a row that is a public function, with NumPy's calling conventions and type resolution.

A plain call on arrays and Python numbers is answered in `_ufunc.pyx`; everything else comes through `call` here.
"""

import importlib
import operator
import sys

import numpy as np

from gpusci.core import dispatch, foreign
from gpusci.core._dtypes import DTYPES, canonical
from gpusci.core._loop import Scalar, broadcast_shape, new_output
from gpusci.core._ndarray import from_numpy, ndarray
from gpusci.core._ufunc import SCALAR_CODE, TYPES, Plan, UfuncBase
from gpusci.core.elementwise import Elementwise, as_scalar, copyto, overlaps
from gpusci.core.host_parts import call_in_parts
from gpusci.core.kernel import Functor

__all__ = ["Ufunc"]

_KEYWORDS = ("out", "where", "casting", "order", "dtype", "subok", "signature", "sig")
_COMPARISONS = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}
_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


class Ufunc(UfuncBase):
    """An element-wise function with `out=, where=, casting=, order=, dtype=, signature=` and NumPy's methods.

    types           loops in NumPy's notation, "ff->f dd->d"; the first that the inputs cast to safely is taken
    header, functor the C++ functor; complex_header: where the functor's complex overloads are, if elsewhere
    cost            see `Elementwise`; complex loops of a `complex_header` are at least "medium"
    errors          ((exception, sentence),) for a functor that can fail
    numpy           NumPy's ufunc: gives the type resolution, and the work on devices that use NumPy. Such a row belongs to
                    the NumPy-like namespace and returns `gpusci.ndarray` always; others follow the rule of kinds
    """

    def __init__(self, name, types, *, header, functor, doc="", identity=None, complex_header=None, cost="heavy", errors=(),
                 numpy=None):  # fmt: skip
        loops = tuple(types.split())
        inputs, _, outputs = loops[0].partition("->")
        super().__init__(len(inputs), len(outputs), numpy)
        self.__name__ = self.__qualname__ = name
        self.__module__ = sys._getframe(1).f_globals["__name__"]
        self.__doc__ = doc
        self.types, self.identity, self.numpy = loops, identity, numpy
        self.nargs, self.ntypes, self.signature = self.nin + self.nout, len(loops), None
        self.header, self.functor, self.errors = header, functor, tuple(errors)
        self.complex_header, self.cost = complex_header, cost
        self._loops = [tuple(DTYPES[char] for char in loop.replace("->", "")) for loop in loops]
        first = next((loop for loop in self._loops if loop[0].char in "fd"), self._loops[0])
        self.row = Elementwise(self.functor_of, self.nin, self.nout, cost=self._cost_of, errors=errors, first=first)
        self._resolved = {}
        self.gpusci_status = "native"

    def __repr__(self):
        return f"<ufunc {self.__name__!r}>"

    def __reduce__(self):
        return self.__name__            # found in the module that made the row

    def functor_of(self, chars):
        """The C++ functor, with its header, for a loop's dtype characters."""
        return Functor(self.functor, self.complex_header if self._is_special(chars) else self.header)

    def _is_special(self, chars):
        return self.complex_header is not None and ("F" in chars or "D" in chars)

    def _cost_of(self, chars):
        return "medium" if self.cost == "light" and self._is_special(chars) else self.cost

    # ---- what UfuncBase asks for
    def plan(self, codes, device):
        """The Plan of a plain call with these type codes."""
        given = [TYPES[code % SCALAR_CODE] for code in codes]
        dtypes = self.resolve(tuple(given))
        # Numbers come in the loop's dtype.
        memory = [d if code >= SCALAR_CODE or isinstance(g, type) else g for code, g, d in zip(codes, given, dtypes)]
        return Plan(self.row.loop(dtypes, (*memory, *dtypes[self.nin :]), device), dtypes)

    def call(self, args, kwargs):
        """Any call that is not plain."""
        for x in args:
            if hasattr(x, "ufunc") and type(x).__name__ == "Traced":  # inside a function that `fuse` traces
                return x.apply(self, args[: self.nin])
        inputs, outs, options = self._parse(args, kwargs)
        kind, device = dispatch.kind_of([*inputs, *outs])
        if self.numpy is not None:
            kind = ndarray
            if any(y is not None and not isinstance(y, ndarray) for y in outs):
                raise TypeError("return arrays must be of ArrayType: `out` must be a gpusci.ndarray, or a tuple of them")
        elif kind is None and any(type(y) is ndarray for y in outs):
            kind = ndarray
        inputs = [self._operand(x, device) for x in inputs]
        pairs = [(y, y if y is None or isinstance(y, ndarray) else self._foreign_out(y, device)) for y in outs]
        result = self._compute(inputs, [used for _, used in pairs], device, **options)
        for given, used in pairs:
            if isinstance(given, np.ndarray) and not dispatch.shares(given, used):
                given[...] = used.numpy()
        return dispatch.as_kind(result, kind, [(g, u) for g, u in pairs if g is not None and g is not u])

    # ---- arguments
    def _parse(self, args, kwargs):
        name, nin = self.__name__, self.nin
        if not nin <= len(args) <= self.nargs:
            count = f"from {nin} to {self.nargs}"
            raise TypeError(f"{name}() takes {count} positional arguments but {len(args)} were given")
        for key in kwargs:
            if key not in _KEYWORDS:
                raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
        outs = list(args[nin:]) + [None] * (self.nargs - len(args))
        out = kwargs.get("out")
        if out is not None and out is not Ellipsis:             # `out=...` asks for an array, which it always is
            if len(args) > nin:
                raise TypeError("cannot specify 'out' as both a positional and keyword argument")
            outs = list(out) if isinstance(out, tuple) else [out]
            if len(outs) != self.nout:
                wanted = "a tuple of arrays" if self.nout > 1 else "an array or a tuple of one array"
                raise (ValueError if isinstance(out, tuple) else TypeError)(
                    f"the 'out' argument of {name}() must be {wanted}, one for each of its {self.nout} output(s)"
                )
        options = {key: kwargs[key] for key in ("where", "casting", "order") if key in kwargs}
        options["signature"] = self._signature(kwargs)
        return list(args[:nin]), outs, options

    def _signature(self, kwargs):
        """dtype= or signature= as a tuple of dtypes (None: free), or None."""
        dtype, signature = kwargs.get("dtype"), kwargs.get("signature", kwargs.get("sig"))
        if signature is not None:
            if dtype is not None:
                raise TypeError("cannot specify both 'signature' and 'dtype'")
            if isinstance(signature, str):
                signature = tuple(signature.replace("->", ""))
            elif not isinstance(signature, tuple):
                raise TypeError("the signature object to ufunc must be a string or a tuple.")
            if len(signature) != self.nargs:
                raise ValueError(f"the signature of {self.__name__} must give {self.nargs} dtypes (got {len(signature)})")
            return tuple(None if s is None else canonical(s) for s in signature)
        return None if dtype is None else (None,) * self.nin + (canonical(dtype),) * self.nout

    def _operand(self, x, device):
        """An input as an array on `device`, a Python number, or a NumPy scalar (for 0-d arrays of the host too)."""
        if type(x) in (int, float, complex):
            return x
        given = x
        if not isinstance(x, ndarray):
            nested = isinstance(x, (list, tuple)) and not dispatch.is_plain(x)
            x = dispatch.to_array(x, device) if nested or foreign.is_foreign(x) else from_numpy(np.asarray(x))
        if x.device is device and isinstance(given, ndarray):
            return x
        if x.ndim == 0 and x.device.kind == "host":
            return x.numpy()[()]
        if x.device is device:
            return x
        if isinstance(given, ndarray):
            raise ValueError(
                f"{self.__name__}: arrays are on {device.name} and {x.device.name}; bring them together with x.to_device(...)"
            )
        return x.to_device(device)

    @staticmethod
    def _foreign_out(y, device):
        if isinstance(y, np.ndarray):
            return dispatch.writable(y, device)
        if not foreign.is_foreign(y):
            raise TypeError("return arrays must be of ArrayType")
        return dispatch.to_array(y)

    # ---- types
    def resolve(self, dtypes, outs=None, signature=None, casting="same_kind"):
        """The loop's dtypes (inputs, outputs) for input dtypes (int, float, complex: Python numbers), as NumPy finds them.

        Raises TypeError in NumPy's words where there is no loop or `casting` forbids a conversion.
        """
        outs = (None,) * self.nout if outs is None else outs
        key = (dtypes, outs, signature, casting)
        found = self._resolved.get(key)
        if found is None:
            how = _numpy_loop if self.numpy is not None else _first_loop
            found = self._resolved[key] = tuple(canonical(d) for d in how(self, (*dtypes, *outs), signature, casting))
        return found

    # ---- work
    def _compute(self, inputs, outs, device, signature=None, where=True, casting="same_kind", order="K"):
        if self.numpy is not None and device.uses_numpy:
            return self._on_numpy(inputs, outs, device, signature, where, casting, order)
        if order not in ("K", "A", "C", "F"):
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        mask = None if where is True else self._mask(where, device)
        if self.numpy is not None and self.__name__ in _COMPARISONS and signature is None:
            result = self._out_of_range(inputs, outs, device, mask)
            if result is not None:
                return result
        given = tuple(x.dtype if isinstance(x, (ndarray, np.generic)) else type(x) for x in inputs)
        dtypes = self.resolve(given, tuple(None if y is None else y.dtype for y in outs), signature, casting)
        # Python numbers out of the dtype's range raise OverflowError here, as in NumPy.
        operands = [
            x if isinstance(x, ndarray) else as_scalar(np.array(x, d) if not isinstance(x, np.generic) else x, d)
            for x, d in zip(inputs, dtypes)
        ]
        return self._launch(operands, outs, mask, dtypes, device, order)

    def _launch(self, operands, outs, mask, dtypes, device, order):
        full = broadcast_shape([*operands, mask, *outs])
        for y in outs:
            if y is None:
                continue
            if y.shape != full:
                raise ValueError(
                    f"non-broadcastable output operand with shape {_text(y.shape)} doesn't match the broadcast shape {_text(full)}"
                )
            if not y.flags.writeable:
                raise ValueError("output array is read-only")
            if y.device is not device:
                raise ValueError(f"{self.__name__}: out is on {y.device.name}, the inputs are on {device.name}")
        results = [
            new_output(full, d, device, operands, order) if y is None else y for y, d in zip(outs, dtypes[self.nin :])
        ]
        if any(y is not None for y in outs):
            operands = [x.copy() if _clobbered(x, outs) else x for x in operands]
            mask = mask.copy() if _clobbered(mask, outs) else mask
        memory = [d if isinstance(x, Scalar) else x.dtype for x, d in zip([*operands, *results], dtypes)]
        loop = self.row.loop(dtypes, memory, device, mask is not None)
        loop([*operands, *results] if mask is None else [*operands, *results, mask])
        return results[0] if self.nout == 1 else tuple(results)

    def _mask(self, where, device):
        mask = where if isinstance(where, ndarray) else from_numpy(np.asarray(where))
        if mask.dtype != np.bool_:
            raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
        return mask if mask.device is device else mask.to_device(device)

    def _out_of_range(self, inputs, outs, device, mask):
        """Comparison of an integer array with a Python int that its dtype cannot hold, or of two Python ints: one answer."""
        compare = getattr(operator, _COMPARISONS[self.__name__])
        for i, x in enumerate(inputs):
            other = inputs[1 - i]
            if type(x) is type(other) is int:
                return self._one_answer(compare(*inputs), [mask], inputs, outs, device, mask)
            if type(x) is not int or type(other) in (int, float, complex) or other.dtype.kind not in "iu":
                continue
            if np.iinfo(other.dtype).min <= x <= np.iinfo(other.dtype).max:
                continue
            value = compare(x, 0) if i == 0 else compare(0, x)      # 0 stands for any element: x is beyond them all
            return self._one_answer(value, [other, mask], inputs, outs, device, mask)
        return None

    @staticmethod
    def _one_answer(value, shaped, inputs, outs, device, mask):
        y = outs[0]
        if y is None:
            y = new_output(broadcast_shape(shaped), DTYPES["?"], device, inputs, "K")
        copyto(y, np.bool_(value), where=True if mask is None else mask)
        return y

    def _on_numpy(self, inputs, outs, device, signature, where, casting, order):
        args = [x.numpy() if isinstance(x, ndarray) else x for x in inputs]
        out = tuple(None if y is None else y.numpy() for y in outs)
        plain = signature is None and where is True and casting == "same_kind" and order == "K"
        if plain and all((y is None) == (out[0] is None) for y in out):
            result = call_in_parts(self.numpy, args, self.cost, None if out[0] is None else out)
        else:
            if where is not True and signature is None and self.__name__ in _COMPARISONS:
                result = self._out_of_range(inputs, outs, device, self._mask(where, device))
                if result is not None:                  # NumPy 2.4 crashes on a mask and a number out of range
                    return result
            where = where.numpy() if isinstance(where, ndarray) else where
            given = {} if signature is None else {"signature": signature}
            result = self.numpy(*args, out=out, where=where, casting=casting, order=order, **given)
        results = result if self.nout > 1 else (result,)
        results = tuple(from_numpy(r) if y is None else y for r, y in zip(results, outs))
        return results[0] if self.nout == 1 else results

    # ---- NumPy's methods
    def outer(self, a, b, /, **kwargs):
        """The function of all pairs of elements, as `numpy.ufunc.outer`."""
        self._binary("outer")
        a = a if isinstance(a, ndarray) or foreign.is_foreign(a) else np.asarray(a)
        b = b if isinstance(b, ndarray) or foreign.is_foreign(b) else np.asarray(b)     # numbers are arrays here, not weak
        n = b.ndim
        return self(a.reshape(tuple(a.shape) + (1,) * n), b, **kwargs)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True):
        """Reduction along axes, as `numpy.ufunc.reduce`."""
        self._binary("reduce")
        return self._method("ufunc_methods", "ufunc_reduce", array, axis, dtype, out, keepdims, initial, where)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """Running results along an axis, as `numpy.ufunc.accumulate`."""
        self._binary("accumulate")
        return self._method("scan", "ufunc_accumulate", array, axis, dtype, out)

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        """Reductions of slices, as `numpy.ufunc.reduceat`."""
        self._binary("reduceat")
        return self._method("ufunc_methods", "ufunc_reduceat", array, indices, axis, dtype, out)

    def at(self, a, indices, b=None, /):
        """Unbuffered operation in place at indices, repeated ones included, as `numpy.ufunc.at`."""
        return self._method("ufunc_methods", "ufunc_at", a, indices, b)

    def _binary(self, method):
        if self.nin != 2 or self.nout != 1:
            raise ValueError(f"{method} only supported for binary functions" if self.nin != 2 else
                             f"{method} only supported for functions returning a single value")

    def _method(self, module, name, array, *args):
        function = getattr(importlib.import_module(f"gpusci.core.{module}"), name)
        kind, device = dispatch.kind_of([array])
        result = function(self, dispatch.to_array(array, device), *args)
        return dispatch.as_kind(result, ndarray if self.numpy is not None else kind, [])


# ---- type resolution
def _numpy_loop(ufunc, dtypes, signature, casting):
    given = {} if signature is None else {"signature": signature}
    return ufunc.numpy.resolve_dtypes(dtypes, casting=casting, **given)


def _first_loop(ufunc, dtypes, signature, casting):
    """NumPy's search for functions without promotion rules of their own: the first loop that inputs cast to safely."""
    given, outs = dtypes[: ufunc.nin], dtypes[ufunc.nin :]
    kinds = {int: 1, float: 2, complex: 3}
    strong = max((_KINDS[d.kind] for d in given if not isinstance(d, type)), default=-1)
    # A Python number takes any dtype of at least its kind, but only beside arrays of at least its kind.
    weak = strong >= max((kinds[d] for d in given if isinstance(d, type)), default=-1)
    rule = "safe" if signature is None and casting not in ("no", "equiv") else casting

    def reaches(d, loop):
        if isinstance(d, type):
            return _KINDS[loop.kind] >= kinds[d] if weak else np.can_cast(np.dtype(d), loop, rule)
        return np.can_cast(d, loop, rule)

    for loop in ufunc._loops:
        if signature is not None and any(s is not None and s != d for s, d in zip(signature, loop)):
            continue
        if all(map(reaches, given, loop)):
            break
    else:
        raise TypeError(
            f"ufunc {ufunc.__name__!r} not supported for the input types, and the inputs could not be safely coerced to any "
            f"supported types according to the casting rule ''{rule}''"
        )
    for y, d in zip(outs, loop[ufunc.nin :]):
        if y is not None and not np.can_cast(d, y, casting):
            raise TypeError(
                f"Cannot cast ufunc {ufunc.__name__!r} output from {d!r} to {y!r} with casting rule {casting!r}"
            )
    return loop


def _clobbered(x, outs):
    return isinstance(x, ndarray) and any(y is not None and overlaps(y, x) for y in outs)


def _text(shape):
    return str(tuple(shape)).replace(" ", "")
