"""cuBLAS and cuSOLVER, emulated: the calls' pointers, leading dimensions and codes are taken at their documented word on host
memory, and LAPACK does the arithmetic. Strict where the libraries are: square where square is needed, tall where tall is."""

import ctypes

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

TYPES = {2: "e", 0: "f", 1: "d", 4: "F", 5: "D"}
OPS = {0: lambda x: x, 1: lambda x: x.T, 2: lambda x: x.conj().T}


def memory(address, char, shape, strides):
    """A view of raw memory; strides in elements."""
    dtype = np.dtype(char)
    extent = sum((n - 1) * s for n, s in zip(shape, strides)) + 1
    raw = (ctypes.c_char * (extent * dtype.itemsize)).from_address(address)
    return np.lib.stride_tricks.as_strided(np.frombuffer(raw, dtype, extent), shape, [s * dtype.itemsize for s in strides])


def columns(address, char, m, n, ld):
    assert ld >= max(m, 1)
    return memory(address, char, (m, n), (1, ld))


def pointers(address, count):
    return memory(address, "q", (count,), (1,)).tolist()


def scalar(address, char):
    return memory(address, char, (1,), (1,))[0]


class Cublas:
    def __init__(self):
        self.mode, self.calls = 0, []

    def set_pointer_mode(self, handle, mode):
        self.mode = mode

    def gemm_ex_64(
        self, handle, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, c, ctype, ldc, compute_type, algo
    ):
        assert self.mode == 0
        assert atype == btype == ctype
        assert compute_type == (70 if ctype in (1, 5) else 68)
        char = TYPES[ctype]
        wide = "f" if char == "e" else char
        self.calls.append("gemm")
        x = columns(a, char, *((m, k) if transa == 0 else (k, m)), lda).astype(wide)
        y = columns(b, char, *((k, n) if transb == 0 else (n, k)), ldb).astype(wide)
        z = columns(c, char, m, n, ldc)
        z[...] = scalar(alpha, wide) * (OPS[transa](x) @ OPS[transb](y)) + (
            scalar(beta, wide) * z if scalar(beta, wide) else 0
        )

    def gemm_strided_batched_ex_64(
        self, handle, transa, transb, m, n, k, alpha, a, atype, lda, stride_a, b, btype, ldb, stride_b, beta, c, ctype, ldc,
        stride_c, batch_count, compute_type, algo,
    ):  # fmt: skip
        size = np.dtype(TYPES[ctype]).itemsize
        for i in range(batch_count):
            self.gemm_ex_64(
                handle, transa, transb, m, n, k, alpha, a + i * stride_a * size, atype, lda, b + i * stride_b * size, btype, ldb,
                beta, c + i * stride_c * size, ctype, ldc, compute_type, algo,
            )  # fmt: skip
        self.calls[-batch_count:] = ["strided"]

    def gemm_batched_ex_64(
        self, handle, transa, transb, m, n, k, alpha, aarray, atype, lda, barray, btype, ldb, beta, carray, ctype, ldc,
        batch_count, compute_type, algo,
    ):  # fmt: skip
        for a, b, c in zip(*(pointers(p, batch_count) for p in (aarray, barray, carray))):
            self.gemm_ex_64(
                handle, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, c, ctype, ldc, compute_type, algo
            )
        self.calls[-batch_count:] = ["pointers"]

    def dot_ex_64(self, handle, n, x, x_type, incx, y, y_type, incy, result, result_type, execution_type):
        assert self.mode == 1
        assert min(incx, incy) > 0
        self.calls.append("dot")
        char, wide = TYPES[x_type], TYPES[execution_type]
        u, v = (memory(p, char, (n,), (inc,)).astype(wide) for p, inc in ((x, incx), (y, incy)))
        memory(result, char, (1,), (1,))[0] = u @ v

    def _trsm(self, char, handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb):
        order = m if side == 0 else n
        t = columns(a, char, order, order, lda)
        t = np.tril(t) if uplo == 0 else np.triu(t)
        if diag:
            np.fill_diagonal(t, 1)
        x = columns(b, char, m, n, ldb)
        op = OPS[trans](t)
        x[...] = scalar(alpha, char) * (np.linalg.solve(op, x) if side == 0 else np.linalg.solve(op.T, x.T).T)

    def _trsm_batched(self, char, handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch_count):
        for pa, pb in zip(pointers(a, batch_count), pointers(b, batch_count)):
            self._trsm(char, handle, side, uplo, trans, diag, m, n, alpha, pa, lda, pb, ldb)

    def _getrf_batched(self, char, handle, n, a, lda, p, info, batch_size):
        for i, pa in enumerate(pointers(a, batch_size)):
            x = columns(pa, char, n, n, lda)
            x[...], piv, code = getattr(lapack, _prefix(char) + "getrf")(x)
            memory(p, "i", (batch_size, n), (n, 1))[i] = piv + 1
            memory(info, "i", (batch_size,), (1,))[i] = code

    def _getrs_batched(self, char, handle, trans, n, nrhs, aarray, lda, dev_ipiv, barray, ldb, info, batch_size):
        for i, (pa, pb) in enumerate(zip(pointers(aarray, batch_size), pointers(barray, batch_size))):
            piv = memory(dev_ipiv, "i", (batch_size, n), (n, 1))[i] - 1
            x = columns(pb, char, n, nrhs, ldb)
            x[...] = getattr(lapack, _prefix(char) + "getrs")(columns(pa, char, n, n, lda), piv, x, trans=trans)[0]
        assert memory(info, "i", (1,), (1,))[0] == 0


