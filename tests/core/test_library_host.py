"""`host_first`: which function runs, on what, and in which kind its result comes back."""

import inspect
import pickle
import sys
from typing import NamedTuple

import numpy as np
import pytest

import gpusci as gs
from gpusci.core.device import current_device
from gpusci.core.libraries import host

HERE = sys.modules[__name__]
seen = []


class Pair(NamedTuple):
    total: object
    parts: object


def look(x, y=None, flag=False):
    """Stands for SciPy's function: notes what it was given."""
    seen[:] = [x, y, flag]
    return Pair(np.float64(3), [np.ones(2, "f"), None, "text"])


def _run(function, x, y=None, flag=False):
    return function(x, y, flag="run")


HERE.host_look = look


@host.host_first(__name__, "x", "y", name="host_look")
def ours(x, y=None, flag=False):
    """The device's way."""
    seen[:] = ["device", x, y, flag]
    return x


@host.host_first(__name__, "x", "y", name="host_look", run=_run)
def ours_run(x, y=None, flag=False):
    return x


on_numpy = pytest.mark.skipif(not current_device().uses_numpy, reason="the device does not use NumPy")


@on_numpy
def test_numpy_arguments_are_handed_over_as_they_are():
    x, y = np.ones(3, "g"), [1.0, [2, 3]]
    result = ours(x, y, flag=5)
    assert seen[0] is x and seen[1] is y and seen[2] == 5
    assert type(result) is Pair and type(result.total) is np.float64 and type(result.parts[0]) is np.ndarray
    ours_run(x)
    assert seen[0] is x and seen[2] == "run"


@on_numpy
@pytest.mark.parametrize("function", [ours, ours_run])
def test_our_arrays_are_seen_as_numpy_views(function):
    x = gs.arange(4.0)
    result = function(x, y=[x, 2.0])
    assert type(seen[0]) is np.ndarray and np.shares_memory(seen[0], x.numpy())
    assert type(seen[1][0]) is np.ndarray and seen[1][1] == 2.0
    assert type(result) is Pair and type(result.total) is gs.ndarray and result.total.shape == ()
    assert type(result.parts[0]) is gs.ndarray and result.parts[1:] == [None, "text"]


@on_numpy
def test_foreign_byte_order_becomes_native_and_mixed_kinds_are_ours():
    ours(np.arange(3.0).astype(">f8"))
    assert seen[0].dtype.isnative and seen[0].tolist() == [0, 1, 2]
    assert type(ours(np.ones(2), gs.ones(2)).total) is gs.ndarray and type(seen[1]) is np.ndarray
    ours(None, gs.ones(2))
    assert seen[0] is None


def test_the_body_is_the_way_of_other_devices(monkeypatch):
    monkeypatch.setattr(current_device(), "uses_numpy", False)
    x = gs.ones(2)
    assert ours(x, flag=1) is x and seen[0] == "device" and seen[1] is x
    assert type(ours(np.ones(2))) is np.ndarray and type(seen[1]) is gs.ndarray
    ours([x, x])
    assert type(seen[1]) is gs.ndarray and seen[1].shape == (2, 2)
    with pytest.raises(TypeError, match="argument"):
        ours()


@pytest.mark.parametrize("uses_numpy", [True, False])
def test_what_no_array_of_ours_holds_is_the_hosts_on_every_device(monkeypatch, uses_numpy):
    monkeypatch.setattr(current_device(), "uses_numpy", uses_numpy)
    dates, words = np.array(["2020-01-01"], "M8[D]"), ["a", "b"]
    for value in (np.ones(2, "g"), np.ones(2, "G"), dates, words, np.array([1, None]), np.longdouble(1), "text", [1, "a"]):
        assert type(ours(value).parts[0]) is np.ndarray
        assert seen[0] is value
    assert type(ours(words, gs.ones(2)).total) is gs.ndarray and type(seen[1]) is np.ndarray
    ours(np.array([1.0, 2.0]).astype("e"))
    assert (seen[0] == "device") is not uses_numpy


def test_it_looks_like_the_function_it_decorates():
    assert ours.__name__ == "ours" and ours.__doc__ == "The device's way." and ours.gpusci_status == "library"
    assert list(inspect.signature(ours).parameters) == ["x", "y", "flag"]
    assert pickle.loads(pickle.dumps(ours)) is ours
    with pytest.raises(TypeError):
        ours(np.ones(2), unknown=1)


def test_what_a_compiled_library_takes():
    x = np.ones((4, 6))
    assert all(host.is_ready(a) for a in (x, x.astype("f"), x + 0j, x[::-2, 1::3], x.T))
    shifted = np.zeros(x.nbytes + 1, np.uint8)[1:].view(float)
    not_ready = x.astype(">f8"), shifted, x.astype("g"), x.astype("e"), x.astype(int), x.tolist(), gs.ones(2), np.asmatrix(x)
    assert not any(host.is_ready(a) for a in not_ready)
