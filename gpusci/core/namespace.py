"""What `import gpusci as gs` offers beside the subpackages: NumPy's names, the Array API's, and the custom kernels.

Each module states its public names in `__all__`; this is the list of the modules.
"""

import importlib
from types import SimpleNamespace

from gpusci.core import manipulation

_MODULES = (
    "array_api", "numpy_names", "creation", "ranges", "manipulation", "editing", "padding", "indexing", "positions",
    "selection", "logic", "functional", "polynomial", "files", "linear", "einsum", "ufuncs", "reduce", "scan", "sorting",
    "algorithms", "custom", "fuse",
)  # fmt: skip
__all__ = ["lib"]
for _name in _MODULES:
    try:
        _module = importlib.import_module(f"gpusci.core.{_name}")
    except ModuleNotFoundError:             # until every module is written
        continue
    for _key in _module.__all__:
        globals()[_key] = getattr(_module, _key)
        __all__.append(_key)

lib = SimpleNamespace(
    stride_tricks=SimpleNamespace(as_strided=manipulation.as_strided, sliding_window_view=manipulation.sliding_window_view)
)
