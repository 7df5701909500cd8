"""What `import gpusci` offers against NumPy's names, and what the Array API asks of a namespace."""

import collections
import inspect

import numpy as np
import pytest

import gpusci as gs
from gpusci.core import namespace

# NumPy's names that have no place here, by reason.
LEFT_OUT = {
    "dtypes without a device type": """
        asmatrix bmat bytes_ char character clongdouble complex256 datetime64 datetime_as_string datetime_data busday_count
        busday_offset busdaycalendar flexible float128 fromregex is_busday longdouble matrix object_ rec recarray record sctypeDict
        str_ strings timedelta64 void""",
    "NumPy's own machinery": """
        ctypeslib emath f2py flatiter get_include getbufsize geterrcall ma memmap nditer nested_iters polynomial setbufsize
        seterrcall show_config show_runtime test testing typing""",
}
MISSING = {name for names in LEFT_OUT.values() for name in names.split()}


def test_every_name_of_numpy_is_here_or_left_out_for_a_reason():
    absent = {name for name in np.__all__ if not hasattr(gs, name)}
    assert absent == MISSING & set(np.__all__)


def test_names_are_defined_once():
    counts = collections.Counter(namespace.__all__)
    assert not [name for name, n in counts.items() if n > 1]
    assert not [name for name in namespace.__all__ if not hasattr(gs, name)]


@pytest.mark.parametrize("name", [n for n in sorted(np.__all__) if inspect.isfunction(getattr(np, n)) and n not in MISSING])
def test_signatures_are_numpys(name):
    """NumPy's parameters with their kinds and defaults; more may follow."""
    if name in ("info", "genfromtxt", "loadtxt", "savetxt", "array2string", "fromregex"):
        return                          # passed on to NumPy as they are, or the package's own
    ours, theirs = (inspect.signature(getattr(m, name)).parameters for m in (gs, np))
    for key, parameter in theirs.items():
        assert key in ours, f"{name}: parameter {key} is missing"
        default = ours[key].default
        assert repr(default) == repr(parameter.default), f"{name}({key}=): {default!r}, NumPy {parameter.default!r}"
    shared = [key for key in ours if key in theirs]
    assert shared == list(theirs)


def test_array_api():
    info = gs.__array_namespace_info__()
    assert gs.__array_api_version__ == "2024.12" and info.default_device() is gs.current_device()
    assert info.dtypes(kind="real floating") == {"float32": np.dtype("f"), "float64": np.dtype("d")}
    assert set(info.dtypes()) == set(np.__array_namespace_info__().dtypes())
    assert info.capabilities() == np.__array_namespace_info__().capabilities()
    assert set(info.default_dtypes()) == set(np.__array_namespace_info__().default_dtypes()) and gs.get_device("host") in info.devices()
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="text")
    assert gs.zeros(2).__array_namespace__() is gs
