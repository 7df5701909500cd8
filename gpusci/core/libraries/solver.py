"""Dense factorisations: cuSOLVER and cuBLAS's batched forms on CUDA, LAPACK on the host.

Arrays are (..., m, n) with each matrix column-major (`columns` makes such a copy) and are overwritten as LAPACK does. Nothing
waits for the GPU: `info` (int32, one per matrix, LAPACK's meaning) stays on the device for the caller to look at.
"""

import threading

import numpy as np

from gpusci.core._ndarray import new
from gpusci.core.libraries import cuda_type, handle, on_gpu, workspace
from gpusci.core.libraries.blas import PREFIX, C, N, T
from gpusci.core.plans import keep

__all__ = ["columns", "geev", "geqrf", "gesvd", "getrf", "getrs", "orgqr", "potrf", "syevd"]

LOWER, UPPER = 0, 1  # cublasFillMode_t
OPS = {"N": N, "T": T, "C": C}
BATCHED_ORDER = 256  # up to this order cuBLAS's batched LU beats a loop of large ones
_local = threading.local()


def columns(a, dtype=None, copy=True):
    """A copy of the matrices in column-major order (with copy=False: `a` itself where it is that already)."""
    dtype = a.dtype if dtype is None else np.dtype(dtype)
    if not copy and a.dtype == dtype and a.mT.flags.c_contiguous:
        return a
    out = new((*a.shape[:-2], a.shape[-1], a.shape[-2]), dtype, a.device).mT
    out[...] = a
    return out


def potrf(a, lower):
    """Cholesky factor in the triangle of `a`; the other one keeps its values. Returns info."""
    info, n = _info(a), a.shape[-1]
    if not a.size:
        return info
    uplo = LOWER if lower else UPPER
    if not on_gpu(a):
        return _host(a, info, lambda m: _lapack("potrf", m)(m, lower=lower, clean=0, overwrite_a=1))
    solver, h = handle("cusolverDn", a.device)
    if info.size > 1:
        table = _addresses(a)
        getattr(solver, PREFIX[a.dtype.char] + "potrf_batched")(h, uplo, n, table.ptr, n, info.ptr, info.size)
        return info
    kind, params = cuda_type(a.dtype), _params(solver)
    size = lambda: solver.xpotrf_buffer_size(h, params, uplo, n, kind, a.ptr, n, kind)
    work, _kept = _work(a, ("potrf", uplo, n, kind), size)
    solver.xpotrf(h, params, uplo, n, kind, a.ptr, n, kind, *work, info.ptr)
    return info


def getrf(a):
    """LU factors with partial pivoting in `a`. Returns (pivots, info); pivots count from 1, int64 (int32 where batched)."""
    info, (m, n) = _info(a), a.shape[-2:]
    k = min(m, n)
    if not a.size:
        return new((*a.shape[:-2], k), np.int64, a.device), info
    if not on_gpu(a):
        pivots = new((*a.shape[:-2], k), np.int64, a.device)
        _host(a, info, lambda x: _lapack("getrf", x)(x, overwrite_a=1), (pivots, lambda piv: piv + 1))
        return pivots, info
    if info.size > 1 and m == n <= BATCHED_ORDER:
        cublas, h = handle("cublas", a.device)
        pivots, table = new((*a.shape[:-2], k), np.int32, a.device), _addresses(a)
        getattr(cublas, PREFIX[a.dtype.char] + "getrf_batched")(h, n, table.ptr, n, pivots.ptr, info.ptr, info.size)
        return pivots, info
    pivots = new((*a.shape[:-2], k), np.int64, a.device)
    solver, h = handle("cusolverDn", a.device)
    kind, params = cuda_type(a.dtype), _params(solver)
    work, _kept = _work(a, ("getrf", m, n, kind), lambda: solver.xgetrf_buffer_size(h, params, m, n, kind, a.ptr, m, kind))
    for i, (pa, pp) in enumerate(_each(a, pivots)):
        solver.xgetrf(h, params, m, n, kind, pa, m, pp, kind, *work, info.ptr + 4 * i)
    return pivots, info


