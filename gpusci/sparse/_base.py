"""What every sparse array is: shape, kind of the caller's arrays, conversions. Arithmetic, reductions and indexing are mixed in."""

from math import prod

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse._arithmetic import Arithmetic
from gpusci.sparse._convert import index_dtype, sum_duplicates, supported
from gpusci.sparse._indexing import Indexing
from gpusci.sparse._reductions import Reductions
from gpusci.sparse._scipy import (
    HOST,
    Sparse,
    is_fit,
    is_scipy,
    lower,
    place,
    scipy_attribute,
    scipy_first,
    scipy_sparse,
    theirs,
)

# NumPy's functions with f(0) = 0, which are methods.
ZERO_AT_ZERO = ("arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg", "rint", "sign",
                "sin", "sinh", "sqrt", "tan", "tanh", "trunc")  # fmt: skip


def check_shape(shape, dimensions=(2,)):
    """A shape as non-negative integers. Raises ValueError or TypeError as SciPy."""
    try:
        shape = tuple(int(n.__index__()) for n in shape)
    except (AttributeError, TypeError):
        raise TypeError(f"invalid shape {shape!r}: give non-negative integers") from None
    if len(shape) not in dimensions:
        raise ValueError(f"this format has {' or '.join(map(str, dimensions))} dimensions, shape {shape} has {len(shape)}")
    if min(shape) < 0:
        raise ValueError("'shape' elements cannot be negative")
    return shape


