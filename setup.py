"""Builds the Cython extensions. Everything else stands in pyproject.toml."""

from glob import glob

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

HEADERS = glob("gpusci/core/include/gpusci/*.h")

extensions = [
    Extension(
        path[:-4].replace("/", "."),
        [path],
        language="c++",
        include_dirs=[numpy.get_include(), "gpusci/core/include"],
        depends=HEADERS,
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        # No -march=native: the extension is in the wheel. Kernels are compiled on the user's machine, for it.
        extra_compile_args=["-std=c++17", "-O3", "-pthread", "-ffp-contract=off"],
        extra_link_args=["-pthread"],
    )
    for path in sorted(glob("gpusci/**/*.pyx", recursive=True))
]

setup(ext_modules=cythonize(extensions, build_dir="build/cython", compiler_directives={"language_level": "3"}))
