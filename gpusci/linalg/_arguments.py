"""scipy.linalg's argument habits for the device's way: dtypes, shapes, checks that wait for nothing, common layouts."""

import numpy as np

import gpusci as gs
from gpusci.core.libraries.solver import columns
from gpusci.linalg import _kernels

SMALL = "?bhBHe"  # SciPy computes these in float32


def inexact(*arrays, small=SMALL):
    """The dtype LAPACK works in: one of float32, float64, complex64, complex128. `small` become float32."""
    dtypes = [np.dtype("f") if a.dtype.char in small else a.dtype for a in arrays if a is not None]
    dtype = np.result_type(*dtypes)
    return dtype if dtype.kind in "fc" else np.dtype("d")


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
    reuse = overwrite and a.ndim == 2 and a.dtype == dtype and a.flags.f_contiguous and a.flags.writeable
    return finite(a if reuse else columns(a, dtype), check)


def own_rows(a, dtype, check=True, overwrite=False):
    """The same in C order: a solver sees the transposed matrices in `x.mT`."""
    if overwrite and a.ndim == 2 and a.dtype == dtype and a.flags.c_contiguous and a.flags.writeable:
        return finite(a, check)
    out = gs.empty(a.shape, dtype, device=a.device)
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
        self.batch = np.broadcast_shapes(a.shape[:-2], self.side.shape[:-2])
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
    """The full matrix of which `a` has one triangle."""
    if lower:
        return gs.tril(a) + adjoint(gs.tril(a, -1))
    return gs.triu(a) + adjoint(gs.triu(a, 1))


def diagonal(a):
    return gs.diagonal(a, axis1=-2, axis2=-1)