def getrs(lu, pivots, b, trans="N"):
    """Solve op(A) x = b in place of b (..., n, nrhs), column-major, by `getrf`'s factors; one factor for each right side."""
    n, nrhs = b.shape[-2:]
    if not b.size:
        return b
    if trans == "C" and lu.dtype.kind != "c":
        trans = "T"
    if not on_gpu(b):
        for i in np.ndindex(b.shape[:-2]):
            x, f = b.numpy()[i], lu.numpy()[i]
            x[...] = _lapack("getrs", f)(f, pivots.numpy()[i] - 1, x, trans="NTC".index(trans))[0]
        return b
    if pivots.dtype.itemsize == 4:
        cublas, h = handle("cublas", b.device)
        info, factors, sides = np.zeros(1, np.int32), _addresses(lu), _addresses(b)
        getattr(cublas, PREFIX[b.dtype.char] + "getrs_batched")(
            h, OPS[trans], n, nrhs, factors.ptr, n, pivots.ptr, sides.ptr, n, info.ctypes.data, sides.size
        )
        return b
    solver, h = handle("cusolverDn", b.device)
    kind, params, info = cuda_type(b.dtype), _params(solver), new((1,), np.int32, b.device)
    for pa, pp, pb in _each(lu, pivots, b):
        solver.xgetrs(h, params, OPS[trans], n, nrhs, kind, pa, n, pp, kind, pb, n, info.ptr)
    return b


def geqrf(a):
    """QR factorisation in `a`. Returns (tau, info)."""
    info, (m, n) = _info(a), a.shape[-2:]
    tau = new((*a.shape[:-2], min(m, n)), a.dtype, a.device)
    if not a.size:
        return tau, info
    if not on_gpu(a):
        _host(a, info, lambda x: _geqrf_on_host(x), (tau, lambda t: t))
        return tau, info
    solver, h = handle("cusolverDn", a.device)
    kind, params = cuda_type(a.dtype), _params(solver)
    size = lambda: solver.xgeqrf_buffer_size(h, params, m, n, kind, a.ptr, m, kind, tau.ptr, kind)
    work, _kept = _work(a, ("geqrf", m, n, kind), size)
    for i, (pa, pt) in enumerate(_each(a, tau)):
        solver.xgeqrf(h, params, m, n, kind, pa, m, kind, pt, kind, *work, info.ptr + 4 * i)
    return tau, info


def _geqrf_on_host(x):
    qr, tau, _, info = _lapack("geqrf", x)(x, lwork=max(64 * x.shape[1], 1), overwrite_a=1)
    return qr, tau, info


def orgqr(a, tau):
    """The first columns of Q, as many as `a` has, in place of `geqrf`'s reflectors."""
    m, n, k = a.shape[-2], a.shape[-1], tau.shape[-1]
    if not a.size or not k:
        return a
    name = "ungqr" if a.dtype.kind == "c" else "orgqr"
    if not on_gpu(a):
        for i in np.ndindex(a.shape[:-2]):
            x = a.numpy()[i]
            x[...] = _lapack(name, x)(x, tau.numpy()[i], lwork=max(64 * n, 1), overwrite_a=1)[0]
        return a
    solver, h = handle("cusolverDn", a.device)
    info, name = new((1,), np.int32, a.device), PREFIX[a.dtype.char] + name
    size = getattr(solver, name + "_buffer_size")(h, m, n, k, a.ptr, m, tau.ptr)
    work = workspace(size * a.itemsize, a.device)
    for pa, pt in _each(a, tau):
        getattr(solver, name)(h, m, n, k, pa, m, pt, work.ptr, size, info.ptr)
    return a


