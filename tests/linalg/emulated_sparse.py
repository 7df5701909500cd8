"""cuSPARSE, emulated on host memory: descriptors hold the pointers and codes they were given, scipy.sparse does the work."""

import itertools

import numpy as np
import scipy.sparse as sp
from emulated import TYPES, memory, scalar

INDEX = {2: "i", 3: "q"}
OPS = {0: lambda x: x, 1: lambda x: x.T, 2: lambda x: x.conj().T}


class Cusparse:
    def __init__(self):
        self.objects, self.ids = {}, itertools.count(1)

    def _new(self, value):
        number = next(self.ids)
        self.objects[number] = value
        return number

    def _drop(self, number):
        del self.objects[number]

    destroy_sp_mat = destroy_dn_vec = destroy_dn_mat = destroy_mat_descr = sp_gemm_destroy_descr = sp_sm_destroy_descr = (
        _drop
    )

    def create_csr(
        self,
        rows,
        cols,
        nnz,
        csr_row_offsets,
        csr_col_ind,
        csr_values,
        csr_row_offsets_type,
        csr_col_ind_type,
        idx_base,
        value_type,
    ):
        assert csr_row_offsets_type == csr_col_ind_type
        assert idx_base == 0
        return self._new(
            [rows, cols, nnz, csr_row_offsets, csr_col_ind, csr_values, INDEX[csr_col_ind_type], TYPES[value_type], {}]
        )

    def create_dn_vec(self, size, values, value_type):
        return self._new((size, values, TYPES[value_type]))

    def create_dn_mat(self, rows, cols, ld, values, value_type, order):
        assert ld >= (cols if order == 2 else rows)
        return self._new((rows, cols, ld, values, TYPES[value_type], order))

    def create_mat_descr(self):
        return self._new("general")

    def csr_set_pointers(self, sp_mat_descr, csr_row_offsets, csr_col_ind, csr_values):
        self.objects[sp_mat_descr][3:6] = csr_row_offsets, csr_col_ind, csr_values

    def sp_mat_set_attribute(self, sp_mat_descr, attribute, data, data_size):
        assert data_size == 4
        self.objects[sp_mat_descr][8][attribute] = int(memory(data, "i", (1,), (1,))[0])

    def _matrix(self, number):
        rows, cols, nnz, offsets, columns, values, index, char, _ = self.objects[number]
        data, indices = memory(values, char, (nnz,), (1,)), memory(columns, index, (nnz,), (1,))
        return sp.csr_array((data, indices, memory(offsets, index, (rows + 1,), (1,))), shape=(rows, cols))

    def _vector(self, number):
        size, values, char = self.objects[number]
        return memory(values, char, (size,), (1,))

    def _dense(self, number):
        rows, cols, ld, values, char, order = self.objects[number]
        return memory(values, char, (rows, cols), (ld, 1) if order == 2 else (1, ld))

    def sp_mv_buffer_size(self, *args):
        return 100

    sp_mm_buffer_size = sp_sm_buffer_size = sp_mv_buffer_size

    def _operation(self, number, matrix):
        """What op_a stands for; as cuSPARSE, no conjugate transpose of a real matrix."""
        assert number != 2 or matrix.dtype.kind == "c"
        return OPS[number](matrix)

    @staticmethod
    def _check(buffer, size=100):
        memory(buffer, "B", (size,), (1,))[...] = 255

    def sp_mv(self, handle, op_a, alpha, mat_a, vec_x, beta, vec_y, compute_type, alg, external_buffer):
        self._check(external_buffer)
        char = TYPES[compute_type]
        assert scalar(beta, char) == 0
        self._vector(vec_y)[...] = scalar(alpha, char) * (self._operation(op_a, self._matrix(mat_a)) @ self._vector(vec_x))

    def sp_mm(self, handle, op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg, external_buffer):
        self._check(external_buffer)
        assert op_b == 0
        self._dense(mat_c)[...] = scalar(alpha, TYPES[compute_type]) * (self._operation(op_a, self._matrix(mat_a)) @ self._dense(mat_b))

    # ---- triangular solves
    def sp_sm_create_descr(self):
        return self._new({})

    def sp_sm_analysis(self, handle, op_a, op_b, alpha, mat_a, mat_b, mat_c, compute_type, alg, spsm_descr, external_buffer):
        self._check(external_buffer)
        self.objects[spsm_descr]["analysed"] = mat_a

    def sp_sm_solve(self, handle, op_a, op_b, alpha, mat_a, mat_b, mat_c, compute_type, alg, spsm_descr):
        assert self.objects[spsm_descr]["analysed"] == mat_a
        attributes = self.objects[mat_a][8]
        a = self._matrix(mat_a).toarray()
        t = np.tril(a) if attributes[0] == 0 else np.triu(a)
        if attributes[1]:
            np.fill_diagonal(t, 1)
        self._dense(mat_c)[...] = np.linalg.solve(self._operation(op_a, t), self._dense(mat_b))

    # ---- sparse products
    def sp_gemm_create_descr(self):
        return self._new({"step": 0})

    def sp_gemm_work_estimation(
        self, handle, op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg, spgemm_descr, external_buffer1
    ):
        if external_buffer1:
            self._check(external_buffer1, 40)
            self.objects[spgemm_descr]["step"] = 1
        return 40

    def sp_gemm_compute(
        self,
        handle,
        op_a,
        op_b,
        alpha,
        mat_a,
        mat_b,
        beta,
        mat_c,
        compute_type,
        alg,
        spgemm_descr,
        buffer_size2,
        external_buffer2,
    ):
        state = self.objects[spgemm_descr]
        assert state["step"] == 1
        if not external_buffer2:
            memory(buffer_size2, "Q", (1,), (1,))[0] = 60
            return
        self._check(external_buffer2, 60)
        state["result"] = (self._matrix(mat_a) @ self._matrix(mat_b)).tocsr()
        self.objects[mat_c][2] = state["result"].nnz

    def sp_mat_get_size(self, sp_mat_descr):
        return tuple(self.objects[sp_mat_descr][:3])

    def sp_gemm_copy(self, handle, op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg, spgemm_descr):
        result, (rows, _, nnz, offsets, columns, values, index, char, _) = (
            self.objects[spgemm_descr]["result"], self.objects[mat_c])  # fmt: skip
        memory(offsets, index, (rows + 1,), (1,))[...] = result.indptr
        memory(columns, index, (nnz,), (1,))[...] = result.indices
        memory(values, char, (nnz,), (1,))[...] = result.data

    # ---- conversions
    def csr2csc_ex2_buffer_size(self, *args):
        assert len(args) == 14
        return 30

    def csr2csc_ex2(
        self, handle, m, n, nnz, csr_val, csr_row_ptr, csr_col_ind, csc_val, csc_col_ptr, csc_row_ind, val_type, copy_values,
        idx_base, alg, buffer,
    ):  # fmt: skip
        self._check(buffer, 30)
        size = {3: 1, 2: 2, 0: 4, 1: 8, 5: 16}[val_type]
        values = memory(csr_val, f"V{size}", (nnz,), (1,))
        a = sp.csr_array(
            (np.arange(nnz), memory(csr_col_ind, "i", (nnz,), (1,)), memory(csr_row_ptr, "i", (m + 1,), (1,))), (m, n)
        )
        t = a.tocsc()
        memory(csc_val, f"V{size}", (nnz,), (1,))[...] = values[t.data]
        memory(csc_col_ptr, "i", (n + 1,), (1,))[...] = t.indptr
        memory(csc_row_ind, "i", (nnz,), (1,))[...] = t.indices

    def create_identity_permutation(self, handle, n, p):
        memory(p, "i", (n,), (1,))[...] = np.arange(n)

    def xcsrsort_buffer_size_ext(self, handle, m, n, nnz, csr_row_ptr_a, csr_col_ind_a):
        return 20

    def xcsrsort(self, handle, m, n, nnz, descr_a, csr_row_ptr_a, csr_col_ind_a, p, p_buffer):
        self._check(p_buffer, 20)
        assert self.objects[descr_a] == "general"
        columns, order, offsets = (memory(csr_col_ind_a, "i", (nnz,), (1,)), memory(p, "i", (nnz,), (1,)),
                                   memory(csr_row_ptr_a, "i", (m + 1,), (1,)))  # fmt: skip
        rows = np.repeat(np.arange(m), np.diff(offsets))
        sorting = np.lexsort((columns, rows))
        columns[...], order[...] = columns[sorting], order[sorting]

    def xcoosort_buffer_size_ext(self, handle, m, n, nnz, coo_rows_a, coo_cols_a):
        return 20

    def xcoosort_by_row(self, handle, m, n, nnz, coo_rows_a, coo_cols_a, p, p_buffer):
        self._check(p_buffer, 20)
        rows, columns, order = (memory(x, "i", (nnz,), (1,)) for x in (coo_rows_a, coo_cols_a, p))
        sorting = np.lexsort((columns, rows))
        rows[...], columns[...], order[...] = rows[sorting], columns[sorting], order[sorting]
