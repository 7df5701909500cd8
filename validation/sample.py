"""One call of one function, drawn from its case: on gpusci and on the reference, and the verdict."""

import copy
import importlib
import zlib
from dataclasses import dataclass, field

import numpy as np

from .arguments import (
    array_leaves,
    changed,
    copy_values,
    each_value,
    literal,
    map_arrays,
    map_type,
    native,
    restride,
    same_bits,
    widen,
)
from .case import Case, ScipySame, ScipyWide
from .draw import Draw, Got, draw_args
from .judge import Verdict, compare


class SpecError(Exception):
    """The spec is wrong, not the function."""


class Library:
    """The side under test: where names are looked up, how arrays get to its device and back.

    keeps_kind: NumPy in, NumPy out; else results are always of `array_type`.
    """

    def __init__(self, module, array_type=None, to_device=None, to_numpy=None, synchronize=None, keeps_kind=True):
        self.module, self.array_type, self.keeps_kind = module, array_type, keeps_kind
        self.to_device, self.to_numpy = to_device, to_numpy
        self.synchronize = synchronize or (lambda: None)

    def find(self, name):
        return find(self.module, name)


def find(module, name):
    """The object of a dotted public name; submodules are imported on the way."""
    found = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(f"{found.__name__}.{part}")
            except (ImportError, AttributeError):
                raise SpecError(f"{module.__name__} has no {name}") from None
    return found


@dataclass
class Suite:
    """The cases of one subpackage, with both sides to run them on."""

    name: str
    cases: list
    library: Library
    reference: object                      # the module that is mirrored, or None
    differences: dict = field(default_factory=dict)

    def __post_init__(self):
        counts = {}
        ids = set()
        self.rows = []                     # (case, id)
        for case in self.cases:
            if not isinstance(case, Case):
                raise SpecError(f"{self.name}: CASES holds a {type(case).__name__}, not a Case")
            number = counts.get(case.name, 0)
            counts[case.name] = number + 1
            key = (case.name, case.id or str(number))
            if key in ids:
                raise SpecError(f"{self.name}: two cases of {case.name} have the id {key[1]!r}")
            if case.differs is not None and case.differs not in self.differences:
                raise SpecError(f"{self.name}.{case.name}: differs={case.differs!r} is no key of DIFFERENCES")
            if self.reference is None and not callable(case.ref):
                raise SpecError(f"{self.name}.{case.name}: {self.name} mirrors no module, so the case needs a ref= function")
            ids.add(key)
            self.rows.append((case, key[1]))


def seed_of(suite, case, ident, dtype, variant, number, seed):
    text = f"{suite}.{case.name}/{ident}/{dtype}/{variant}/{number}/{seed}"
    return zlib.crc32(text.encode())