def _prefix(char):
    return {"f": "s", "d": "d", "F": "c", "D": "z"}[char]


def _typed(cls, method, name, chars="fdFD"):
    for char, prefix in zip(chars, map(_prefix, chars)):

        def call(self, *args, char=char):
            return getattr(self, method)(char, *args)

        setattr(cls, prefix + name, call)


for _method, _name in [("_trsm", "trsm_64"), ("_trsm_batched", "trsm_batched_64"), ("_getrf_batched", "getrf_batched"),
                       ("_getrs_batched", "getrs_batched")]:  # fmt: skip
    _typed(Cublas, _method, _name)


class Cusolver:
    SIZES = 256, 64

    def __getattr__(self, name):
        if name.startswith("x") and name.endswith("_buffer_size"):
            return lambda *args: self.SIZES
        if name.endswith("_buffer_size"):
            return lambda *args: 32
        raise AttributeError(name)

    def create_params(self):
        return 7

    def _check(self, work):
        device, size, host, host_size = work
        assert (size, host_size) == self.SIZES
        memory(device, "B", (size,), (1,))[...] = 255  # it must be ours to write to
        memory(host, "B", (host_size,), (1,))[...] = 255

    @staticmethod
    def _done(info, code):
        memory(info, "i", (1,), (1,))[0] = code

    def xpotrf(self, handle, params, uplo, n, kind, a, lda, compute, *rest):
        *work, info = rest
        self._check(work)
        x = columns(a, TYPES[kind], n, n, lda)
        x[...], code = getattr(lapack, _prefix(TYPES[kind]) + "potrf")(x, lower=1 - uplo, clean=0)
        self._done(info, code)

    def _potrf_batched(self, char, handle, uplo, n, aarray, lda, info_array, batch_size):
        for i, a in enumerate(pointers(aarray, batch_size)):
            x = columns(a, char, n, n, lda)
            x[...], code = getattr(lapack, _prefix(char) + "potrf")(x, lower=1 - uplo, clean=0)
            self._done(info_array + 4 * i, code)

    def xgetrf(self, handle, params, m, n, kind, a, lda, ipiv, compute, *rest):
        *work, info = rest
        self._check(work)
        x = columns(a, TYPES[kind], m, n, lda)
        x[...], piv, code = getattr(lapack, _prefix(TYPES[kind]) + "getrf")(x)
        memory(ipiv, "q", (min(m, n),), (1,))[...] = piv + 1
        self._done(info, code)

    def xgetrs(self, handle, params, trans, n, nrhs, kind, a, lda, ipiv, kind_b, b, ldb, info):
        char = TYPES[kind_b]
        x, piv = columns(b, char, n, nrhs, ldb), memory(ipiv, "q", (n,), (1,)) - 1
        x[...] = getattr(lapack, _prefix(char) + "getrs")(columns(a, char, n, n, lda), piv, x, trans=trans)[0]
        self._done(info, 0)

    def xgeqrf(self, handle, params, m, n, kind, a, lda, kind_tau, tau, compute, *rest):
        *work, info = rest
        self._check(work)
        x = columns(a, TYPES[kind], m, n, lda)
        x[...], t, _, code = getattr(lapack, _prefix(TYPES[kind]) + "geqrf")(x)
        memory(tau, TYPES[kind], (min(m, n),), (1,))[...] = t
        self._done(info, code)

    def _orgqr(self, char, handle, m, n, k, a, lda, tau, work, lwork, info):
        assert m >= n >= k
        assert lwork == 32
        x = columns(a, char, m, n, lda)
        name = _prefix(char) + ("ungqr" if char in "FD" else "orgqr")
        x[...] = getattr(lapack, name)(x, memory(tau, char, (k,), (1,)))[0]
        self._done(info, 0)

    def xgesvd(
        self, handle, params, jobu, jobvt, m, n, kind, a, lda, kind_s, s, kind_u, u, ldu, kind_vt, vt, ldvt, compute, *rest
    ):
        *work, info = rest
        self._check(work)
        assert m >= n
        assert jobu == jobvt
        assert ldvt >= 1
        char, job = TYPES[kind], chr(jobu)
        assert TYPES[kind_s] == char.lower()
        got = scipy.linalg.svd(columns(a, char, m, n, lda), full_matrices=job == "A", lapack_driver="gesvd")
        memory(s, char.lower(), (n,), (1,))[...] = got[1]
        if job != "N":
            columns(u, char, m, m if job == "A" else n, ldu)[...] = got[0]
            columns(vt, char, n, n, ldvt)[...] = got[2]
        columns(a, char, m, n, lda)[...] = np.nan
        self._done(info, 0)

    def xsyevd(self, handle, params, jobz, uplo, n, kind, a, lda, kind_w, w, compute, *rest):
        *work, info = rest
        self._check(work)
        assert TYPES[kind_w] == TYPES[kind].lower()
        x = columns(a, TYPES[kind], n, n, lda)
        values, vectors = scipy.linalg.eigh(x, lower=uplo == 0)
        memory(w, TYPES[kind_w], (n,), (1,))[...] = values
        x[...] = vectors if jobz else np.nan
        self._done(info, 0)

    def xsyev_batched(self, handle, params, jobz, uplo, n, kind, a, lda, kind_w, w, compute, *rest):
        *work, info, batch_size = rest
        char = TYPES[kind]
        for i in range(batch_size):
            step = i * n * np.dtype(char).itemsize
            self.xsyevd(handle, params, jobz, uplo, n, kind, a + step * lda, lda, kind_w,
                        w + i * n * np.dtype(char.lower()).itemsize, compute, *work, info + 4 * i)  # fmt: skip

    def xgeev(
        self, handle, params, jobvl, jobvr, n, kind, a, lda, kind_w, w, kind_vl, vl, ldvl, kind_vr, vr, ldvr, compute, *rest
    ):
        *work, info = rest
        self._check(work)
        assert jobvl == 0
        char = TYPES[kind]
        assert TYPES[kind_w] == char.upper()
        *values, _, vectors, code = getattr(lapack, _prefix(char) + "geev")(columns(a, char, n, n, lda), compute_vl=0)
        memory(w, char.upper(), (n,), (1,))[...] = values[0] if len(values) == 1 else values[0] + 1j * values[1]
        if jobvr:
            columns(vr, char, n, n, ldvr)[...] = vectors
        columns(a, char, n, n, lda)[...] = np.nan
        self._done(info, code)


_typed(Cusolver, "_potrf_batched", "potrf_batched")
for _name, _chars in [("orgqr", "fd"), ("ungqr", "FD")]:
    _typed(Cusolver, "_orgqr", _name, _chars)
