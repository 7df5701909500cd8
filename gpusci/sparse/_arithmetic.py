"""Element-wise arithmetic, comparisons and `@`. Sparse with sparse joins the positions of both; what becomes zero is dropped."""

import operator

import numpy as np

import gpusci as gs
from gpusci.core.callers import warn
from gpusci.sparse._convert import supported, union
from gpusci.sparse._scipy import is_fit, issparse, lift, lower, scipy_first, scipy_sparse


def is_scalar(x):
    return np.isscalar(x) or (getattr(x, "ndim", None) == 0 and not issparse(x))


def is_dense(x):
    return isinstance(x, (np.ndarray, gs.ndarray)) or hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")


def _warning():
    return scipy_sparse().SparseEfficiencyWarning


def is_array_like(x):
    return is_dense(x) and getattr(x.dtype, "kind", "") != "O" or isinstance(x, (list, tuple))


class Arithmetic:
    # ---- one operand
    @scipy_first
    def conjugate(self, copy=True):
        return self._with_data(gs.conjugate(self._data)) if self.dtype.kind == "c" else (self.copy() if copy else self)

    def conj(self, copy=True):
        return self.conjugate(copy)

    @property
    def real(self):
        return self._part("real")

    @property
    def imag(self):
        return self._part("imag")

    def _part(self, name):
        if self._host is not None:
            return lift(getattr(self._host, name), self._kind)
        return self._with_data(getattr(self._data, name).copy())

    @scipy_first
    def __neg__(self):
        if self.dtype == bool:
            raise NotImplementedError("negating a boolean sparse array is not supported.")
        return self._with_data(-self._data)

    @scipy_first
    def __abs__(self):
        row, col, data = self._canonical_entries()
        return self._like(self.format, row, col, abs(data), self._shape)

    @scipy_first
    def __round__(self, ndigits=0):
        row, col, data = self._canonical_entries()
        return self._like(self.format, row, col, gs.round(data, ndigits), self._shape)

    @scipy_first
    def power(self, n, dtype=None):
        """Every element to a scalar power other than zero."""
        if not is_scalar(n):
            raise NotImplementedError("input is not scalar")
        if not n:
            raise NotImplementedError("zero power is not supported as it would densify the array; use ones(a.shape)")
        row, col, data = self._canonical_entries()
        return self._like(self.format, row, col, (data if dtype is None else data.astype(dtype)) ** n, self._shape)

    @scipy_first
    def __pow__(self, n):
        if not self._is_matrix:
            return self.power(n)
        if self.shape[0] != self.shape[1]:
            raise TypeError("sparse matrix is not square")
        if not hasattr(n, "__index__") or n < 0:
            raise ValueError("exponent must be a non-negative integer")
        out, base, n = None, self, int(n)
        while n:
            out = base if n % 2 and out is None else out @ base if n % 2 else out
            n //= 2
            base = base @ base if n else base
        if out is None:
            i = gs.arange(self.shape[0], device=self.device)
            return self._like(self.format, i, i, gs.ones(i.size, self.dtype, device=self.device), self._shape)
        return out

    # ---- products
    @scipy_first
    def __mul__(self, other):
        return self._matmul_or_scale(other) if self._is_matrix else self.multiply(other)

    @scipy_first
    def __rmul__(self, other):
        if self._is_matrix and not is_scalar(other):
            return self.__rmatmul__(other)
        return self.multiply(other)

    def _matmul_or_scale(self, other):
        return self.multiply(other) if is_scalar(other) else self @ other

    @scipy_first
    def dot(self, other):
        return self * other if is_scalar(other) else self @ other

    def __matmul__(self, other):
        if self._kind is None and type(other) is np.ndarray and self._host is not None and is_fit(other):
            return self._host @ other                   # what `_product_of` does, quickly: a small product takes SciPy 12 us
        return self._product_of(other)

    def _product_of(self, other):
        if self._host is not None:
            value, kind = lower(other, self._kind)
            return lift(self._host @ value, kind)
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if not issparse(other) and not is_array_like(other):
            return NotImplemented
        out = self.tocsr()._matmul(other)
        return out.asformat("csc") if self.format == "csc" and issparse(out) and out.ndim == 2 else out

    def __rmatmul__(self, other):
        if self._host is not None:
            value, kind = lower(other, self._kind)
            return lift(value @ self._host, kind)
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if issparse(other):
            return self._sparse_operand(other) @ self
        x = self._operand(other)
        return self._give((self.T.tocsr()._product(x.T)).T, other)

    @scipy_first
    def multiply(self, other):
        """Element-wise product with a scalar, a dense or a sparse array; shapes broadcast."""
        if is_scalar(other):
            return self._with_data(self._data * (other if np.isscalar(other) else self._operand(other)))
        if not issparse(other):
            return self._multiply_dense(self._operand(other), other) if is_array_like(other) else NotImplemented
        other = self._sparse_operand(other)
        if other.shape == self.shape:
            return self._binary(other, gs.multiply)
        return self._multiply_broadcast(other)

    def _multiply_broadcast(self, other):
        """With a sparse array of another shape; the result's format is that of the products SciPy makes of it."""
        (m, n), (p, q) = self._shape2d, other._shape2d
        if m != p and 1 not in (m, p) or n != q and 1 not in (n, q):
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        if (m == 1 and q == 1 or n == 1 and p == 1) and 1 not in (m * n, p * q):            # an outer product
            left, right = (other, self) if m == 1 else (self, other)
            out = left.tocsr() @ right.reshape((1, max(n, q))).tocsr()
            return out.asformat("csc" if left.format == "csc" else "csr")
        small, large = (other, self) if p * q <= m * n else (self, other)
        out = large._multiply_dense(small._dense().reshape(small._shape2d), small)
        by_columns = small._shape2d[0] == 1 and large.format == "csc"
        return out.asformat("csc" if by_columns else "csr")

    def _multiply_dense(self, x, like):
        """With a dense array: a coo array. Only the side that is one long is repeated."""
        try:
            shape = np.broadcast_shapes(self.shape, x.shape)
        except ValueError:
            shape = ()
        if len(shape) not in (1, 2):
            raise ValueError(f"inconsistent shapes {self.shape} and {x.shape}")
        (m, n), (rows, cols) = self._shape2d, shape if len(shape) == 2 else (1, *shape)
        row, col, data = self._canonical_entries()
        for axis, (old, new) in enumerate(((m, rows), (n, cols))):
            if old != new:                      # this array is one long here: every entry, `new` times
                copies = gs.repeat(gs.arange(new, device=self.device), data.size)
                row, col = (copies, gs.tile(col, new)) if axis == 0 else (gs.tile(row, new), copies)
                data = gs.tile(data, new)
        data = data * gs.broadcast_to(x, shape).reshape((rows, cols))[row, col]
        return self._like("coo", row, col, data, shape, like, canonical=False)

    def __imul__(self, other):
        if not is_scalar(other):
            return NotImplemented
        if self._host is not None:
            self._host.data *= other if np.isscalar(other) else np.asarray(lower(other)[0])
        else:
            gs.multiply(self._data, other, out=self._data)
        return self

    def __itruediv__(self, other):
        return self.__imul__(1.0 / other) if is_scalar(other) else NotImplemented

    @scipy_first
    def __truediv__(self, other):
        wide = self if not np.can_cast(self.dtype, np.float64) else self.astype(np.float64, copy=False)
        if is_scalar(other):
            return wide.multiply(1 / other)
        if issparse(other):
            other = self._sparse_operand(other)
            if other.shape != self.shape:
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            return self._give(wide._dense() / other._dense(), other, matrix=True)
        return self.multiply(gs.divide(1, self._operand(other)) if not isinstance(other, np.ndarray) else np.divide(1, other))

    # ---- sums
    @scipy_first
    def __add__(self, other):
        return self._plus(other, gs.add)

    @scipy_first
    def __radd__(self, other):
        return self._plus(other, gs.add)

    @scipy_first
    def __sub__(self, other):
        return self._plus(other, gs.subtract)

    @scipy_first
    def __rsub__(self, other):
        if is_scalar(other) and other == 0:
            return -self
        return self._plus(other, lambda a, b: gs.subtract(b, a))

    def _plus(self, other, op):
        if is_scalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if issparse(other):
            other = self._sparse_operand(other)
            if other.shape != self.shape:
                raise ValueError(f"inconsistent shapes: {self.shape} and {other.shape}")
            return self._binary(other, op)
        if not is_dense(other):
            return NotImplemented
        x = self._operand(other)
        return self._give(op(self._dense(), gs.broadcast_to(x, self.shape)), other, matrix=True)

    def _binary(self, other, op):
        """op where either array has an entry; op(0, 0) is 0. The result has this array's format, csr for coo."""
        row, col, left, right = union(self._canonical_entries(), other._canonical_entries(), self._shape2d)
        dtype = supported(np.result_type(left.dtype, right.dtype))
        data = op(left.astype(dtype, copy=False), right.astype(dtype, copy=False))
        keep = gs.flatnonzero(data)
        format = "csr" if self.format == "coo" else self.format
        return self._like(format, row[keep], col[keep], data[keep], self._shape, other)

    # ---- the larger, the smaller
    @scipy_first
    def maximum(self, other):
        """Element-wise maximum with a scalar, a dense or a sparse array."""
        return self._extreme(other, gs.maximum, "positive")

    @scipy_first
    def minimum(self, other):
        """Element-wise minimum with a scalar, a dense or a sparse array."""
        return self._extreme(other, gs.minimum, "negative")

    def _extreme(self, other, op, sign):
        if issparse(other):
            other = self._sparse_operand(other)
            if other.shape != self.shape:
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            return self._binary(other, op)
        if not is_scalar(other):
            return self._give(op(self._dense(), self._operand(other)), other, matrix=True)
        value = other.item() if hasattr(other, "item") else other
        if getattr(np, op.__name__)(0, value):
            warn(f"Taking the {op.__name__} with a {sign} number results in a dense array.", _warning())
            return self._like_dense(self.format, op(self._dense(), other))
        row, col, data = self._canonical_entries()
        data = op(data, other)
        keep = gs.flatnonzero(data)
        format = "csr" if self.format == "coo" else self.format
        return self._like(format, row[keep], col[keep], data[keep], self._shape)

    # ---- comparisons
    def _compare(self, other, op):
        if self._host is not None:
            return self._compare_host(other, op)
        format = "csr" if self.format == "coo" else self.format
        if issparse(other):
            other = self._sparse_operand(other)
            if other.shape != self.shape:
                if op in (operator.eq, operator.ne):
                    return op is operator.ne
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            if not op(0, 0):
                return self._binary(other, op)
            dense = op(self._dense(), other._dense())
        elif not is_scalar(other):
            if not is_dense(other):
                return NotImplemented
            return self._give(op(self._dense(), self._operand(other)), other, matrix=True)
        elif not op(0, other):
            row, col, data = self._canonical_entries()
            keep = gs.flatnonzero(op(data, other))
            return self._like(format, row[keep], col[keep], gs.ones(keep.size, bool, device=self.device), self._shape)
        else:
            dense = op(self._dense(), other)
        warn("This comparison is true where nothing is stored, which makes a full array; try its opposite, such as "
             "!= for ==.", _warning())  # fmt: skip
        return self._like_dense(format, dense, other)

    def _compare_host(self, other, op):
        value, kind = lower(other, self._kind)
        return lift(op(self._host, value), kind)

    def __eq__(self, other):
        return self._compare(other, operator.eq)

    def __ne__(self, other):
        return self._compare(other, operator.ne)

    def __lt__(self, other):
        return self._compare(other, operator.lt)

    def __gt__(self, other):
        return self._compare(other, operator.gt)

    def __le__(self, other):
        return self._compare(other, operator.le)

    def __ge__(self, other):
        return self._compare(other, operator.ge)