def gesvd(a, vectors):
    """Singular values, and with vectors "S" (thin) or "A" (all) both sides; "N": values only. Uses up `a` (..., m, n) with
    m >= n. Returns (u, s, vh, info), u and vh None for "N"."""
    info, (m, n), batch = _info(a), a.shape[-2:], a.shape[:-2]
    real, columns_of_u = np.dtype(a.dtype.char.lower()), {"N": 0, "S": n, "A": m}[vectors]
    s = new((*batch, n), real, a.device)
    u = new((*batch, columns_of_u, m), a.dtype, a.device).mT
    vh = new((*batch, n if vectors != "N" else 0, n), a.dtype, a.device).mT
    if a.size and not on_gpu(a):
        for i, x in enumerate(_matrices(a)):
            got = _lapack("gesvd", x)(
                x, compute_uv=int(vectors != "N"), full_matrices=int(vectors == "A"), lwork=_svd_work(x)
            )
            _matrices(u)[i][...], _flat(s, 1)[i][...], _matrices(vh)[i][...] = got[0][:, :columns_of_u], got[1], (
                got[2] if vectors != "N" else 0)  # fmt: skip
            _flat(info, 0)[i] = got[3]
    elif a.size:
        solver, h = handle("cusolverDn", a.device)
        kind, params, job = cuda_type(a.dtype), _params(solver), ord(vectors)
        of_s, ldvt = cuda_type(real), max(n, 1)
        size = lambda: solver.xgesvd_buffer_size(
            h, params, job, job, m, n, kind, a.ptr, m, of_s, s.ptr, kind, u.ptr, m, kind, vh.ptr, ldvt, kind
        )
        work, _kept = _work(a, ("gesvd", vectors, m, n, kind), size)
        for i, (pa, ps, pu, pv) in enumerate(_each(a, s, u, vh)):
            solver.xgesvd(
                h, params, job, job, m, n, kind, pa, m, of_s, ps, kind, pu, m, kind, pv, ldvt, kind, *work, info.ptr + 4 * i
            )
    return (u, s, vh, info) if vectors != "N" else (None, s, None, info)


def _svd_work(x):
    return max(8 * max(x.shape), 64 * min(x.shape) + sum(x.shape))


def syevd(a, lower, vectors=True):
    """Eigenvalues, ascending, of symmetric or Hermitian matrices from one triangle; the eigenvectors in place of `a`, or
    `a` used up. Returns (w, info)."""
    info, n = _info(a), a.shape[-1]
    real = np.dtype(a.dtype.char.lower())
    w = new((*a.shape[:-2], n), real, a.device)
    if not a.size:
        return w, info
    if not on_gpu(a):
        name = "heevd" if a.dtype.kind == "c" else "syevd"
        swap = lambda x: (x[1], x[0], x[2])
        call = lambda x: swap(_lapack(name, x)(x, compute_v=int(vectors), lower=int(lower), overwrite_a=0))
        _host(a, info, call, (w, lambda v: v))
        return w, info
    solver, h = handle("cusolverDn", a.device)
    kind, params = cuda_type(a.dtype), _params(solver)
    where = (h, params, int(vectors), LOWER if lower else UPPER, n, kind)
    of_w = cuda_type(real)
    if info.size > 1 and hasattr(solver, "xsyev_batched"):
        size = lambda: solver.xsyev_batched_buffer_size(*where, a.ptr, n, of_w, w.ptr, kind, info.size)
        work, _kept = _work(a, ("syev", *where[2:], info.size), size)
        solver.xsyev_batched(*where, a.ptr, n, of_w, w.ptr, kind, *work, info.ptr, info.size)
        return w, info
    size = lambda: solver.xsyevd_buffer_size(*where, a.ptr, n, of_w, w.ptr, kind)
    work, _kept = _work(a, ("syevd", *where[2:]), size)
    for i, (pa, pw) in enumerate(_each(a, w)):
        solver.xsyevd(*where, pa, n, of_w, pw, kind, *work, info.ptr + 4 * i)
    return w, info


