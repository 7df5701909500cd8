"""Rule 1 (the kind that comes in goes out), outputs, and the host fallback."""

import collections

import numpy as np
import pytest

import gpusci as gs
from gpusci.core import subpackage
from gpusci.core.dispatch import public

Pair = collections.namedtuple("Pair", "total parts")


@public("x", "more*")
def doubled(x, more=(), output=None, deep=False):
    assert isinstance(x, gs.ndarray) and all(isinstance(m, gs.ndarray) for m in more)
    y = x * 2
    if output is not None:
        output[...] = y
        y = output
    return Pair(y.sum(), {"y": [y], "n": len(more)}) if deep else y


def test_numpy_lists_and_scalars_give_numpy():
    for value in (np.arange(3.0), [0.0, 1.0, 2.0], (0.0, 1.0, 2.0)):
        out = doubled(value)
        assert type(out) is np.ndarray
        np.testing.assert_array_equal(out, [0, 2, 4])
    assert isinstance(doubled(1.5), np.float64) and doubled(x=np.float32(2)) == 4


def test_gpusci_arrays_give_gpusci_arrays_and_win():
    x = gs.arange(3.0)
    assert isinstance(doubled(x), gs.ndarray)
    out = doubled(np.arange(3.0), more=[x, np.arange(2)], deep=True)
    assert isinstance(out, Pair) and isinstance(out.total, gs.ndarray) and isinstance(out.parts["y"][0], gs.ndarray)


def test_results_are_converted_deep():
    out = doubled([1.0, 2.0], deep=True)
    assert isinstance(out, Pair) and out.total == 6.0 and isinstance(out.total, np.float64)
    assert type(out.parts["y"][0]) is np.ndarray and out.parts["n"] == 0


def test_numpy_output_is_written_and_returned():
    out = np.zeros(6)[::2]
    assert doubled(np.arange(3.0), output=out) is out
    np.testing.assert_array_equal(out, [0, 2, 4])
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        doubled(np.arange(3.0), output=frozen)


def test_output_that_aliases_the_input():
    a = np.arange(3.0)
    doubled(a, output=a)
    np.testing.assert_array_equal(a, [0, 2, 4])


def test_other_libraries_arrays_come_back_as_their_kind(device):
    torch = pytest.importorskip("torch")
    t = torch.arange(3.0, dtype=torch.float64)
    if device.kind == "cuda":
        t = t.cuda()
    out = doubled(t)
    assert isinstance(out, torch.Tensor) and out.device == t.device and out.tolist() == [0, 2, 4]


def test_types_that_are_no_arrays():
    with pytest.raises(TypeError, match="not supported"):
        doubled(np.array(["a"]))
    for give in (lambda: doubled(None), lambda: doubled(x=None, more=[gs.zeros(1)])):
        with pytest.raises(TypeError, match="dtype object is not supported"):
            give()
    with pytest.raises(TypeError, match="missing 1 required"):
        doubled(more=[gs.zeros(1)])


def test_host_fallback(monkeypatch):
    find = subpackage.fallback("gpusci.optimize")
    monkeypatch.setattr(subpackage.config, "fallback", "error")
    with pytest.raises(AttributeError, match="gpusci.optimize has no 'nnls' yet; SciPy has it: GPUSCI_FALLBACK=warn runs SciPy's"):
        find("nnls")
    for name in ("no_such_name", "_private"):
        with pytest.raises(AttributeError, match=f"module 'gpusci.optimize' has no attribute '{name}'"):
            find(name)
    monkeypatch.setattr(subpackage.config, "fallback", "warn")
    with pytest.warns(gs.HostFallbackWarning, match="nnls"):
        x, norm = find("nnls")(gs.eye(2), gs.ones(2))
    assert isinstance(x, gs.ndarray)
    np.testing.assert_allclose(x.numpy(), 1)
    with pytest.raises(AttributeError):
        find("no_such_name")
    with pytest.raises(ValueError, match="fallback"):
        subpackage.config.fallback = "loud"


def test_version_specifications():
    assert subpackage.satisfies("0.1.5", ">=0.1,<0.2") and not subpackage.satisfies("0.2.0", ">=0.1,<0.2")
    assert subpackage.satisfies("1.10", ">1.9") and subpackage.satisfies("2.0", "==2.0.0")


def test_a_subpackage_that_does_not_fit_core(monkeypatch):
    import sys
    import types

    module = types.ModuleType("gpusci_misfit")
    module.__version__, module.CORE, module.REQUIRES = "3.0", ">=9", ()
    monkeypatch.setitem(sys.modules, "gpusci_misfit", module)
    with pytest.raises(ImportError, match=r"gpusci_misfit 3\.0 needs gpusci core >=9, but core is 0\.1"):
        subpackage.check("gpusci_misfit")
