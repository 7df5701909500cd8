"""The array object: views, conversions, Python protocols. Written for every device."""

import copy
import pickle

import numpy as np
import pytest

import gpusci as gs

DTYPES = "?bhiqBHIQefdFD"


def make(shape=(3, 4), dtype="f8"):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip_of_every_dtype(dtype):
    a = make(dtype=dtype)
    x = gs.asarray(a)
    assert x.dtype == a.dtype and x.shape == a.shape and x.strides == a.strides
    np.testing.assert_array_equal(x.numpy(), a)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)).numpy(), a)
    assert x.tolist() == a.tolist()


@pytest.mark.parametrize("dtype", [">f8", ">i4", "<c16", ">c8", ">f2"])
def test_foreign_byte_order_is_converted(dtype):
    a = make(dtype="f8").astype(dtype)
    x = gs.asarray(a)
    assert x.dtype.isnative
    np.testing.assert_array_equal(x.numpy(), a)


@pytest.mark.parametrize("dtype", ["U3", "M8[s]", object, [("a", "f4"), ("b", "f8")]])
def test_dtypes_without_kernels_are_refused(dtype):
    with pytest.raises(TypeError, match="not supported"):
        gs.asarray(np.zeros(3, dtype))


KEYS = [0, -1, (1, 2), (slice(None), 1), (slice(None, None, -1),), (slice(1, 100, 2), slice(None, None, -2)), Ellipsis, None,
        (None, 1, Ellipsis, None), (), (slice(2, 2),), (np.int64(1), -1)]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_basic_indexing_gives_views(key):
    a = make()
    x = gs.asarray(a.copy())
    view = x[key]
    assert isinstance(view, gs.ndarray)
    np.testing.assert_array_equal(view.numpy(), a[key])
    view[...] = -5.0
    a[key] = -5.0
    np.testing.assert_array_equal(x.numpy(), a)


@pytest.mark.parametrize("key", [3, -4, (0, 4), (0, 0, 0)])
def test_basic_index_out_of_range(key):
    with pytest.raises(IndexError):
        gs.asarray(make())[key]


def test_view_algebra_is_numpys():
    a = make((2, 3, 4))
    x = gs.asarray(a)
    for f in (lambda v: v.T, lambda v: v.transpose(1, 0, 2), lambda v: v.swapaxes(0, -1), lambda v: v.reshape(6, -1),
              lambda v: v[:, ::-1].reshape(-1), lambda v: v.T.ravel(), lambda v: v.ravel(order="F"), lambda v: v.flatten("F"),
              lambda v: v[:1].squeeze(0), lambda v: v.diagonal(1, 1, 2), lambda v: v.mT, lambda v: v.T.reshape(4, 6, order="F")):
        np.testing.assert_array_equal(f(x).numpy(), f(a))
        assert f(x).strides == f(a).strides or f(a).size <= 1
    with pytest.raises(ValueError, match="cannot reshape"):
        x.reshape(5, 5)
    with pytest.raises(ValueError):
        x.T.reshape(-1, copy=False)


@pytest.mark.parametrize("order", "CFAK")
def test_copy_and_astype_keep_numpys_orders(order):
    for a in (make((2, 3, 4)), make((2, 3, 4)).T, make((2, 3, 4)).transpose(1, 0, 2), make((4, 6))[:, ::2]):
        x = gs.asarray(a)
        for got, want in ((x.copy(order=order), a.copy(order=order)), (x.astype("f4", order=order), a.astype("f4", order=order))):
            np.testing.assert_array_equal(got.numpy(), want)
            assert got.strides == want.strides
    assert x.astype("f8", copy=False) is x
    with pytest.raises(TypeError, match="Cannot cast"):
        x.astype(int, casting="safe")


def test_complex_parts_are_views():
    a = make(dtype="c16") * (1 + 2j)
    x = gs.asarray(a.copy())
    x.imag = 7.0
    x.real[0] = -1.0
    a.imag = 7.0
    a.real[0] = -1.0
    np.testing.assert_array_equal(x.numpy(), a)
    r = gs.asarray(make())
    assert r.real is r and not r.imag.numpy().any()
    with pytest.raises(TypeError):
        r.imag = 1


