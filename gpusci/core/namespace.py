"""What `import gpusci as gs` offers beside the subpackages: NumPy's names, the Array API's, and the custom kernels.

Each module states its public names in `__all__`; this is the list of the modules. `tests/core/test_namespace.py` compares it
with NumPy's.
"""

from types import SimpleNamespace  # noqa: I001  one module a line would be a page

from gpusci.core import (
    algorithms, array_api, creation, custom, editing, einsum, files, functional, fuse, indexing, linear, logic, manipulation,
    numpy_names, padding, polynomial, positions, ranges, reduce, scan, selection, sorting, ufuncs,
)  # fmt: skip

MODULES = (
    array_api, numpy_names, creation, ranges, manipulation, editing, padding, indexing, positions, selection, logic, functional,
    polynomial, files, linear, einsum, ufuncs, reduce, scan, sorting, algorithms, custom, fuse,
)  # fmt: skip

__all__ = ["lib", *(name for module in MODULES for name in module.__all__)]

lib = SimpleNamespace(
    stride_tricks=SimpleNamespace(as_strided=manipulation.as_strided, sliding_window_view=manipulation.sliding_window_view)
)
globals().update({name: getattr(module, name) for module in MODULES for name in module.__all__})
