"""Running cases: every sample of every row, summed up. Knows no function by name."""

import importlib
import time
import types
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .arguments import map_arrays
from .case import VARIANTS
from .judge import Verdict
from .sample import Library, Sample, SpecError, Suite, find

DRAWS = {"plain": 1.0, "strided": 0.34, "empty": 0, "single": 0, "device": 0, "byteorder": 0}    # share of n; at least 1


@dataclass
class Row:
    """The outcome of one case for one dtype."""

    function: str
    case: str
    dtype: str
    measure: str
    ceiling: float | None
    samples: int = 0
    errors: list = field(default_factory=list)      # in eps, all elements
    failures: list = field(default_factory=list)    # (stage, sample key, message)
    worst: dict | None = None
    scipy: float | None = None                      # SciPy's own largest error, where the truth is not SciPy's
    seconds: tuple | None = None                    # (gpusci, reference)

    @property
    def key(self):
        return f"{self.function}/{self.case}/{self.dtype}"

    def largest(self):
        return max(self.errors, default=0.0)


def samples(suite, case, ident, dtype, seed=0, scale=1.0):
    """All samples of a case for one dtype."""
    skip = set(case.skip)
    if suite.library.to_device is None:
        skip.add("device")
    for variant in VARIANTS:
        if variant in skip:
            continue
        count = max(1, round(case.n * DRAWS[variant] * scale))
        for number in range(count):
            yield Sample(suite, case, ident, dtype, variant, number, seed)
    for number in range(len(case.edges)):
        yield Sample(suite, case, ident, dtype, "edge", number, seed)
    if dtype == case.dtypes[0]:
        for number in range(len(case.raises)):
            yield Sample(suite, case, ident, dtype, "raises", number, seed)


def run_case(suite, case, ident, dtype, seed=0, scale=1.0, timing=False):
    """The Row of a case for one dtype."""
    row = Row(case.name, ident, dtype, repr(case.measure), None)
    with quiet():
        for sample in samples(suite, case, ident, dtype, seed, scale):
            try:
                verdict = sample.run()
            except SpecError as error:
                verdict = Verdict("spec", str(error))
            row.samples += 1
            row.errors += verdict.errors
            if verdict.scipy:
                row.scipy = max(row.scipy or 0.0, *verdict.scipy)
            if not verdict.ok:
                row.failures.append((verdict.stage, sample.key, verdict.message))
            if verdict.worst and (row.worst is None or verdict.worst[0] > row.worst["error"]):
                row.worst = {"error": verdict.worst[0], "sample": sample, "at": verdict.worst}
        if timing and case.bench is not None and not row.failures:
            row.seconds = measure_time(Sample(suite, case, ident, dtype, "bench", 0, seed))
    chars = [c for c in case.measure.ceilings if c == np.empty(0, dtype).real.dtype.char]
    row.ceiling = case.measure.ceilings[chars[0]] if chars else None
    return row


class quiet:
    """SciPy's and NumPy's warnings about the special values we feed them say nothing here."""

    def __enter__(self):
        self.caught, self.state = warnings.catch_warnings(), np.errstate(all="ignore")
        self.caught.__enter__()
        self.state.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, *error):
        self.state.__exit__(*error)
        self.caught.__exit__(*error)


def measure_time(sample, budget=0.4):
    """(gpusci, reference) seconds of the best call; arrays are on the device before the clock starts."""
    library, case = sample.suite.library, sample.case
    arguments = sample.arguments()
    ours = map_arrays(arguments, library.to_device) if library.to_device else arguments
    f = library.find(case.name)

    def best(call):
        times, start = [], time.perf_counter()
        call()
        while len(times) < 3 or (time.perf_counter() - start < budget and len(times) < 50):
            t = time.perf_counter()
            call()
            times.append(time.perf_counter() - t)
        return min(times)

    def run_ours():
        sample._call(f, *ours)
        library.synchronize()

    try:
        mirrored = find(sample.suite.reference, case.name) if sample.suite.reference is not None else None
    except SpecError:                               # a name of our own: nothing to race
        mirrored = None
    theirs = best(lambda: sample._call(mirrored, *arguments)) if mirrored is not None else None
    return best(run_ours), theirs


def run_suite(suite, pattern=None, seed=0, scale=1.0, timing=False, progress=None):
    """Rows of all cases whose function name matches the compiled regex `pattern`."""
    rows = []
    for case, ident in suite.rows:
        if pattern is not None and not pattern.search(case.name):
            continue
        for dtype in case.dtypes:
            rows.append(run_case(suite, case, ident, dtype, seed, scale, timing))
            if progress is not None:
                progress(rows[-1])
    return rows


def sample_at(suite, key, seed=0):
    """The Sample of a key such as 'gaussian_filter/0/f/strided/3'."""
    name, ident, dtype, variant, number = key.split("/")
    for case, found in suite.rows:
        if (case.name, found) == (name, ident):
            return Sample(suite, case, ident, dtype, variant, int(number), seed)
    raise SpecError(f"{suite.name} has no case {name}/{ident}")




def load_suite(name):
    """The Suite of an installed subpackage; "numpy" is the NumPy-like namespace `gpusci` itself. Needs its `_spec.py`."""
    import gpusci as gs
    from gpusci.core import subpackage

    module = gs if name == "numpy" else subpackage.load(name)
    spec_name = "gpusci.core._spec" if name == "numpy" else f"{module.__name__}._spec"
    try:
        spec = importlib.import_module(spec_name)
    except ModuleNotFoundError as error:
        if error.name != spec_name:
            raise
        raise SpecError(f"{name} has no {spec_name}") from None
    library = Library(module, gs.ndarray, gs.asarray, gs.asnumpy, lambda: gs.current_device().synchronize(),
                      keeps_kind=name != "numpy")
    return Suite(name, list(spec.CASES), library, mirror_of(module, name), getattr(spec, "DIFFERENCES", {}))


class Mirror:
    """The modules that a subpackage mirrors, as one: SciPy's, then NumPy's of the same name (linalg has names of both)."""

    def __init__(self, modules):
        self._modules, self.__name__ = modules, modules[0].__name__

    def __getattr__(self, name):
        for module in self._modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"{self.__name__} has no {name}")


def mirror_of(module, name):
    """The Mirror of a subpackage; None for one that mirrors nothing."""
    first = getattr(module, "MIRRORS", "numpy" if name == "numpy" else f"scipy.{name}")
    if first is None:
        return None
    also = getattr(np, name, None)
    return Mirror([importlib.import_module(first), *([also] if isinstance(also, types.ModuleType) else [])])


def suite_names():
    """Subpackages that have a `_spec.py`."""
    from gpusci.core import subpackage

    found = []
    for name in ("numpy", *subpackage.names()):
        try:
            load_suite(name)
        except (SpecError, ModuleNotFoundError):
            continue
        found.append(name)
    return found


def record_path(name):
    """Where the measured record of a subpackage lies."""
    from gpusci.core import subpackage

    if name == "numpy":
        return Path(subpackage.__file__).parent / "accuracy.json"
    return Path(subpackage.load(name).__file__).parent / "accuracy.json"