def test_scalars_wait_and_convert():
    x = gs.asarray(make())
    assert float(x[1, 2]) == 6.0 and int(x[1, 2]) == 6 and complex(x[0, 1]) == 1 and x[2, 3].item() == 11.0
    assert x.item(5) == 5.0 and x.item(1, 1) == 5.0 and x.item((1, 1)) == 5.0
    assert [10, 20, 30][gs.asarray(1)] == 20
    assert f"{x[0, 1]:.2f}" == "1.00" and repr(gs.asarray([1, 2])) == repr(np.array([1, 2]))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(x)
    with pytest.raises(TypeError):
        float(x)
    with pytest.raises(ValueError):
        x.item()
    with pytest.raises(TypeError):
        [1, 2][gs.asarray(1.0)]


def test_python_protocols():
    a = make()
    x = gs.asarray(a)
    assert len(x) == 3 and 5.0 in x and 50.0 not in x
    for row, want in zip(x, a, strict=True):
        np.testing.assert_array_equal(row.numpy(), want)
    with pytest.raises(TypeError):
        hash(x)
    with pytest.raises(TypeError, match="0-d"):
        iter(x[0, 0]).__next__()
    with pytest.raises(TypeError):
        len(x[0, 0])
    for y in (copy.copy(x), copy.deepcopy(x)):
        y[...] = 0
        np.testing.assert_array_equal(x.numpy(), a)


def test_comparison_with_objects_that_are_no_numbers():
    x = gs.asarray(make())
    assert not (x == None).numpy().any() and (x != None).numpy().all()  # noqa: E711
    assert not (x == "a").numpy().any()


def test_operators_reflect_and_work_in_place():
    a = make() + 1
    x = gs.asarray(a.copy())
    for f in (lambda v: 2 + v, lambda v: 2 - v, lambda v: 2 / v, lambda v: 7 // v, lambda v: 7 % v, lambda v: 2**v, lambda v: -v,
              lambda v: abs(-v), lambda v: divmod(7, v)[1], lambda v: v @ v.T, lambda v: (v > 3) & (v < 7), lambda v: ~(v > 3)):
        np.testing.assert_allclose(f(x).numpy(), f(a), rtol=1e-15)
    same = x
    x += 1
    x *= 2
    assert x is same
    np.testing.assert_array_equal(x.numpy(), (a + 1) * 2)
    i = gs.asarray(np.arange(3))
    with pytest.raises(TypeError):
        i += 0.5


def test_numpy_operands_and_functions_give_gpusci_arrays():
    a, x = make(), gs.asarray(make())
    for got, want in ((a + x, a + a), (x + a, a + a), (np.add(a, x), a + a), (np.exp(x), np.exp(a)), (np.sum(x, axis=0), a.sum(0)),
                      (np.concatenate([x, x]), np.concatenate([a, a])), (np.add.reduce(x), a.sum(0))):
        assert isinstance(got, gs.ndarray)
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-15)


def test_implicit_conversion(device):
    x = gs.asarray(make())
    if device.kind == "host":
        assert np.shares_memory(np.asarray(x), x.numpy())
    else:
        with pytest.raises(TypeError, match="asnumpy"):
            np.asarray(x)


def test_dlpack_shares_memory():
    x = gs.asarray(make())
    y = gs.from_dlpack(x)
    y[0, 0] = 99.0
    assert x[0, 0].item() == 99.0
    assert x.__dlpack_device__() == ((1, 0) if x.device.kind == "host" else (2, x.device.index))


def test_read_only_memory_stays_unwritten():
    a = make()
    a.flags.writeable = False
    x = gs.asarray(a, device="host")
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    np.testing.assert_array_equal((x + 1).numpy(), a + 1)


def test_assigning_a_shape():
    x = gs.asarray(make())
    x.shape = (2, 6)
    assert x.shape == (2, 6)
    with pytest.raises(ValueError):
        x.shape = (5, 5)


def test_flat():
    x = gs.asarray(make()).T
    x.flat[1] = -1.0
    assert x[0, 1].item() == -1.0 and len(x.flat) == 12


@pytest.mark.parametrize("dtype", DTYPES)
def test_byteswap(dtype):
    for a in (make(dtype=dtype), make(dtype=dtype).T, make((4, 6), dtype)[::2, ::-1], make((0, 3), dtype), make((), dtype)):
        x = gs.asarray(a)
        assert x.byteswap().numpy().tobytes() == a.byteswap().tobytes()
        assert x.byteswap().flags.f_contiguous == a.byteswap().flags.f_contiguous
        y, want = gs.asarray(a.copy()), a.copy()
        want.byteswap(inplace=True)
        assert y.byteswap(inplace=True) is y and y.numpy().tobytes() == want.tobytes()