def geev(a, vectors=True):
    """Eigenvalues of general matrices (complex), and right eigenvectors. Uses up `a`; the values wait for the GPU. Returns
    (w, v, info); v of a real matrix is as LAPACK packs it: a pair's real and imaginary parts in two columns."""
    info, n = _info(a), a.shape[-1]
    w = new((*a.shape[:-2], n), a.dtype.char.upper(), a.device)
    v = new((*a.shape[:-2], n if vectors else 0, n), a.dtype, a.device).mT
    if not a.size:
        return w, v, info
    if not on_gpu(a):
        for i, x in enumerate(_matrices(a)):
            *value, _, vr, code = _lapack("geev", x)(x, compute_vl=0, compute_vr=int(vectors), lwork=64 * n)
            _flat(w, 1)[i][...] = value[0] if len(value) == 1 else value[0] + 1j * value[1]
            if vectors:
                _matrices(v)[i][...] = vr
            _flat(info, 0)[i] = code
        return w, v, info
    solver, h = handle("cusolverDn", a.device)
    kind, of_w, params = cuda_type(a.dtype), cuda_type(w.dtype), _params(solver)
    jobs = (0, int(vectors))
    left = (kind, 0, n)
    size = lambda: solver.xgeev_buffer_size(h, params, *jobs, n, kind, a.ptr, n, of_w, w.ptr, *left, kind, v.ptr, n, kind)
    work, _kept = _work(a, ("geev", *jobs, n, kind), size)
    for i, (pa, pw, pv) in enumerate(_each(a, w, v)):
        solver.xgeev(h, params, *jobs, n, kind, pa, n, of_w, pw, *left, kind, pv, n, kind, *work, info.ptr + 4 * i)
    return w, v, info


# ---- what they share
def _info(a):
    """Zeros; on a GPU what the routine then writes."""
    info = new(a.shape[:-2], np.int32, a.device)
    if not a.size or not on_gpu(a):
        info[...] = 0
    return info


def _params(solver):
    if not hasattr(_local, "params"):
        _local.params = solver.create_params()
    return _local.params


_sizes = {}  # (routine and dimensions, GPU) -> bytes on the device and on the host: they do not depend on addresses


def _work(like, key, ask):
    """((device address, bytes, host address, bytes) of a routine's workspace, what keeps it); `ask` is its buffer_size."""
    key = key, like.device.index
    sizes = _sizes.get(key)
    if sizes is None:
        sizes = keep(_sizes, key, ask())
    on_device, on_host = sizes
    memory, room = workspace(on_device, like.device), np.empty(on_host, np.uint8) if on_host else None
    return (memory.ptr, on_device, room.ctypes.data if on_host else 0, on_host), (memory, room)


def _each(*arrays):
    """Addresses of the matrices (or vectors) of each array, in step. Broadcast batch axes repeat an address."""
    batch = arrays[0].ndim - 2
    if not batch:
        return (tuple([x.ptr for x in arrays]),)
    return zip(*(_starts(x, batch).tolist() for x in arrays))


def _addresses(a):
    """A device table of the addresses of the matrices of a stack."""
    return a.device.table(_starts(a, a.ndim - 2))


def _starts(x, batch):
    starts = np.array([x.ptr], np.int64)
    for n, stride in zip(x.shape[:batch], x.strides):
        starts = (starts[:, None] + np.arange(n) * stride).ravel()
    return starts


# ---- LAPACK on zero-copy views
def _lapack(name, x):
    from scipy.linalg import get_lapack_funcs

    return get_lapack_funcs(name, (x,))


def _matrices(a):
    """The stack as a list of NumPy matrices."""
    return [a.numpy()[i] for i in np.ndindex(a.shape[:-2])]


def _flat(x, ndim):
    """A NumPy view with the batch axes as one."""
    return x.numpy().reshape(-1, *x.shape[x.ndim - ndim :] if ndim else ())


def _host(a, info, call, *outputs):
    """Apply a LAPACK function to each matrix in place: it returns (matrix, further results ..., info)."""
    for i, x in enumerate(_matrices(a)):
        result, *rest, code = call(x)
        if result is not x:
            x[...] = result
        for (target, convert), value in zip(outputs, rest):
            _flat(target, 1)[i][...] = convert(value)
        _flat(info, 0)[i] = code
    return info
