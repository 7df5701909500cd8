"""The one table of dtypes: SciPy's character, the C++ type in kernels."""

import numpy as np

CPP = {
    "?": "bool", "b": "int8_t", "h": "int16_t", "i": "int32_t", "q": "int64_t",
    "B": "uint8_t", "H": "uint16_t", "I": "uint32_t", "Q": "uint64_t",
    "e": "gpusci::half", "f": "float", "d": "double",
    "F": "gpusci::complex<float>", "D": "gpusci::complex<double>",
}  # fmt: skip
# The 64-bit integers are NumPy's int64 and uint64, whose own characters differ between systems (l on Linux).
DTYPES = {char: np.dtype({"q": np.int64, "Q": np.uint64}.get(char, char)) for char in CPP}
_CPP_BY_STR = {dtype.str[1:]: CPP[char] for char, dtype in DTYPES.items()}
# NumPy names the same 64-bit and 32-bit integers twice (l/q, i/l on other systems); longdouble has no device type.
_ALIASES = {"l": np.dtype(np.int_).str[1:], "L": np.dtype(np.uint).str[1:], "p": "i8", "P": "u8", "g": "f8", "G": "c16"}
_BY_STR = {dtype.str[1:]: dtype for dtype in DTYPES.values()}


def canonical(dtype):
    """The table's dtype for anything NumPy accepts: native byte order, one char per type, longdouble as float64.

    Raises TypeError for dtypes that no kernel has (object, strings, datetimes, records).
    """
    found = _CANONICAL.get(dtype) if type(dtype) not in (list, dict) else None
    if found is not None:
        return found
    dtype = np.dtype(dtype)
    found = _BY_STR.get(_ALIASES.get(dtype.char) or dtype.str[1:])
    if found is None or dtype.kind not in "?biufc":
        raise TypeError(
            f"dtype {dtype} is not supported: gpusci arrays hold bool, integers, float16/32/64 and complex64/128; "
            "convert the data first, for example with astype(float)."
        )
    return found


# Dtypes and the usual ways to name them, answered at once: every allocation asks.
_CANONICAL = {}
for _dtype in DTYPES.values():
    for _name in (_dtype, _dtype.type, _dtype.char, _dtype.name, _dtype.str[1:]):
        _CANONICAL[_name] = _dtype
_CANONICAL |= {bool: DTYPES["?"], float: DTYPES["d"], complex: DTYPES["D"]}


def cpp_name(dtype):
    """C++ type of a dtype in kernels."""
    return _CPP_BY_STR[canonical(dtype).str[1:]]
