"""Sums, extremes and what else makes an array smaller. Stored entries are reduced in segments; the zeros between them count."""

from math import prod

import numpy as np

import gpusci as gs
from gpusci.core import args
from gpusci.sparse._scipy import lift, scipy_first


class Reductions:
    def _axis(self, axis):
        """None for all elements, else 0 or 1."""
        if axis is None:
            return None
        if not hasattr(axis, "__index__") and not isinstance(axis, tuple):
            raise TypeError(f"axis must be an integer, a tuple of them or None, not {type(axis).__name__}")
        try:
            axes = args.normalize_axes(axis, self.ndim)
        except ValueError as error:
            raise ValueError(f"axis out of range: {error}") from None
        return None if len(axes) == self.ndim else axes[0]

    def _lines_along(self, axis):
        """CSR whose rows are reduced: this array for axis 1, its transpose for axis 0; sorted, without duplicates."""
        row, col, data = self._canonical_entries()
        if axis == 0:
            return self._like("csc", row, col, data, self._shape).T
        return self._like("csr", row, col, data, self._shape)

    def _flat_result(self, x, axis, *others):
        """A reduced line as SciPy gives it: matrices keep two dimensions."""
        if self._is_matrix:
            x = x.reshape((1, -1) if axis == 0 else (-1, 1))
        return self._give(x, *others, matrix=True)

    @scipy_first
    def sum(self, axis=None, dtype=None, out=None):
        """Sum over an axis or all; matrices keep two dimensions, as SciPy."""
        axis = self._axis(axis)
        wide = np.result_type(self.dtype, np.int_) if self.dtype.kind in "bi" else (
            np.result_type(self.dtype, np.uint) if self.dtype.kind == "u" else self.dtype)  # fmt: skip
        if axis is None:
            data = self._canonical_entries()[2] if self.dtype.kind == "b" else self._data      # True and True are one
            return self._output(self._give(data.sum(dtype=dtype or wide)), out)
        m = self.tocsr() if axis == 1 else self.T.tocsr()
        result = m.astype(wide, copy=False)._product(gs.ones(m.shape[1], wide, device=self.device))
        if dtype is not None:
            result = result.astype(dtype)
        return self._output(self._flat_result(result, axis), out)

    def _output(self, result, out):
        if out is None:
            return result
        if out.shape != np.shape(result):
            raise ValueError("out dimensions do not match shape")
        out[...] = result
        return out

    @scipy_first
    def mean(self, axis=None, dtype=None, out=None):
        axis = self._axis(axis)
        count = prod(self.shape) if axis is None else self.shape[axis]
        inner = np.dtype(np.float64) if self.dtype.kind in "biu" else self.dtype
        scaled = self.astype(inner, copy=False) * (1.0 / count)
        result = scaled.sum(axis, inner, out)
        return result if dtype is None or out is not None else result.astype(dtype, copy=False)

    # ---- extremes
    @scipy_first
    def max(self, axis=None, out=None, *, explicit=False):
        """Maximum over an axis (a coo array) or all elements; explicit: of the stored ones only. NaN wins."""
        return self._extreme_value(axis, out, gs.maximum, explicit)

    @scipy_first
    def min(self, axis=None, out=None, *, explicit=False):
        """Minimum over an axis (a coo array) or all elements; explicit: of the stored ones only. NaN wins."""
        return self._extreme_value(axis, out, gs.minimum, explicit)

    @scipy_first
    def nanmax(self, axis=None, out=None, *, explicit=False):
        """Maximum as `max`, without NaNs."""
        return self._extreme_value(axis, out, gs.fmax, explicit)

    @scipy_first
    def nanmin(self, axis=None, out=None, *, explicit=False):
        """Minimum as `min`, without NaNs."""
        return self._extreme_value(axis, out, gs.fmin, explicit)

    def _extreme_value(self, axis, out, op, explicit):
        if out is not None:
            raise ValueError("Sparse min/max does not support an 'out' parameter.")
        axis = self._axis(axis)
        if 0 in self.shape if axis is None else self.shape[axis] == 0:
            raise ValueError("zero-size array to reduction operation")
        if axis is None:
            _, _, data = self._canonical_entries()
            if data.size == 0:
                return self._give(gs.zeros((), self.dtype, device=self.device))
            value = op.reduce(data)
            full = explicit or data.size == prod(self.shape)
            return self._give(value if full else op(value, gs.zeros((), self.dtype, device=self.device)))
        lines = self._lines_along(axis)
        lengths = gs.diff(lines._indptr)
        stored = gs.flatnonzero(lengths)
        shape = (lines.shape[0],) if not self._is_matrix else (1, lines.shape[0]) if axis == 0 else (lines.shape[0], 1)
        if stored.size == 0:
            return self._like("coo", stored, stored, lines._data[:0], shape)
        values = op.reduceat(lines._data, lines._indptr[stored].astype(np.int64))
        if not explicit:
            values = gs.where(lengths[stored] < lines.shape[1], op(values, gs.zeros((), values.dtype, device=self.device)), values)
        keep = gs.flatnonzero(values)
        place, zero = stored[keep], gs.zeros(keep.size, stored.dtype, device=self.device)
        row, col = (place, zero) if len(shape) == 2 and axis == 1 else (zero, place)
        return self._like("coo", row, col, values[keep].astype(self.dtype, copy=False), shape)

    def argmax(self, axis=None, out=None, *, explicit=False):
        """Index of the first maximum, stored zeros and others alike; explicit: among the stored elements only.

        Without an axis a Python integer, which waits for the device.
        """
        return self._extreme_place(axis, out, "argmax", explicit)

    def argmin(self, axis=None, out=None, *, explicit=False):
        """Index of the first minimum, as `argmax`."""
        return self._extreme_place(axis, out, "argmin", explicit)

    def _extreme_place(self, axis, out, name, explicit):
        if out is not None:
            raise ValueError(f"Sparse {name} does not support an 'out' parameter.")
        if self._host is not None and self.ndim <= 2:           # SciPy's has a loop over lines, and is wrong at stored zeros
            return self._on_parts()._extreme_place(axis, out, name, explicit)
        if self._host is not None:
            return lift(getattr(self._host, name)(axis=axis, explicit=explicit), self._kind)
        axis = self._axis(axis)
        if 0 in self.shape if axis is None else self.shape[axis] == 0:
            raise ValueError(f"Cannot apply {name} along a zero-sized dimension.")
        if axis is None:
            if not explicit:
                return int(_first_extremes(self.reshape((1, prod(self.shape))).tocsr(), name, False)[0])
            _, _, data = self._canonical_entries()
            if data.size == 0:
                raise ValueError(f"Cannot apply {name} to zero matrix when explicit=True.")
            return int(getattr(gs, name)(data))
        return self._flat_result(_first_extremes(self._lines_along(axis), name, explicit), axis)

    # ---- counts, diagonals
    @scipy_first
    def count_nonzero(self, axis=None):
        """Elements that are not zero, after adding up duplicates; along an axis or all (waits for the device)."""
        row, col, data = self._canonical_entries()
        keep = gs.flatnonzero(data)
        axis = self._axis(axis)
        if axis is None:
            return keep.size
        return self._give(gs.bincount((col if axis == 0 else row)[keep], minlength=self.shape[1 - axis]))

    @scipy_first
    def nonzero(self):
        """Coordinates of the stored entries that are not zero: an array for every dimension (waits for the device)."""
        row, col, data = self._entries()
        keep = gs.flatnonzero(data)
        return tuple(self._give(part[keep]) for part in (row, col)[2 - self.ndim :])

    @scipy_first
    def diagonal(self, k=0):
        """The k-th diagonal, dense."""
        if self.ndim != 2:
            raise ValueError("diagonal requires two dimensions")
        rows, cols = self.shape
        if k <= -rows or k >= cols:
            return self._give(gs.zeros(0, self.dtype, device=self.device))
        length = min(rows + min(k, 0), cols - max(k, 0))
        row, col, data = self._canonical_entries()
        on = gs.flatnonzero(col.astype(np.int64) - row == k)
        out = gs.zeros(length, self.dtype, device=self.device)
        out[row[on] + min(k, 0)] = data[on]
        return self._give(out)

    @scipy_first
    def trace(self, offset=0):
        if self.ndim != 2:
            raise ValueError("trace requires two dimensions")
        return self.diagonal(offset).sum()

    @scipy_first
    def setdiag(self, values, k=0):
        """Set the k-th diagonal, in place, from a scalar or a sequence, whose length bounds what is set."""
        rows, cols = self.shape
        if k <= -rows or k >= cols:
            raise ValueError("k exceeds array dimensions")
        length = min(rows + min(k, 0), cols - max(k, 0))
        values = self._operand(values)
        if values.ndim > 1:
            raise ValueError("values must be a scalar or one-dimensional")
        length = min(length, values.size) if values.ndim else length
        i = gs.arange(length, device=self.device)
        new = gs.broadcast_to(values[:length] if values.ndim else values, (length,)).astype(self.dtype)
        row, col, data = self._canonical_entries()
        rest = gs.flatnonzero((col.astype(np.int64) - row != k) | (row + min(k, 0) >= length))
        row, col = (gs.concatenate([part[rest], i + shift]) for part, shift in ((row, max(-k, 0)), (col, max(k, 0))))
        data = gs.concatenate([data[rest], new])
        self._from_entries(row, col, data, self._shape, canonical=False)


