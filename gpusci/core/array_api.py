"""What the Array API standard asks of a namespace beside NumPy's names: its version, and an inspection of it."""

import numpy as np

from gpusci.core._dtypes import DTYPES
from gpusci.core.device import current_device, devices

__all__ = ["__array_api_version__", "__array_namespace_info__"]

__array_api_version__ = "2024.12"

_KINDS = {
    "bool": "?", "signed integer": "bhiq", "unsigned integer": "BHIQ", "integral": "bhiqBHIQ", "real floating": "fd",
    "complex floating": "FD", "numeric": "bhiqBHIQfdFD",
}  # fmt: skip


class __array_namespace_info__:
    """Capabilities, devices and dtypes, as the Array API defines them. float16 is beyond the standard and not listed."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        return current_device()

    def devices(self):
        return devices()

    def default_dtypes(self, *, device=None):
        return {"real floating": np.dtype("d"), "complex floating": np.dtype("D"), "integral": DTYPES["q"], "indexing": DTYPES["q"]}

    def dtypes(self, *, device=None, kind=None):
        if kind is None:
            kinds = ["bool", "numeric"]
        else:
            kinds = [kind] if isinstance(kind, str) else list(kind)
        unknown = set(kinds) - set(_KINDS)
        if unknown:
            raise ValueError(f"unsupported kind: {sorted(unknown)}; use one of {', '.join(map(repr, _KINDS))}")
        return {DTYPES[char].name: DTYPES[char] for name in kinds for char in _KINDS[name]}
