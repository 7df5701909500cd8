"""What every sparse array is: shape, kind of the caller's arrays, arithmetic that only needs another format's."""

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse._convert import index_dtype, supported


def is_scipy(x):
    """A SciPy sparse array or matrix (without importing scipy.sparse)."""
    return hasattr(x, "nnz") and hasattr(x, "tocoo") and not isinstance(x, SparseArray)


def issparse(x):
    """Whether x is a sparse array or matrix, of gpusci or SciPy."""
    return isinstance(x, SparseArray) or is_scipy(x)


def check_shape(shape):
    """A shape as two non-negative integers. Raises ValueError or TypeError as SciPy."""
    try:
        shape = tuple(int(n.__index__()) for n in shape)
    except (AttributeError, TypeError):
        raise TypeError(f"invalid shape {shape!r}: give two non-negative integers") from None
    if len(shape) != 2:
        raise ValueError(f"shape must have two dimensions here, got {shape}: one-dimensional sparse arrays are not supported")
    if min(shape) < 0:
        raise ValueError("'shape' elements cannot be negative")
    return shape


class SparseArray:
    """Base of the formats. Results have the kind (NumPy or gpusci) of the arrays that the object was made from."""

    format = ""
    ndim = 2
    __array_priority__ = 2000.0
    __hash__ = None
    _is_matrix = False

    # ---- kinds of arrays
    def _take(self, *arrays, device=None):
        """The construction arguments as gpusci arrays of one device; remembers their kind."""
        self._kind, found = dispatch.kind_of(arrays)
        return [dispatch.to_array(a, device or found) for a in arrays]

    def _give(self, x, *others):
        """A gpusci array as the kind of this object, or gpusci's when another operand is one."""
        kind = self._kind
        for other in others:
            if isinstance(other, gs.ndarray) or getattr(other, "_kind", None) is gs.ndarray:
                kind = gs.ndarray
        return dispatch.as_kind(x, kind)

    def _same(self, cls, *parts):
        out = cls._raw(*parts, self.shape)
        out._kind = self._kind
        return out

    @classmethod
    def _format(cls, name):
        """The class of another format with the same matrix or array semantics."""
        from gpusci import sparse

        return getattr(sparse, f"{name}_{'matrix' if cls._is_matrix else 'array'}")

    def _index_dtype(self, numbers, arrays):
        return index_dtype(*numbers, keep=() if self._is_matrix else arrays)

    # ---- attributes
    @property
    def shape(self):
        return self._shape

    @property
    def dtype(self):
        return self._data.dtype

    @property
    def device(self):
        return self._data.device

    @property
    def nnz(self):
        """Stored entries, explicit zeros and duplicates included."""
        return self._data.size

    @property
    def size(self):
        return self.nnz

    @property
    def data(self):
        return self._give(self._data)

    @property
    def T(self):
        return self.transpose()

    @property
    def mT(self):
        return self.transpose()

    def getnnz(self, axis=None):
        if axis is None:
            return self.nnz
        coo = self.tocoo()
        axis = axis + 2 if axis < 0 else axis
        return self._give(gs.bincount(coo._col if axis == 0 else coo._row, minlength=self.shape[1 - axis]))

    def count_nonzero(self, axis=None):
        csr = self.tocsr(copy=True)
        csr.sum_duplicates()
        csr.eliminate_zeros()
        return csr.getnnz(axis)

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __repr__(self):
        kind = "sparse matrix" if self._is_matrix else "sparse array"
        return (
            f"<{type(self).__name__}: {self.shape[0]}x{self.shape[1]} {kind} of dtype '{self.dtype}' with {self.nnz} stored "
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

    def toarray(self, order=None, out=None):
        """Dense copy; duplicates add up."""
        dense = self.tocsr()._dense()
        if out is not None:
            out[...] = self._give(dense, out)
            return out
        return self._give(dense.copy(order="F") if order == "F" else dense)

    def todense(self, order=None, out=None):
        return self.toarray(order, out)

    def get(self):
        """The same array as a SciPy object on the host."""
        raise NotImplementedError

    def to_device(self, device):
        """This array with its parts on another device."""
        out = type(self)._raw(*(part.to_device(device) for part in self._parts()), self.shape)
        out._kind = gs.ndarray
        return out

    def astype(self, dtype, casting="unsafe", copy=True):
        dtype = supported(dtype)
        if dtype == self.dtype and not copy:
            return self
        return self._with_data(self._data.astype(dtype, casting=casting))

    def copy(self):
        return self._same(type(self), *(part.copy() for part in self._parts()))

    # ---- element-wise
    def conj(self, copy=True):
        return self._with_data(gs.conjugate(self._data)) if self.dtype.kind == "c" else (self.copy() if copy else self)

    conjugate = conj

    @property
    def real(self):
        return self._with_data(self._data.real.copy())

    @property
    def imag(self):
        return self._with_data(self._data.imag.copy())

    def __neg__(self):
        if self.dtype == bool:
            raise NotImplementedError("negating a boolean sparse array is not supported.")
        return self._with_data(-self._data)

    def __abs__(self):
        return self._with_data(abs(self._canonical()._data))

    def power(self, n, dtype=None):
        out = self._canonical()
        out = out.astype(dtype) if dtype is not None else out
        return out._with_data(out._data**n)

    def _canonical(self):
        """This array without duplicates (itself when it has none)."""
        out = self.copy()
        out.sum_duplicates()
        return out

    def __mul__(self, other):
        if self._is_matrix and not np.isscalar(other):
            return self @ other
        return self.multiply(other)

    def __rmul__(self, other):
        if self._is_matrix and not np.isscalar(other):
            return self.__rmatmul__(other)
        return self.multiply(other)

    def __truediv__(self, other):
        if not np.isscalar(other):
            raise NotImplementedError("division of a sparse array by an array is not supported; multiply by its reciprocal")
        dtype = np.result_type(self.dtype, np.float64 if self.dtype.kind in "biu" else self.dtype)
        return self._with_data(self._data.astype(dtype) / other)

    def multiply(self, other):
        """Element-wise product with a scalar."""
        if np.isscalar(other) or getattr(other, "ndim", None) == 0:
            return self._with_data(self._data * other)
        raise NotImplementedError("element-wise products of sparse arrays are not supported yet; multiply by a scalar")

    def __add__(self, other):
        return self._add(other, 1)

    def __sub__(self, other):
        return self._add(other, -1)

    def __radd__(self, other):
        return self._add(other, 1)

    def __rsub__(self, other):
        return (-self)._add(other, 1)

    def _add(self, other, sign):
        if np.isscalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if not issparse(other):
            (other,) = self._operand(other)
            return self._give(self.tocsr()._dense() + sign * other, other)
        if other.shape != self.shape:
            raise ValueError(f"inconsistent shapes: {self.shape} and {other.shape}")
        a, b = self.tocoo(), self._format("coo")(other)
        both = [gs.concatenate(pair) for pair in ((a._row, b._row), (a._col, b._col))]
        right = b._data if sign > 0 else -b._data
        out = self._same(self._format("coo"), gs.concatenate([a._data, right]), *both)
        out._kind = gs.ndarray if gs.ndarray in (self._kind, b._kind) else self._kind
        out = out.tocsr()
        out.sum_duplicates()
        return out.asformat("csr" if self.format == "coo" else self.format)

    # ---- sums and products
    def _operand(self, x):
        x = dispatch.to_array(x, self.device)
        if x.device is not self.device:
            raise ValueError(f"the sparse array is on {self.device.name}, the other operand on {x.device.name}")
        return (x,)

    def dot(self, other):
        return self * other if np.isscalar(other) else self @ other

    def __matmul__(self, other):
        if np.isscalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self.tocsr()._matmul(other)

    def __rmatmul__(self, other):
        if np.isscalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if issparse(other):
            return self._format("csr")(other) @ self
        (x,) = self._operand(other)
        return self._give((self.T.tocsr()._product(x.T)).T, other)

    def sum(self, axis=None, dtype=None, out=None):
        """Sum over an axis or all; matrices keep two dimensions, as SciPy."""
        wide = np.result_type(self.dtype, np.int_) if self.dtype.kind in "bi" else (
            np.result_type(self.dtype, np.uint) if self.dtype.kind == "u" else self.dtype)  # fmt: skip
        if axis is None:
            return self._give(self._data.sum(dtype=dtype or wide))
        if not -2 <= axis < 2:
            raise ValueError("axis out of bounds")
        m = self if axis % 2 == 1 else self.T
        result = m.tocsr().astype(wide)._product(gs.ones(m.shape[1], wide, device=self.device))
        if dtype is not None:
            result = result.astype(dtype)
        if self._is_matrix:
            result = result.reshape((1, -1) if axis % 2 == 0 else (-1, 1))
        return self._give(result)

    def mean(self, axis=None, dtype=None, out=None):
        count = self.shape[0] * self.shape[1] if axis is None else self.shape[axis]
        total = self.astype(np.float64 if self.dtype.kind in "biu" else self.dtype).sum(axis, dtype)
        return total / count

    def diagonal(self, k=0):
        rows, cols = self.shape
        if k <= -rows or k >= cols:
            return self._give(gs.zeros(0, self.dtype, device=self.device))
        length = min(rows + min(k, 0), cols - max(k, 0))
        coo = self.tocsr()._canonical().tocoo()
        on = gs.flatnonzero(coo._col.astype(np.int64) - coo._row == k)
        out = gs.zeros(length, self.dtype, device=self.device)
        out[coo._row[on] + min(k, 0)] = coo._data[on]
        return self._give(out)

    def trace(self, offset=0):
        return self.diagonal(offset).sum()
