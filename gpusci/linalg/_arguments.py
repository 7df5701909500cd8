"""scipy.linalg's argument habits for the device's way: dtypes, shapes, checks that wait for nothing, common layouts."""

import numpy as np

import gpusci as gs
from gpusci.core import new
from gpusci.core.libraries.solver import columns
from gpusci.linalg import _kernels

SMALL = "?bhBHe"  # SciPy computes these in float32


def inexact(*arrays, small=SMALL):
    """The dtype LAPACK works in: one of float32, float64, complex64, complex128. `small` become float32."""
    dtypes = [np.dtype("f") if a.dtype.char in small else a.dtype for a in arrays if a is not None]
    dtype = np.result_type(*dtypes)
    return dtype if dtype.kind in "fc" else np.dtype("d")


def widened(a):
    """Whole numbers as float64, the dtype that NumPy computes in (SciPy: small ones in float32)."""
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


def real_of(dtype):
    return np.dtype(dtype.char.lower())


def matrix(a, what="a", sentence="expected a matrix"):
    """Raises ValueError, SciPy's sentence and the reason, for less than two dimensions."""
    if a.ndim < 2:
        raise ValueError(f"{sentence}: {what} has shape {a.shape}, at least two dimensions are needed")
    return a


def square(a, what="a", sentence="expected square matrix"):
    """Raises ValueError, SciPy's sentence and the shape, for anything but square matrices."""
    if matrix(a, what, sentence).shape[-1] != a.shape[-2]:
        raise ValueError(f"{sentence}: {what} has shape {a.shape}")
    return a


def right_side(a, b, sentence="incompatible shapes"):
    """(b with a column axis, whether it was a vector). Raises ValueError, SciPy's sentence first, where the rows differ."""
    if b.ndim == 0:
        raise ValueError("the right-hand side must have at least one dimension")
    vector = b.ndim == 1
    if b.shape[0 if vector else -2] != a.shape[-2]:
        raise ValueError(f"{sentence}: a is {a.shape} and b is {b.shape}")
    return (b[:, None] if vector else b), vector


def stack(a, batch):
    """The matrices for a batch: broadcast where they are fewer."""
    return a if a.shape[:-2] == batch else gs.broadcast_to(a, (*batch, *a.shape[-2:]))


def finite(x, check=True):
    """x; values that are not finite raise ValueError at the next wait."""
    if check and x.size and x.dtype.kind in "fc":
        dense = x.mT if x.ndim > 1 and x.mT.flags.c_contiguous else x if x.flags.c_contiguous else x.copy()
        _kernels.check_finite(x.size, (x.dtype,), dense)
    return x


def factored(info, row):
    """info > 0 raises the row's error at the next wait."""
    row(info.size, (), info)


def own_columns(a, dtype, check=True, overwrite=False):
    """A column-major copy of the matrices, checked for values that are not finite. With `overwrite` a single matrix that is
    column-major already is given back itself, as SciPy does: callers compare with `is`."""
    if overwrite and a.ndim == 2 and a.dtype == dtype and a.flags.f_contiguous and a.flags.writeable:
        return finite(a, check)
    rows = a.mT
    if rows.flags.c_contiguous and a.dtype == dtype:
        return own_rows(rows, dtype, check).mT
    return finite(columns(a, dtype), check)


def own_rows(a, dtype, check=True, overwrite=False):
    """The same in C order: a solver sees the transposed matrices in `x.mT`."""
    straight = a.dtype == dtype and a.flags.c_contiguous
    if overwrite and straight and a.ndim == 2 and a.flags.writeable:
        return finite(a, check)
    out = new(a.shape, dtype, a.device)
    if check and straight and a.size:
        _kernels.copy_finite(a.size, (dtype,), a, out)
        return out
    out[...] = a
    return finite(out, check)


def own_either(a, dtype, check=True, overwrite=False):
    """(matrices to work in, the same column-major, whether that is their transpose): `a` itself where `overwrite` allows it and
    its layout fits, else a copy in C order."""
    if overwrite and a.flags.f_contiguous:
        own = own_columns(a, dtype, check, overwrite)
        return own, own, False
    own = own_rows(a, dtype, check, overwrite)
    return own, own.mT, True


class Solution:
    """The right side as a column-major array that a solver turns into the solution: the caller's memory where that may be used."""

    def __init__(self, a, b, dtype, check=True, overwrite=False, sentence="incompatible shapes"):
        self.given = b
        self.side, self.vector = right_side(a, b, sentence)
        self.batch = np.broadcast_shapes(a.shape[:-2], self.side.shape[:-2]) if a.ndim + self.side.ndim > 4 else ()
        self.x = own_columns(stack(self.side, self.batch), dtype, check, overwrite)

    def result(self):
        """As the caller's right side: `b` itself where its memory was used."""
        if self.x is self.side:
            return self.given
        return self.x[..., 0] if self.vector else self.x


def adjoint(a):
    """Conjugate transpose."""
    return gs.conj(a).mT if a.dtype.kind == "c" else a.mT


def hermitian(a, lower):
    """The full Hermitian matrix of which `a` has one triangle."""
    return _mirrored(a, lower, True)


def symmetric(a, lower):
    """The same of a symmetric one."""
    return _mirrored(a, lower, False)


def _mirrored(a, lower, conjugate):
    out = new(a.shape, a.dtype, a.device)
    _kernels.mirror(a.size, (a.dtype, a.ndim), a, out, bool(lower), conjugate)
    return out


def triangle(a, lower, k=0, unit=False):
    """`tril` or `triu` in one launch, with a unit diagonal if so; column-major matrices stay so."""
    if abs(a.strides[-2]) < abs(a.strides[-1]):
        return triangle(a.mT, not lower, -k, unit).mT
    out = new(a.shape, a.dtype, a.device)
    _kernels.triangle(a.size, (a.dtype, a.ndim), a, out, k, bool(lower), unit)
    return out


def identities(shape, dtype, device):
    out = new(shape, dtype, device)
    _kernels.permutation(out.size, (dtype,), None, out, shape[-1])
    return out


def diagonal(a):
    return gs.diagonal(a, axis1=-2, axis2=-1)


def nonzero_diagonal(a):
    """A zero on the diagonal raises LinAlgError at the next wait."""
    dense = a if a.flags.c_contiguous or a.mT.flags.c_contiguous else a.copy()
    _kernels.check_nonzero(a.size // max(a.shape[-1], 1), (a.dtype,), dense if dense.flags.c_contiguous else dense.mT, a.shape[-1])


def reciprocals(s, atol, rtol):
    """(reciprocals of the sorted values, zero for those of at most atol + rtol times the largest magnitude; which are not)."""
    out, kept = new(s.shape, s.dtype, s.device), new(s.shape, np.bool_, s.device)
    _kernels.reciprocals(s.size, (s.dtype,), s, out, kept, s.shape[-1], atol, rtol)
    return out, kept
