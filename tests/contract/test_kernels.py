"""Every kernel row compiles with both compilers, and a new size compiles nothing."""

import numpy as np
import pytest

from gpusci.core import compiler, subpackage, warm
from gpusci.core.device import current_device
from validation.arguments import copy_values, map_arrays
from validation.run import load_suite, quiet
from validation.sample import Sample, SpecError

ROWS = warm.load_rows()
JOBS = [(number, job) for number, row in enumerate(ROWS) for kind in ("host", "cuda") for job in warm.row_jobs(row, kind)]


def label(job):
    entry = job.source.partition("ENTRY(")[2].rpartition(")")[0]
    return f"{job.kind}-{warm.owner(job.source)}-{entry.partition(', ')[2]}".replace(" ", "")


def test_every_row_lists_a_first_signature():
    assert ROWS
    assert [row.name for row in ROWS if not row.first] == []


@pytest.mark.parametrize("number, job", JOBS, ids=[f"{i}-{label(job)}" for i, (_, job) in enumerate(JOBS)])
def test_first_signatures_compile(number, job):
    if job.kind == "host":
        compiler.compile_host(job.source, name=job.name)
        return
    for arch, every in compiler.CI_ARCHS.items():
        if number % every == 0:
            assert compiler.compile_cuda(job.source, name=job.name, arch=arch)[:4] == b"\x7fELF"


def trimmed(arguments, by):
    """The same call with arrays that are a little shorter everywhere: another size of the same kind."""
    def trim(a):
        return np.ascontiguousarray(a[tuple(slice(None, n - by if n > 2 * by + 4 else n) for n in a.shape)])
    return map_arrays(arguments, trim)


def cases():
    for name in subpackage.names():
        try:
            suite = load_suite(name)
        except (SpecError, ModuleNotFoundError):
            continue
        for case, ident in suite.rows:
            yield pytest.param(suite, case, ident, id=f"{name}.{case.name}-{ident}")


def _valid_sample(suite, case, ident):
    """The first of a few samples that is no bad input (limits that leave no value, say)."""
    for number in range(5):
        sample = Sample(suite, case, ident, case.dtypes[0], "plain", number)
        try:
            sample._call(suite.library.find(case.name), *copy_values(sample.arguments()))
            return sample
        except Exception:
            if number == 4:
                raise


@pytest.mark.parametrize("suite, case, ident", list(cases()))
def test_a_new_size_compiles_nothing(suite, case, ident, monkeypatch):
    """Sizes are run-time arguments. Three sizes may use all of a function's variants; two more must find them loaded.
    The ends come first: a length that is given as a number (n= of fft) may lie between them."""
    device, loads = current_device(), []
    load = type(device).load

    def counted(self, entry, *args, **kwargs):
        loads.append(entry)
        return load(self, entry, *args, **kwargs)

    monkeypatch.setattr(type(device), "load", counted)
    with quiet():
        sample = _valid_sample(suite, case, ident)
        for turn, by in enumerate((0, 3, 4, 1, 2)):
            arguments = trimmed(sample.arguments(), by)
            before = len(loads)
            try:
                sample._call(suite.library.find(case.name), *copy_values(arguments))
            except Exception:
                if by == 0:
                    raise
                continue                    # lengths that must agree with a number no longer do
            assert turn < 3 or len(loads) == before, f"{loads[-1]} compiled for a new size"
