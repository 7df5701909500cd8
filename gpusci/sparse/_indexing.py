"""Reading and setting elements: integers, slices, index arrays, masks. As SciPy: a row or column of an array has one dimension (coo).

Sizes of results are needed on the host, so indexing waits for the device.
"""

import numpy as np

import gpusci as gs
from gpusci.core import dispatch
from gpusci.sparse._convert import canonical_order, expand, runs
from gpusci.sparse._scipy import issparse, place, scipy_first


class Indexing:
    @scipy_first
    def __getitem__(self, key):
        if self._kind is not gs.ndarray and place((key,))[0] is gs.ndarray:
            return self._as_kind(gs.ndarray)[key]
        row, col, shape = self._resolve(key)
        if len(shape) > 2:
            raise IndexError("indexing that leads to more than two dimensions is not supported")
        if isinstance(row, int) and isinstance(col, int):
            at = [gs.asarray([i], dtype=np.int64, device=self.device) for i in (row, col)]
            value = self._find(*at)
            return self._give(value[0]) if shape == () else self._like_dense(self.format, value.reshape(shape))
        if _is_array(row) and _is_array(col):
            if row.ndim == 2 and row.shape[1] == 1 and (col.ndim == 1 or col.shape[0] == 1):
                return self._outer(row[:, 0], col.reshape(-1), shape)
            return self._inner(*gs.broadcast_arrays(row, col))
        return self._outer(row, col, shape)

    @scipy_first
    def __setitem__(self, key, value):
        """Set elements, in place; of repeated ones the last counts. Every call sorts all entries: set many at once."""
        row, col, _ = self._resolve(key)
        row, col = gs.broadcast_arrays(*self._grid(row, col))
        value = self._sparse_operand(value)._dense() if issparse(value) else self._operand(value)
        value = value.astype(self.dtype)
        if [n for n in value.shape if n != 1] != [n for n in row.shape if n != 1]:
            value = gs.broadcast_to(value, row.shape)
        old = self._canonical_entries()
        new = row.reshape(-1), col.reshape(-1), value.reshape(-1)
        row, col, data = (gs.concatenate([a, b.astype(a.dtype)]) for a, b in zip(old, new))
        if data.size == 0:
            return
        order = canonical_order(row, col, self._shape2d)
        row, col, data = row[order], col[order], data[order]
        starts, _ = runs(row, col)
        last = gs.concatenate([starts[1:], gs.full(1, data.size, dtype=starts.dtype, device=self.device)]) - 1
        self._from_entries(row[last], col[last], data[last], self._shape, canonical=True)

    def _grid(self, row, col):
        """Index arrays that broadcast to the elements a key stands for."""
        slices = isinstance(row, slice), isinstance(col, slice)
        parts = []
        for part, length in zip((row, col), self._shape2d):
            if isinstance(part, slice):
                part = gs.arange(*part.indices(length), dtype=np.int64, device=self.device)
            parts.append(part if _is_array(part) else gs.full(1, part, dtype=np.int64, device=self.device))
        row, col = parts
        return (row[:, None] if row.ndim == 1 else row, col) if any(slices) else (row, col)

    # ---- what the key says
    def _resolve(self, key):
        """(row, column, shape of the result): an int, a slice or an index array for each axis."""
        parts = self._expand_key(key if isinstance(key, tuple) else (key,))
        index, shape, arrays, places, first = [], [], [], [], None
        for part in parts:
            axis = len(index)
            if part is None:
                shape.append(1)
            elif isinstance(part, slice):
                index.append(part)
                shape.append(len(range(*part.indices(self.shape[axis]))))
            elif isinstance(part, (tuple, int)):
                found = part if isinstance(part, tuple) else (wrap_index(part, self.shape[axis]),)
                index += found
                places.append((axis, len(found)))
                first = len(shape) if first is None else first
                arrays += [x for x in found if _is_array(x)]
            else:
                part = self._index_array(part, self.shape[axis])
                index.append(part)
                arrays.append(part)
                places.append((axis, 1))
                first = len(shape) if first is None else first
        if arrays:
            try:
                common = np.broadcast_shapes(*(x.shape for x in arrays))
            except ValueError:
                raise IndexError(f"shape mismatch: index arrays of {[x.shape for x in arrays]} do not broadcast together") from None
            shape[first:first] = common
        row, col = index if self.ndim == 2 else (0, *index)
        return row, col, tuple(shape)

    def _expand_key(self, key):
        """The key with `...` replaced by slices, integers as int, masks as tuples of index arrays."""
        parts, ellipsis, used = [], None, 0
        for part in key:
            if part is Ellipsis:
                if ellipsis is not None:
                    raise IndexError("an index can only have a single ellipsis")
                ellipsis = len(parts)
                continue
            if part is not None and not isinstance(part, slice):
                part = self._index_part(part)
            used += 0 if part is None else _dimensions(part)
            parts.append(part)
        if used > self.ndim:
            raise IndexError(f"too many indices: the key needs {used} dimensions, the array has {self.ndim}")
        at = len(parts) if ellipsis is None else ellipsis
        parts[at:at] = [slice(None)] * (self.ndim - used)
        axis = 0
        for i, part in enumerate(parts):
            if _is_mask(part):
                shape = self.shape[axis : axis + part.ndim]
                if part.shape != shape:
                    raise IndexError(f"bool index {i} has shape {part.shape} instead of {shape}")
                parts[i] = gs.nonzero(part)
            axis += 0 if part is None else _dimensions(part)
        return parts

    def _index_part(self, part):
        if issparse(part):
            part = self._sparse_operand(part)
            if part.dtype != bool or part.shape != self.shape:
                raise IndexError("a sparse index must be boolean and of this array's shape")
            row, col, data = part._canonical_entries()
            keep = gs.flatnonzero(data)
            return (row[keep], col[keep])[2 - self.ndim :]
        if hasattr(part, "__index__") and np.ndim(part) == 0 and not isinstance(part, (bool, np.bool_)):
            return int(part.__index__())
        if isinstance(part, (list, tuple, str, float)):
            part = np.asarray(part) if np.size(part) else np.zeros(0, int)
            if part.dtype.kind not in "biu":
                raise IndexError(f"index arrays must be integers or booleans, not {part.dtype}")
        part = dispatch.to_array(part, self.device)
        if part.device is not self.device:
            raise ValueError(f"the sparse array is on {self.device.name}, the index on {part.device.name}")
        return part

    def _index_array(self, x, length):
        if x.dtype.kind not in "iu":
            raise IndexError(f"index arrays must be integers or booleans, not {x.dtype}")
        if x.ndim > 2:
            raise IndexError("index arrays have at most two dimensions")
        x = x.astype(np.int64)
        if x.size:
            low, high = int(x.min()), int(x.max())
            if low < -length or high >= length:
                raise IndexError(f"index ({high if high >= length else low}) out of range for an axis of {length}")
            x = gs.where(x < 0, x + length, x) if low < 0 else x
        return x

    # ---- elements
    def _inner(self, row, col):
        """One element for every pair of indices: dense from compressed formats, coo from coo, sparse when two-dimensional."""
        values = self._find(row, col)
        if self.format == "coo" or values.ndim == 2:
            return self._like_dense(self.format, values)
        if self._is_matrix:
            return self._give(values.reshape((1, -1)), matrix=True)
        return self._give(values)

    def _outer(self, row, col, shape):
        """Every chosen row with every chosen column."""
        m, n = self._shape2d
        row, col = (slice(i, i + 1) if isinstance(i, int) else i for i in (row, col))
        if _is_array(row) and row.ndim == 2 or _is_array(col) and col.ndim == 2:        # a single line, many elements of it
            if _is_array(row):
                row, col = row, gs.full(row.shape, range(n)[col][0] if len(range(n)[col]) else 0, device=self.device)
            else:
                row, col = gs.full(col.shape, range(m)[row][0] if len(range(m)[row]) else 0, device=self.device), col
            return self._like_dense("coo", self._find(row, col))
        row, m = _chosen(row, m)
        col, n = _chosen(col, n)
        entries = self._canonical_entries()
        entries = _pick(entries, 0, row, self._shape2d[0])
        entries = _pick(entries, 1, col, self._shape2d[1])
        if self._is_matrix and len(shape) < 2:
            shape = (m, n)
        row, col, data = entries
        if len(shape) == 1 and n == 1:
            row, col = col, row                 # a column of an array has one dimension
        return self._like("coo" if len(shape) < self.ndim else self.format, row, col, data, shape, canonical=False)