@dataclass
class Sample:
    """One call: its arguments, drawn anew (and alike) each time they are asked for."""

    suite: Suite
    case: Case
    ident: str
    dtype: str
    variant: str
    number: int
    seed: int = 0

    @property
    def key(self):
        return f"{self.case.name}/{self.ident}/{self.dtype}/{self.variant}/{self.number}"

    def arguments(self):
        """(positional, keywords), fresh arrays at every call. Edge and bad-input rows are not drawn."""
        if self.variant == "edge":
            fixed = {k: v for k, v in self.case.arguments.keywords.items() if not isinstance(v, Draw)}
            row = self.case.edges[self.number]
            typed = [_edge_value(v, self.dtype) for v in (row if isinstance(row, tuple) else (row,))]
            return tuple(typed), copy.deepcopy(fixed)
        rng = np.random.default_rng(seed_of(self.suite.name, self.case, self.ident, self.dtype, self.variant, self.number,
                                            self.seed))
        row = self.case.arguments
        if self.variant == "raises":
            row = self.case.raises[self.number]
        elif self.variant == "bench":
            row = self.case.bench
        scalar = self.variant == "plain" and self.number == 1
        got = Got(rng, self.dtype, self.variant, scalar, self.case.length)
        positional, keywords = draw_args(row, got)
        if self.variant == "strided":
            positional, keywords = map_arrays((positional, keywords), lambda a: restride(rng, a))
        return copy_values(positional), copy_values(keywords)

    def run(self):
        """Verdict on this sample."""
        if self.variant == "raises":
            return self._run_raises()
        library, case = self.suite.library, self.case
        ours, theirs = self.arguments(), self.arguments()
        before = copy_values(theirs)
        same, failed = self._reference(theirs)
        truth_args = copy_values(before)
        f = library.find(case.name)
        try:
            got = self._call(f, *self._given(ours))
        except Exception as error:
            if failed is not None and isinstance(error, public_type(failed)):
                return Verdict()
            return self._raises_else(error, failed)
        if failed is not None:
            return Verdict("raises", f"returns where {self._whose} raises {type(failed).__name__}: {failed}")
        try:
            true = same if self._own else self._truth(truth_args, same)
            measure = case.measure.given(before)
            verdict = self._kind(got, same) or compare(self._home(got), same, true, measure, self._is_wide)
            if verdict.ok and callable(case.ref) and not self._own and self.variant != "edge":
                verdict.scipy = compare(same, same, true, measure).errors
            return verdict if not verdict.ok else self._inputs(ours, theirs, before) or verdict
        except (TypeError, ValueError, SpecError) as error:
            return Verdict("spec", f"{type(error).__name__}: {error}")

    def _run_raises(self):
        own, theirs = self.arguments(), self.arguments()
        _, failed = self._reference(theirs)
        if failed is None:
            return Verdict("spec", f"{self._whose} does not raise on raises[{self.number}], {self.case.raises[self.number]}")
        try:
            got = self._call(self.suite.library.find(self.case.name), *own)
        except Exception as error:
            if isinstance(error, public_type(failed)) and str(error):
                return Verdict()
            return self._raises_else(error, failed)
        return Verdict("raises", f"returns {_short(got)} where {self._whose} raises {type(failed).__name__}: {failed}")

    def _raises_else(self, error, failed):
        theirs = "does not" if failed is None else f"raises {type(failed).__name__}: {failed}"
        return Verdict("raises", f"raises {type(error).__name__}: {error}; {self._whose} {theirs}")

    @property
    def _own(self):
        """Whether the case's own reference says what is right, in place of the mirrored function."""
        return self.case.differs is not None or self.suite.reference is None

    @property
    def _whose(self):
        return "the case's reference" if self._own else self.suite.reference.__name__

    @property
    def _is_wide(self):
        return self.case.ref is None or isinstance(self.case.ref, ScipyWide)

    def _call(self, f, positional, keywords):
        positional, keywords = positional, dict(keywords)
        case = self.case
        result = case.call(f, *positional, **keywords) if case.call else f(*positional, **keywords)
        return case.post(result, *positional, **keywords) if case.post else result

    def _reference(self, arguments):
        """(result, None) or (None, the exception) of SciPy, or of the case's own reference where SciPy is not right."""
        case, suite = self.case, self.suite
        arguments = native(arguments) if self.variant == "byteorder" else arguments
        try:
            if self._own:
                return case.ref(*arguments[0], **arguments[1]), None
            return self._call(find(suite.reference, case.name), *arguments), None
        except SpecError:
            raise
        except Exception as error:
            return None, error

    def _truth(self, arguments, same):
        """What the value is held against; `same` where there is nothing better."""
        ref = self.case.ref
        if isinstance(ref, ScipySame) or self.variant == "edge":
            return same
        if not self._is_wide:
            return ref(*arguments[0], **arguments[1])
        wide = map_arrays(arguments, widen)
        if not changed(arguments, wide):
            return same
        try:
            return self._call(find(self.suite.reference, self.case.name), *wide)
        except Exception:
            return same

    def _given(self, arguments):
        """The arguments as the variant hands them to gpusci."""
        library = self.suite.library
        if self.variant == "device" and library.to_device is not None:
            return map_arrays(arguments, library.to_device)
        if self.variant == "byteorder":
            return map_arrays(arguments, lambda a: a.astype(a.dtype.newbyteorder(">")))
        return arguments

    def _kind(self, got, same):
        """Arrays in, arrays of that kind out."""
        library = self.suite.library
        if library.array_type is None or self.case.post is not None or self.case.call is not None:
            return None
        wanted = self.variant == "device" and any(isinstance(v, np.ndarray) for v in each_value(self.arguments()))
        wanted = wanted or not library.keeps_kind
        for leaf in array_leaves(got):
            if isinstance(leaf, library.array_type) != wanted and getattr(leaf, "ndim", 0):
                kind = "gpusci" if wanted else "NumPy"
                return Verdict("kind", f"the result is a {type(leaf).__module__}.{type(leaf).__name__}, not a {kind} array")
        return None

    def _home(self, value):
        """Results as NumPy has them: on the host, and scalars where 0-d arrays of a device stand for them."""
        library = self.suite.library
        if library.array_type is None:
            return value
        return map_type(value, library.array_type, lambda x: library.to_numpy(x) if x.ndim else library.to_numpy(x)[()])

    def _inputs(self, ours, theirs, before):
        """Inputs that SciPy leaves alone stay as they were."""
        if self.variant == "device" or any(k.startswith("overwrite") for k in theirs[1]):
            return None
        for a, b, old in zip(each_value(ours), each_value(theirs), each_value(before)):
            if isinstance(b, np.ndarray) and b.dtype.kind in "biufc" and same_bits(b, old) and not same_bits(a, old):
                return Verdict("input", "an input array was changed, which SciPy leaves alone")
        return None


def _edge_value(value, dtype):
    """Edge rows are written with Python numbers; floats take the dtype under test."""
    if type(value) in (int, float, complex) and not isinstance(value, bool):
        return np.dtype(dtype).type(value)
    return copy_values(value)


def _short(value):
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."


def public_type(error):
    """The nearest class a user can name in an except clause."""
    for kind in type(error).__mro__:
        if not kind.__name__.startswith("_") and not any(p.startswith("_") for p in kind.__module__.split(".")):
            return kind
    return Exception


def reproducer(package, sample, worst):
    """One runnable line that shows the worst element: with its values where they are few, else by its key."""
    positional, keywords = sample.arguments()
    _, _, flat, _, _ = worst
    arrays = [v for v in (*positional, *keywords.values()) if isinstance(v, np.ndarray)]
    case = sample.case
    pointwise = hasattr(case.measure, "floor") and all(a.ndim == 1 and a.shape == arrays[0].shape for a in arrays)
    if pointwise and arrays and flat < arrays[0].size:
        pick = lambda v: v[flat] if isinstance(v, np.ndarray) else v
        positional, keywords = tuple(map(pick, positional)), {k: pick(v) for k, v in keywords.items()}
        arrays = []
    if case.call is None and case.post is None and sum(a.size for a in arrays) <= 24:
        text = ", ".join([*map(literal, positional), *(f"{k}={literal(v)}" for k, v in keywords.items())])
        if "<" not in text:
            module, _, name = f"{package}.{case.name}".rpartition(".")
            return f'python -c "import numpy as np; from {module} import {name}; print({name}({text}))"'
    return f"python -m validation {sample.suite.name} --replay '{sample.key}' --seed {sample.seed}"