class SparseArray(Arithmetic, Reductions, Indexing, Sparse):
    """Base of the formats. Results have the kind (NumPy or gpusci) of the arrays that the object was made from."""

    format = ""
    __array_priority__ = 2000.0
    __hash__ = None
    _is_matrix = False
    _dimensions = (2,)
    _canonical = False                  # known to be sorted and free of duplicates; False also where nobody looked

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        if is_fit(arg1) and gs.current_device().uses_numpy:         # the common case, quickly
            self._host = theirs(type(self))(arg1, shape, _no_half(dtype), copy, maxprint=maxprint)
            return
        self._kind, device = place(arg1 if isinstance(arg1, tuple) else (arg1,))
        if device.uses_numpy:
            self._host = theirs(type(self))(lower(arg1)[0], shape, _no_half(dtype), copy, maxprint=maxprint)
            return
        self._build(arg1, shape, dtype, device)
        if dtype is not None and supported(dtype) != self.dtype:
            self._data = self._data.astype(supported(dtype))
        if copy:
            self._set_parts(part.copy() for part in self._parts())

    def _build(self, arg1, shape, dtype, device):
        """The ways to make an array that the formats share."""
        if is_scipy(arg1):
            arg1 = theirs_to_ours(arg1, device)
        if isinstance(arg1, Sparse):
            like = arg1.asformat(self.format)
            if shape is not None and check_shape(shape, self._dimensions) != like.shape:
                raise ValueError(f"inconsistent shapes: {shape} != {like.shape}")
            self._set_parts(like._parts())
            self._shape, self._canonical = like.shape, like._canonical
        elif isinstance(arg1, tuple) and arg1 and all(hasattr(n, "__index__") and np.ndim(n) == 0 for n in arg1):
            if self._is_matrix and len(arg1) != 2:
                raise (TypeError if self.format == "coo" else ValueError)(f"{arg1} is not a shape of two dimensions")
            self._shape = check_shape(arg1, self._dimensions)
            self._kind = gs.ndarray if device.kind == "cuda" else None
            self._from_entries(*(gs.zeros(0, t, device=device) for t in ("i4", "i4", supported(dtype or float))), self._shape)
        else:
            self._from_arrays(arg1, shape, dtype, device)

    def _from_dense(self, dense, shape, device):
        if not isinstance(dense, gs.ndarray):
            if self._kind is None:
                dense = np.asarray(dense)
                if dense.dtype.kind not in "biufc":
                    raise ValueError(f"sparse arrays hold numbers, not {dense.dtype}")
            dense = dispatch.to_array(dense, device)
        if self._is_matrix and dense.ndim < 2:
            dense = dense.reshape((1, -1))
        if shape is not None and check_shape(shape, self._dimensions) != dense.shape:
            raise ValueError(f"inconsistent shapes: {shape} != {dense.shape}")
        shape = check_shape(dense.shape, self._dimensions)
        row, col, data = _dense_entries(dense)
        self._from_entries(row, col, data.astype(supported(data.dtype), copy=False), shape, canonical=True)

    def _like_dense(self, format, dense, *others):
        """The nonzero elements of a dense array."""
        return self._like(format, *_dense_entries(dense), dense.shape, *others)

    def _as_kind(self, kind):
        """This very array, with results of another kind."""
        out = self._with_data(self._data)
        out._kind = kind
        return out

    def _on_parts(self):
        """A host's array as its parts, for what NumPy does better than SciPy."""
        out = theirs_to_ours(self._host, self.device)
        out._kind, out._canonical = self._kind, self.format != "coo" and self._host.has_canonical_format
        return out

    def _like(self, format, row, col, data, shape, *others, canonical=True, index=None):
        """An array of a format from entries; canonical: they are sorted by row, then column, and distinct.

        index: its index type, int32 where that suffices if not given.
        """
        out = self._format(format).__new__(self._format(format))
        out._kind = self._kind
        for other in others:
            if isinstance(other, (Sparse, gs.ndarray)):
                out._kind = gs.ndarray if isinstance(other, gs.ndarray) or other._kind is gs.ndarray else out._kind
        out._from_entries(row, col, data, shape, canonical, index)
        return out

    @property
    def _shape2d(self):
        return _two(self._shape)

    def _canonical_entries(self):
        """(row, column, data), sorted and distinct."""
        row, col, data = self._entries()
        return (row, col, data) if self._canonical and self.format != "csc" else sum_duplicates(row, col, data, self._shape2d)

    # ---- kinds of arrays
    def _give(self, x, *others, matrix=False):
        """A gpusci array as the kind of this object, or gpusci's when another operand is one."""
        kind = self._kind
        for other in others:
            if isinstance(other, gs.ndarray) or getattr(other, "_kind", None) is gs.ndarray:
                kind = gs.ndarray
        x = dispatch.as_kind(x, kind)
        return np.asarray(x).view(np.matrix) if matrix and self._is_matrix and kind is None else x

    def _give_part(self, x):
        """A part of this object as its kind: itself, or a read-only copy, since writing to a copy would change nothing."""
        part = self._give(x)
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
        return part

    def _operand(self, x):
        """A dense operand on this device."""
        if getattr(getattr(x, "dtype", None), "kind", None) == "O" or isinstance(x, (str, dict, set)):
            raise TypeError(f"sparse arrays work with arrays of numbers, not with {type(x).__name__}")
        x = dispatch.to_array(x, self.device)
        if x.device is not self.device:
            raise ValueError(f"the sparse array is on {self.device.name}, the other operand on {x.device.name}")
        return x

    def _sparse_operand(self, x):
        """A sparse operand on this device."""
        x = theirs_to_ours(x, self.device) if is_scipy(x) else x
        if x.device is not self.device:
            raise ValueError(f"one sparse array is on {self.device.name}, the other on {x.device.name}; move one with to_device")
        return x

    @classmethod
    def _format(cls, name):
        """The class of another format with the same matrix or array semantics."""
        from gpusci import sparse

        return getattr(sparse, f"{name}_{'matrix' if cls._is_matrix else 'array'}")

    def _index_dtype(self, numbers, arrays):
        return index_dtype(*numbers, keep=() if self._is_matrix else arrays)

    # ---- attributes
    data = scipy_attribute("data")

    @property
    def shape(self):
        return self._shape if self._host is None else self._host.shape

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def dtype(self):
        return self._data.dtype if self._host is None else self._host.dtype

    @property
    def device(self):
        return self._data.device if self._host is None else HOST

    @property
    def nnz(self):
        """Stored entries, explicit zeros and duplicates included."""
        return self._data.size if self._host is None else self._host.nnz

    @property
    def size(self):
        return self.nnz

    @property
    def T(self):
        return self.transpose()

    @property
    def mT(self):
        return self.transpose()

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if prod(self.shape) == 1:
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __iter__(self):
        return (self[i] for i in range(self.shape[0]))

    def __repr__(self):
        kind = "sparse matrix" if self._is_matrix else "sparse array"
        return (
            f"<{type(self).__name__}: {'x'.join(map(str, self.shape))} {kind} of dtype '{self.dtype}' with {self.nnz} stored "
            f"elements on {self.device.name}>"
        )

    # ---- conversion
    def asformat(self, format, copy=False):
        if format is None or format == self.format:
            return self.copy() if copy else self
        try:
            convert = getattr(self, f"to{format}")
        except AttributeError:
            raise ValueError(f"Format {format} is unknown.") from None
        return convert(copy=copy) if format != "array" else convert()

    @scipy_first
    def toarray(self, order=None, out=None):
        """Dense copy; duplicates add up."""
        dense = self._dense()
        if out is not None:
            if order is not None:
                raise ValueError("order cannot be specified if out is not None")
            if out.shape != self.shape or out.dtype != self.dtype:
                raise ValueError("out array must be same dtype and shape as sparse array")
            out[...] = self._give(dense, out)
            return out
        return self._give(dense.copy(order="F") if order == "F" else dense)

    @scipy_first
    def todense(self, order=None, out=None):
        dense = self.toarray(order, out)
        return dense.view(np.matrix) if self._is_matrix and self._kind is None and out is None else dense

    def _dense(self):
        out = gs.zeros(self._shape2d, self.dtype, device=self.device)
        row, col, data = self._canonical_entries()
        out.reshape(-1)[row.astype(np.int64) * self._shape2d[1] + col] = data
        return out.reshape(self._shape)

    def get(self):
        """The same array as a SciPy object on the host; on the host it shares its memory."""
        if self._host is not None:
            return self._host
        return theirs(type(self))(self._scipy_parts(), shape=self.shape)

    def to_device(self, device):
        """This array on another device. Results are then gpusci arrays."""
        device = gs.get_device(device)
        host = self.get() if device.uses_numpy or self._host is not None else None
        out = type(self).__new__(type(self))
        out._kind = gs.ndarray
        if device.uses_numpy:
            out._host = host
            return out
        source = self if host is None else theirs_to_ours(host, device)
        out._set_parts(part.to_device(device) for part in source._parts())
        out._shape, out._canonical = source._shape, source._canonical
        return out

    @scipy_first
    def astype(self, dtype, casting="unsafe", copy=True):
        dtype = supported(dtype)
        if dtype == self.dtype:
            return self.copy() if copy else self
        if dtype.kind == "b" and not self._canonical:   # entries that cancel are False
            row, col, data = self._canonical_entries()
            return self._like(self.format, row, col, data.astype(dtype, casting=casting), self._shape)
        return self._with_data(self._data.astype(dtype, casting=casting))

    @scipy_first
    def copy(self):
        return self._with_data(self._data.copy(), copy=True)

    def _with_data(self, data, copy=False):
        """The same structure with other values."""
        out = type(self).__new__(type(self))
        out._kind, out._shape, out._canonical = self._kind, self._shape, self._canonical
        _, *rest = self._parts()
        rest = [part.copy() for part in rest] if copy else rest
        out._set_parts([data.astype(supported(data.dtype), copy=False), *rest])
        return out

    @scipy_first
    def resize(self, *shape):
        """Another shape, in place: entries outside go, the rest stays where it is."""
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        shape = check_shape(shape, (self.ndim, 2) if 2 in self._dimensions else (self.ndim,))
        row, col, data = self._entries()
        keep = gs.flatnonzero((row < _two(shape)[0]) & (col < _two(shape)[1]))
        canonical = self._canonical and self.format != "csc"
        self._from_entries(row[keep], col[keep], data[keep], shape, canonical)

    @scipy_first
    def reshape(self, *args, **kwargs):
        """As SciPy's: `reshape(shape, order="C", copy=False)`; the result is a coo array."""
        order, copy = kwargs.pop("order", "C"), kwargs.pop("copy", False)
        if kwargs:
            raise TypeError(f"reshape() got unexpected keyword arguments: {', '.join(kwargs)}")
        if order not in ("C", "F"):
            raise ValueError("'order' must be 'C' or 'F'")
        shape = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
        shape = _fill_unknown(tuple(int(n) for n in shape), prod(self._shape))
        dimensions = self._format("coo")._dimensions
        if len(shape) not in dimensions:
            raise ValueError(f"shape must have {' or '.join(map(str, dimensions))} dimensions here, got {shape}")
        if shape == self._shape:
            return self.copy() if copy else self
        row, col, data = self._entries()
        rows, cols = self._shape2d
        new = _two(shape)
        if order == "C":
            linear = row.astype(np.int64) * cols + col
            row, col = linear // max(new[1], 1), linear % max(new[1], 1)
        else:
            linear = col.astype(np.int64) * rows + row
            row, col = linear % max(new[0], 1), linear // max(new[0], 1)
        return self._like("coo", row, col, data, shape, canonical=False)