def _is_mask(part):
    return _is_array(part) and part.dtype == bool


def _dimensions(part):
    """How many axes a part of a key takes."""
    return len(part) if isinstance(part, tuple) else part.ndim if _is_mask(part) else 1


def _is_array(x):
    return isinstance(x, gs.ndarray)


def wrap_index(i, length):
    if not -length <= i < length:
        raise IndexError(f"index ({i}) out of range")
    return int(i) % length


def _chosen(index, length):
    """(range or index array, how many it chooses)."""
    chosen = range(length)[index] if isinstance(index, slice) else index
    return chosen, len(chosen)


def _pick(entries, axis, chosen, length):
    """The entries in the chosen lines of an axis, renumbered; `chosen` is a range or an index array, which may repeat lines."""
    row, col, data = entries
    line = entries[axis].astype(np.int64)
    if isinstance(chosen, range):
        if chosen == range(length):
            return entries
        step, start, last = chosen.step, chosen.start, chosen[-1] if len(chosen) else -1
        inside = (line >= min(start, last)) & (line <= max(start, last)) if len(chosen) else line < 0
        keep = gs.flatnonzero(inside & ((line - start) % step == 0) if abs(step) > 1 else inside)
        new = (line[keep] - start) // step
    else:
        order = gs.argsort(line, stable=True)
        edges = gs.searchsorted(line[order], chosen, side="left"), gs.searchsorted(line[order], chosen, side="right")
        new, keep = expand(edges[0].astype(np.int64), (edges[1] - edges[0]).astype(np.int64))
        keep = order[keep]
    return (new, col[keep], data[keep]) if axis == 0 else (row[keep], new, data[keep])
