"""A sample of every validation case, on the current device. `make validate` runs all of them."""

import math

import pytest

from gpusci.core import subpackage
from gpusci.core.device import current_device
from validation import record, report
from validation.run import load_suite, record_path, run_case
from validation.sample import SpecError

REFERENCES = ("mpmath", "flint")            # a machine with a GPU may lack them; whoever runs `make test` has them


def rows():
    for name in ("numpy", *subpackage.names()):
        try:
            suite = load_suite(name)
        except (SpecError, ModuleNotFoundError):
            continue                        # tests/contract says so
        for case, ident in suite.rows:
            yield pytest.param(name, suite, case, ident, id=f"{name}.{case.name}-{ident}")


@pytest.mark.parametrize("name, suite, case, ident", list(rows()))
def test_case(name, suite, case, ident):
    known, kind = record.load(record_path(name)), record.kind_of(current_device())
    for dtype in case.dtypes:
        try:
            row = run_case(suite, case, ident, dtype, scale=0.34)
        except ModuleNotFoundError as error:
            if error.name not in REFERENCES:
                raise
            pytest.skip(f"its reference needs {error.name}, which is not installed")
        found = report.summarise(row, suite, kind, known, "gpusci" if name == "numpy" else f"gpusci.{name}")
        assert found["verdict"] == "pass", "\n".join(
            [f"{f['stage']} {f['sample']}: {f['message']}" for f in found["failures"][:5]] + [found["reproducer"]])


@pytest.mark.parametrize("name", ["numpy", *subpackage.names()])
def test_records_are_numbers(name):
    """A record that is NaN would bind nothing."""
    for kind in record.load(record_path(name)).values():
        wrong = [key for key, row in kind.items() if not (0 <= row["p99"] <= row["max"] < math.inf)]
        assert wrong == []