def _dense_entries(dense):
    dense = dense.reshape(_two(dense.shape))
    row, col = gs.nonzero(dense)
    return row, col, dense[row, col]


def _two(shape):
    return shape if len(shape) == 2 else (1, *shape)


def _fill_unknown(shape, size):
    known = prod(n for n in shape if n >= 0)
    if sum(n < 0 for n in shape) > 1:
        raise ValueError("can only specify one unknown dimension")
    if min(shape, default=0) < 0:
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        shape = tuple(size // known if n < 0 else n for n in shape)
    if prod(shape) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    return shape


def _no_half(dtype):
    """SciPy's sparse arrays refuse float16; ours become float32."""
    return np.float32 if dtype is not None and np.dtype(dtype) == np.float16 else dtype


def theirs_to_ours(x, device):
    """A SciPy sparse array as ours on a device that runs kernels; formats we lack become csr."""
    from gpusci import sparse

    x = x if x.format in ("coo", "csc", "csr") else x.tocsr()
    kind = "matrix" if scipy_sparse().isspmatrix(x) else "array"
    cls = getattr(sparse, f"{x.format}_{kind}")
    parts = (x.data, tuple(x.coords)) if x.format == "coo" else (x.data, x.indices, x.indptr)
    out = cls.__new__(cls)
    out._kind = None
    out._from_arrays(parts, x.shape, None, device)
    return out


def _unary(name):
    def method(self):
        row, col, data = self._canonical_entries()
        return self._like(self.format, row, col, getattr(gs, name)(data), self._shape)

    method.__name__, method.__doc__ = name, f"Element-wise {name}."
    return scipy_first(method)


for _name in ZERO_AT_ZERO:
    setattr(SparseArray, _name, _unary(_name))