def _first_extremes(lines, name, explicit):
    """Column of the first maximum or minimum of every row of a sorted CSR array without duplicates."""
    op, better = (gs.maximum, gs.greater) if name == "argmax" else (gs.minimum, gs.less)
    if not explicit:
        lines.eliminate_zeros()
    rows, cols, data = lines._entries()
    out = gs.zeros(lines.shape[0], np.int64, device=lines.device)
    lengths = gs.diff(lines._indptr)
    stored = gs.flatnonzero(lengths)
    if stored.size == 0:
        return out
    best = op.reduceat(data, lines._indptr[stored].astype(np.int64))
    every = gs.zeros(lines.shape[0], best.dtype, device=lines.device)
    every[stored] = best
    hits = gs.flatnonzero((data == every[rows]) | (data != data))          # NaN is an extreme, as NumPy has it
    first = cols[hits[gs.searchsorted(rows[hits], stored.astype(rows.dtype))]].astype(np.int64)
    if not explicit:
        within = gs.arange(data.size, device=lines.device) - lines._indptr[rows]
        gap = gs.bincount(rows[gs.flatnonzero(cols == within)], minlength=lines.shape[0])[stored]     # first unstored column
        zero = gs.zeros((), best.dtype, device=lines.device)
        taken = better(best, zero) | (lengths[stored] == lines.shape[1]) | (best != best)
        first = gs.where(taken, first, gap)
    out[stored] = first
    return out
