"""Interpolative decompositions, as `scipy.linalg.interpolative`: SciPy on the host; data of a GPU makes a round trip."""

import functools

from gpusci.linalg._scipy import mirror

__all__ = [
    "estimate_rank", "estimate_spectral_norm", "estimate_spectral_norm_diff", "id_to_svd", "interp_decomp",
    "reconstruct_interp_matrix", "reconstruct_matrix_from_id", "reconstruct_skel_matrix", "svd",
]  # fmt: skip


_mirror = functools.partial(mirror, "scipy.linalg.interpolative")


@_mirror("A")
def interp_decomp(A, eps_or_k, rand=True, rng=None):
    """As `scipy.linalg.interpolative.interp_decomp`, on the host."""


@_mirror("B", "idx", "proj")
def reconstruct_matrix_from_id(B, idx, proj):
    """As `scipy.linalg.interpolative.reconstruct_matrix_from_id`, on the host."""


@_mirror("idx", "proj")
def reconstruct_interp_matrix(idx, proj):
    """As `scipy.linalg.interpolative.reconstruct_interp_matrix`, on the host."""


@_mirror("A", "idx")
def reconstruct_skel_matrix(A, k, idx):
    """As `scipy.linalg.interpolative.reconstruct_skel_matrix`, on the host."""


@_mirror("B", "idx", "proj")
def id_to_svd(B, idx, proj):
    """As `scipy.linalg.interpolative.id_to_svd`, on the host."""


@_mirror("A")
def svd(A, eps_or_k, rand=True, rng=None):
    """As `scipy.linalg.interpolative.svd`, on the host."""


@_mirror("A")
def estimate_spectral_norm(A, its=20, rng=None):
    """As `scipy.linalg.interpolative.estimate_spectral_norm`, on the host."""


@_mirror("A", "B")
def estimate_spectral_norm_diff(A, B, its=20, rng=None):
    """As `scipy.linalg.interpolative.estimate_spectral_norm_diff`, on the host."""


@_mirror("A")
def estimate_rank(A, eps, rng=None):
    """As `scipy.linalg.interpolative.estimate_rank`, on the host."""