def test_fields_are_views():
    a = make((3, 4), "c16") * (1 + 2j)
    x = gs.asarray(a)
    np.testing.assert_array_equal(x.getfield("f8", 8).numpy(), a.imag)
    x.setfield(7, "f8", 8)
    np.testing.assert_array_equal(x.numpy(), a.real + 7j)
    ints = gs.asarray(np.arange(5, dtype="u4") * 65537)
    np.testing.assert_array_equal(ints[::2].getfield(np.uint16, 2).numpy(), [0, 2, 4])
    for dtype, offset in (("f8", 12), ("f8", -1), ("i4", 13)):
        for array in (x, a):
            with pytest.raises(ValueError):
                array.getfield(dtype, offset)
    for dtype, offset in (("f8", 1), ("i4", 2)):
        with pytest.raises(ValueError, match="not aligned"):
            x.getfield(dtype, offset)


def test_setting_flags():
    x = gs.asarray(make())
    view = x[1:]
    view.setflags(write=False)
    assert not view.flags.writeable and x.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    view.setflags(write=True)
    view[0] = -1
    assert x[1, 0].item() == -1
    lent = np.frombuffer(bytes(24))
    with pytest.raises(ValueError):
        gs.asarray(lent, device="host").setflags(write=True)


RESIZED = [(), (None,), ((),), (3,), ((2, 3),), (2, 9), ([5, 5],), (0,), (np.int64(20),), (-1,), (2.5,), ("ab",), (2, -3)]


@pytest.mark.parametrize("shape", RESIZED, ids=str)
@pytest.mark.parametrize("order", "CF")
def test_resize_in_place(shape, order):
    a, x = np.zeros((3, 4), order=order), gs.zeros((3, 4), order=order)
    a[...], x[...] = make(), make()
    try:
        a.resize(*shape, refcheck=False)
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            x.resize(*shape)
        assert x.shape == (3, 4)
        return
    assert x.resize(*shape) is None
    assert x.shape == a.shape and (x.strides == a.strides or not a.size)
    np.testing.assert_array_equal(x.numpy(), a)
    if x.size:
        x += 1                                              # the array owns what it has now
        x.resize(40)
        np.testing.assert_array_equal(x.numpy()[: a.size], a.ravel(order) + 1)


def test_resize_is_refused_where_memory_is_shared():
    x = gs.zeros(6)
    view = x[1:]
    for array in (x, view):
        with pytest.raises(ValueError):
            array.resize(9)
    view.resize(5, 1)                                       # the same size: a view of another shape
    assert view.shape == (5, 1)
    x.resize(9, refcheck=False)
    assert x.shape == (9,) and view.size == 5
    a = np.zeros(4)
    with pytest.raises(ValueError):
        gs.asarray(a, device="host").resize(8)
    with pytest.raises(ValueError, match="single-segment"):
        gs.zeros(8)[::2].resize(3)


def test_files_and_bytes(tmp_path):
    a = make((3, 4), "f4").T
    x = gs.asarray(a)
    x.tofile(tmp_path / "raw")
    np.testing.assert_array_equal(np.fromfile(tmp_path / "raw", "f4"), a.ravel())
    x.tofile(tmp_path / "text", sep=" ", format="%.1f")
    assert (tmp_path / "text").read_text().split()[:2] == ["0.0", "4.0"]
    x.dump(tmp_path / "pickle")
    for got in (np.load(tmp_path / "pickle", allow_pickle=True), pickle.loads(x.dumps())):
        assert type(got) is np.ndarray
        np.testing.assert_array_equal(got, a)
    host = x.to_device("host")
    assert isinstance(host.data, memoryview) and host.data.shape == a.shape and host.data.strides == host.strides


def test_memory_of_a_gpu_has_no_memoryview(device):
    if device.kind != "cuda":
        pytest.skip("needs a GPU")
    with pytest.raises(TypeError, match="memoryview"):
        memoryview(gs.zeros(3).data)


def test_views_that_a_kernel_cannot_load(device):
    """Of a wider dtype, from an address that is no multiple of its size: a GPU would stop."""
    x = gs.arange(9, dtype=np.float32, device=device)[1:]
    if device.kind == "cuda":
        with pytest.raises(ValueError, match="copy it first"):
            x.view(np.complex64)
        x = x.copy()
    np.testing.assert_array_equal(x.view(np.complex64).numpy(), np.arange(9, dtype=np.float32)[1:].view(np.complex64))
