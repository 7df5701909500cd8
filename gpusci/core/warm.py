"""Which kernels CI and `gpusci warm` compile: the first signatures of every row."""

import importlib
import re

from gpusci.core import subpackage
from gpusci.core._dtypes import DTYPES
from gpusci.core.compiler import Job, cuda_options
from gpusci.core.kernel import BlockKernel, rows

__all__ = ["find_row", "folder", "load_rows", "owner", "row_jobs", "row_options"]


def load_rows(names=()):
    """Import the kernel rows of the named subpackages (all without names), and of core. Returns all rows made so far."""
    import gpusci  # noqa: F401  core's own rows

    for name in names or subpackage.names():
        module = subpackage.load(name)
        kernels = f"{module.__name__}._kernels"
        try:
            importlib.import_module(kernels)
        except ModuleNotFoundError as error:
            if error.name != kernels:               # a subpackage need not have kernels of its own
                raise
    return rows()


def owner(source):
    """The subpackage whose header a kernel's source is from, "core" for core's."""
    folders = {header.split("/")[0] for header in re.findall(r'#include "([^"]+)"', source)}
    return next(iter(sorted(folders - {"gpusci"})), "core")


def folder(name):
    """What `owner` calls a subpackage: its own name, or the package's of one from outside (gpusci_optics)."""
    return subpackage.load(name).__name__.removeprefix("gpusci.").partition(".")[0] if name in subpackage.names() else name


def row_jobs(row, kind, arch="sm_90"):
    """One Job for each of the row's first signatures; none for a block kernel on the host, which only a GPU runs."""
    if kind == "host" and isinstance(row, BlockKernel):
        return []
    return [Job(kind, row.source(first), row.name, arch, row_options(row, first) if kind == "cuda" else ()) for first in row.first]


def row_options(row, first):
    """What a GPU compiles this signature with."""
    template = tuple(DTYPES.get(t, t) for t in first.split()) if isinstance(first, str) else first
    return cuda_options(row.exact is not None and row.exact(template))


def find_row(name):
    """The row of a name, or of "subpackage.name" where several share it. LookupError names near ones."""
    import difflib

    package, _, short = name.rpartition(".")
    found = [row for row in load_rows() if row.name == short or _functor(row) == short]
    if package:
        found = [row for row in found if any(owner(job.source) == folder(package) for job in row_jobs(row, "cuda"))]
    if not found:
        names = {row.name for row in rows()} | {_functor(row) for row in rows()} - {None}
        near = difflib.get_close_matches(short, names, 5)
        raise LookupError(f"no kernel row {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
    return found[0]


def _functor(row):
    """Name of the functor that an element-wise row is for."""
    for first in row.first:
        if not isinstance(first, str) and hasattr(first[0], "header"):
            return first[0].name.removeprefix("op::")
    return None
