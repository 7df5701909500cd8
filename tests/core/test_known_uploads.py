"""What was uploaded to a GPU is read back without a wait, until somebody may have written there. On the pretended GPU."""

import numpy as np
import pretend_gpu
import pytest

import gpusci as gs
from gpusci.core._ndarray import known
from gpusci.core.cuda import KNOWN


@pytest.mark.skipif(pretend_gpu.is_alone(__file__), reason="this is that process")
def test_in_a_process_of_their_own():
    pretend_gpu.run_alone(__file__, 16)


A = np.arange(12.0).reshape(3, 4)


def test_views_are_known_too(gpu):
    for a in (A, A.T, np.asfortranarray(A), A.astype(">f8"), np.ones((2, 0)), np.float32(3), A[:, ::-1]):
        x = gs.asarray(a, device=gpu)
        np.testing.assert_array_equal(x.numpy(), a)
        if a.size:
            assert known(x) is not None
    x = gs.asarray(A, device=gpu)
    for key in (np.s_[1], np.s_[::-1, 1::2], np.s_[..., None], np.s_[2, 3]):
        np.testing.assert_array_equal(known(x[key]), A[key])
    np.testing.assert_array_equal(known(x.T), A.T)
    known(x)[...] = 0                                    # a copy
    np.testing.assert_array_equal(x.numpy(), A)
    assert known(gs.asarray(np.zeros(KNOWN // 8 + 1), device=gpu)) is None


@pytest.mark.parametrize("write", [
    lambda x: x.__setitem__(0, 5), lambda x: x[1].fill(5), lambda x: x.T.__iadd__(5), lambda x: gs.add(x, 5, out=x), lambda x: x.ptr,
    lambda x: x.__cuda_array_interface__, lambda x: x.__dlpack__(), lambda x: gs.copyto(x[:, 0], 5), lambda x: x.sort(),
    lambda x: gs.cumsum(x, 0, out=x),
    lambda x: gs.put(x, [1], 5), lambda x: x.__setitem__(x > 3, 5), lambda x: x.__setitem__([0, 2], 5), lambda x: gs.add.at(x, [0], 5),
])  # fmt: skip
def test_whoever_may_write_ends_it(gpu, write):
    x = gs.asarray(A, device=gpu)
    write(x)
    assert known(x) is None


def test_new_memory_is_not_known(gpu):
    for _ in range(3):
        x = gs.asarray(A, device=gpu)
        del x
        assert known(gs.empty((3, 4), device=gpu)) is None
    assert known(gs.asarray(A, device=gpu) + 1) is None
