"""Kernel rows of gpusci.linalg."""

from numpy.linalg import LinAlgError

from gpusci.core import BlockKernel, Kernel

CHECK, EXPM, MATRICES = "linalg/kernels/check.h", "linalg/kernels/expm.h", "linalg/kernels/matrices.h"
INEXACT = ["f", "d", "F", "D"]


def _info(sentence):
    return Kernel("check_info", CHECK, template="Index", args="ptr info, err", first=[""], errors=[(LinAlgError, sentence)])


singular = _info("A singular matrix detected: it has no inverse; lstsq and pinv handle such matrices")
not_definite = _info(
    "Internal potrf return info > 0: the array is not positive definite, a leading minor is not positive; use lu or ldl for such"
    " matrices"
)
no_convergence = _info("the iteration did not converge; check the array for extreme values")

_NOT_FINITE = [(ValueError, "array must not contain infs or NaNs")]
check_finite = Kernel("check_finite", CHECK, template="T Index", args="ptr x, err", first=INEXACT, errors=_NOT_FINITE)
copy_finite = Kernel("copy_finite", CHECK, template="T Index", args="ptr x, ptr out, err", first=INEXACT, errors=_NOT_FINITE)
check_nonzero = Kernel(
    "check_nonzero", CHECK, template="T Index", args="ptr x, i64 n, err", first=INEXACT,
    errors=[(LinAlgError, "singular matrix: a diagonal element of the triangle is zero")],
)  # fmt: skip
shift_pivots = Kernel("shift_pivots", CHECK, template="P Q Index", args="ptr pivots, ptr out, i64 by", first=["q i", "i q"])
pivots_to_rows = Kernel(
    "pivots_to_rows", CHECK, template="P Index", args="ptr pivots, ptr rows, ptr place, i64 m, i64 k", first=["i", "q"]
)

# ---- parts of matrices
_WIDE = ["f 2", "d 2", "F 2", "D 2"]
triangle = Kernel("triangle", MATRICES, template="T R Index", args="view x, ptr out, i64 k, i64 lower, i64 unit", first=_WIDE)
mirror = Kernel("mirror", MATRICES, template="T R Index", args="view x, ptr out, i64 lower, i64 hermitian", first=_WIDE)
permutation = Kernel("permutation", MATRICES, template="T Index", args="ptr place, ptr out, i64 n", first=INEXACT)
signed_diagonal = Kernel(
    "signed_diagonal", MATRICES, template="T P W Index", args="ptr lu, ptr pivots, ptr out, i64 n",
    first=["f q d", "d q d", "F q D", "D q D"],
)  # fmt: skip
eigenvectors = Kernel("eigenvectors", MATRICES, template="T R Index", args="ptr w, view packed, ptr out", first=["f 2", "d 2"])
reciprocals = Kernel(
    "reciprocals", MATRICES, template="T Index", args="ptr s, ptr out, ptr kept, i64 k, f64 atol, f64 rtol", first=["f", "d"]
)

# ---- the matrix exponential
_SUMS = "ptr a, ptr b, ptr c, ptr d, ptr weights, ptr out, i64 n, i64 count, f64 scale"
column_sums = Kernel("column_sums", EXPM, template="T Index", args=_SUMS, first=INEXACT)
magnitude_power = BlockKernel(
    "magnitude_power", EXPM, template="T Index", args="ptr x, ptr out, i64 n, i64 steps, f64 scale", threads=1024, first=INEXACT
)
combine_two = Kernel(
    "combine_two", EXPM, template="T Index", first=INEXACT,
    args="ptr odd, ptr even, ptr a, ptr b, ptr c, ptr d, f64s factors, f64s units, i64 n, i64 more",
)  # fmt: skip
column_sums_block = BlockKernel(
    "column_sums_block", EXPM, template="T Index", args=_SUMS, first=INEXACT, together=lambda types: [(combine_two, types)]
)
