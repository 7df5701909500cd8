"""Placeholder until the namespace engineer replaces it: re-exports what exists already."""
import importlib

__all__ = []
for _name in ("creation", "ranges", "manipulation", "indexing", "selection", "padding", "logic", "linear", "einsum", "functional", "polynomial", "files", "custom", "fuse", "reduce", "scan", "sorting", "algorithms", "ufuncs"):
    try:
        _m = importlib.import_module(f"gpusci.core.{_name}")
    except ModuleNotFoundError:
        continue
    for _k in getattr(_m, "__all__", ()):
        globals()[_k] = getattr(_m, _k)
        __all__.append(_k)
