"""NumPy's own objects under NumPy's names: types, constants, questions about dtypes, settings, text of numbers."""

import numpy as np

from gpusci.core.ufunc import Ufunc as ufunc  # NumPy's name for the class

OWN = [
    "False_", "ScalarType", "True_", "base_repr", "binary_repr", "bool", "bool_", "byte", "cdouble", "complex128", "complex64",
    "complexfloating", "csingle", "double", "dtype", "dtypes", "e", "errstate", "euler_gamma", "exceptions", "finfo",
    "float16", "float32", "float64", "floating", "format_float_positional", "format_float_scientific", "generic",
    "get_printoptions", "geterr", "half", "iinfo", "index_exp", "inexact", "inf", "int16", "int32", "int64", "int8", "int_",
    "intc", "integer", "intp", "isdtype", "issubdtype", "iterable", "little_endian", "long", "longlong", "mintypecode", "nan",
    "ndindex", "newaxis", "number", "pi", "printoptions", "promote_types", "s_", "set_printoptions", "seterr", "short",
    "signedinteger", "single", "typecodes", "typename", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uintc",
    "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort",
]  # fmt: skip
__all__ = ["ufunc", *OWN]

globals().update({name: getattr(np, name) for name in OWN})
