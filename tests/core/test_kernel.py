"""Kernel rows: specialisation, argument packing, index width, device-side errors, caching."""

import numpy as np
import pytest

import gpusci as gs
from gpusci.core import Kernel, compiler
from gpusci.core.kernel import INT32_MAX

HEADER = """#include <gpusci/entry.h>
namespace gpusci {
template <class X, class Y, class Index>
struct test_scale {
    struct Args { View<const X, 2> x; Y* y; double factor; int64_t add[2]; complex<double> z; ErrorCell err; };
    HD static void at(Index i, const Args& a) {
        if (a.x[i] < X(0)) a.err.raise(1);
        a.y[i] = Y(a.x[i] * a.factor + a.add[0] + a.add[1] + a.z.re * 0 + a.z.im * 0 + (sizeof(Index) == 8 ? 0 : 0));
    }
};
}
"""


@pytest.fixture(scope="module")
def row(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "test_scale.h").write_text(HEADER)
    compiler.add_include_dir(folder)
    return Kernel(
        "test_scale", "test_scale.h", template="X Y Index", args="view x, ptr y, f64 factor, i64s add, c128 z, err",
        errors=[(IndexError, "never"), (ValueError, "test_scale: negative input; give non-negative values")],
    )  # fmt: skip


def launch(row, x, y, factor=2.0):
    row(x.size, (x.dtype, y.dtype), x, y, factor, (1, 2), 3 + 4j)


def test_views_and_all_argument_kinds(row):
    a = np.arange(12, dtype="f4").reshape(3, 4)
    y = gs.empty((4, 3), "f8")
    launch(row, gs.asarray(a).T, y)
    np.testing.assert_array_equal(y.numpy(), a.T * 2.0 + 3)


def test_two_shapes_compile_once(row, monkeypatch):
    x = gs.ones((2, 2), "i4")
    launch(row, x, gs.empty((2, 2), "f4"))
    before = len(row._functions)
    for shape in ((5, 7), (1, 1), (300, 2)):
        launch(row, gs.ones(shape, "i4"), gs.empty(shape, "f4"))
    assert len(row._functions) == before


def test_errors_of_the_device_reach_the_host(row, device):
    y = gs.empty((1, 3), "f8")
    with pytest.raises(ValueError, match="negative input"):
        launch(row, gs.asarray(np.array([[1.0, -1.0, 2.0]])), y)
        device.synchronize()
    launch(row, gs.ones((1, 3)), y)
    device.synchronize()                    # reported once only


def test_pointers_must_be_contiguous(row):
    with pytest.raises(ValueError, match="C-contiguous"):
        launch(row, gs.ones((2, 2)), gs.empty((2, 4))[:, ::2])


def test_no_array_and_wrong_number_of_template_values(row):
    with pytest.raises(TypeError, match="no array"):
        row(1, ("f4", "f4"), None, None, 1.0, (1, 2), 0j)
    with pytest.raises(TypeError, match="template values"):
        row.source((np.dtype("f4"),))


def test_index_width_follows_size_and_span(row):
    assert "int32_t" in row.source("f d") and "int64_t" in row.source("f d", wide=True)
    x = gs.asarray(np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (1, 2), (8 * (INT32_MAX + 1), 0)), device="host")
    assert not row.packer.pack((x, gs.empty((1, 2), device="host"), 1.0, (0, 0), 0j))[1]
    far = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (2, 1), (4 * (INT32_MAX + 1), 4))
    x = gs.asarray(far, device="host")
    assert row.packer.pack((x, gs.empty((2, 1), device="host"), 1.0, (0, 0), 0j))[1]


def test_rows_refuse_unknown_argument_kinds():
    with pytest.raises(ValueError, match="unknown argument kind"):
        Kernel("x", "x.h", args="pointer x")
