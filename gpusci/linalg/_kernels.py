"""Kernel rows of gpusci.linalg."""

from numpy.linalg import LinAlgError

from gpusci.core import Kernel

CHECK = "linalg/kernels/check.h"
INEXACT = ["f", "d", "F", "D"]


def _info(sentence):
    return Kernel("check_info", CHECK, template="Index", args="ptr info, err", first=[""], errors=[(LinAlgError, sentence)])


singular = _info("A singular matrix detected: it has no inverse; lstsq and pinv handle such matrices")
not_definite = _info(
    "Internal potrf return info > 0: the array is not positive definite, a leading minor is not positive; use lu or ldl for such"
    " matrices"
)
no_convergence = _info("the iteration did not converge; check the array for extreme values")

check_finite = Kernel(
    "check_finite", CHECK, template="T Index", args="ptr x, err", first=INEXACT,
    errors=[(ValueError, "array must not contain infs or NaNs")],
)  # fmt: skip
check_nonzero = Kernel(
    "check_nonzero", CHECK, template="T Index", args="ptr x, err", first=INEXACT,
    errors=[(LinAlgError, "singular matrix: a diagonal element of the triangle is zero")],
)  # fmt: skip
pivots_to_rows = Kernel(
    "pivots_to_rows", CHECK, template="P Index", args="ptr pivots, ptr rows, ptr place, i64 m, i64 k", first=["i", "q"]
)
