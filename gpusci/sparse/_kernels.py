"""Kernel rows of sparse."""

from gpusci.core import BlockKernel, Kernel

_MATVEC = "ptr data, ptr indices, ptr indptr, view x, ptr y"

csr_matvec = Kernel("csr_matvec", "sparse/kernels/csr.h", template="A X Y I Index", args=_MATVEC,
                    first=["f f f i", "d d d i", "q q q q", "? ? ? i"], grain=512)  # fmt: skip

csr_matvec_warps = BlockKernel("csr_matvec_warps", "sparse/kernels/csr.h", template="A X Y I Index",
                               args=f"{_MATVEC}, i64 rows", first=["f f f i"])  # fmt: skip

csr_matmat = Kernel("csr_matmat", "sparse/kernels/csr.h", template="A X Y I Index",
                    args="ptr data, ptr indices, ptr indptr, ptr x, ptr y, i64 columns", first=["f f f i", "D d D q"])  # fmt: skip

expand_indptr = Kernel("expand_indptr", "sparse/kernels/csr.h", template="I Index", args="ptr indptr, ptr rows, i64 n",
                       first=["i", "q"])  # fmt: skip

csr_find = Kernel("csr_find", "sparse/kernels/csr.h", template="A I Index",
                  args="ptr data, ptr indices, ptr indptr, ptr rows, ptr cols, ptr out", first=["f i", "D q"])  # fmt: skip
