"""Comparing one result with the reference's: structure, dtype, shape, finite pattern, value, in that order."""

from dataclasses import dataclass, field

import numpy as np

from .metric import kinds, rounded_kinds


@dataclass
class Verdict:
    """What one sample showed. Errors are in eps.

    `stage` is where it failed, None where it did not: "raises", "structure", "dtype", "shape", "pattern", "value", "input" (an
    array was changed), "kind" (of the result's arrays) or "spec" (the case itself is wrong).
    """

    stage: str | None = None
    message: str = ""
    errors: list = field(default_factory=list)
    worst: tuple | None = None              # (error, leaf name, flat index, got, true)
    scipy: list = field(default_factory=list)       # SciPy's own errors, where the truth is not SciPy's

    @property
    def ok(self):
        return self.stage is None


def leaves(value, name="result"):
    """[(name, leaf)] of a result: arrays, scalars, strings, None. Structure becomes leaves too, so it is compared."""
    if isinstance(value, np.ndarray) or np.isscalar(value) or value is None or isinstance(value, (np.generic, slice)):
        return [(name, value)]
    if hasattr(value, "toarray") and hasattr(value, "format"):
        return [(f"{name}.format", value.format), (name, np.asarray(value.toarray()))]
    if isinstance(value, dict):
        items = [(f"{name}[{key!r}]", item) for key, item in sorted(value.items(), key=lambda kv: str(kv[0]))]
        return [(f"keys of {name}", str([key for key, _ in items]))] + _flat(items)
    if isinstance(value, (tuple, list)):
        fields = getattr(value, "_fields", None)
        label = f"namedtuple{fields}" if fields else f"{type(value).__name__} of {len(value)}"
        return [(f"structure of {name}", label)] + _flat((f"{name}[{i}]", item) for i, item in enumerate(value))
    if isinstance(value, (np.dtype, type)):
        return [(name, str(value))]
    raise TypeError(f"{name} is a {type(value).__name__}, which cannot be compared; give the case a post= that turns it "
                    "into arrays")


def _flat(items):
    return [leaf for name, item in items for leaf in leaves(item, name)]


def compare(got, same, true, measure, wide=False):
    """Verdict on a result. `same`: SciPy's on the same arguments; `true`: what the value is held against.

    wide: `true` is SciPy's own in wider precision; then integers and exact comparisons are held against `same`, since
    a value rounded differently may be ordered differently.
    """
    ours, theirs, truth = leaves(got), leaves(same), leaves(true)
    structure = [name for name, _ in ours], [name for name, _ in theirs]
    if structure[0] != structure[1]:
        return Verdict("structure", f"{_first_difference(*structure)}")
    if len(truth) != len(theirs):
        # A truth without SciPy's structure (a reference of our own, or counts that differ in wider precision).
        arrays = [i for i, (_, leaf) in enumerate(theirs) if not isinstance(leaf, str)]
        if len(truth) != len(arrays):
            truth = theirs
        else:
            spread = dict(zip(arrays, truth))
            truth = [spread.get(i, leaf) for i, leaf in enumerate(theirs)]
    out = Verdict()
    for (name, a), (_, b), (_, t) in zip(ours, theirs, truth):
        verdict = compare_leaf(name, a, b, b if wide and (not measure.ceilings or _is_whole(b)) else t, measure)
        if not verdict.ok:
            return verdict
        out.errors += verdict.errors
        if verdict.worst and (out.worst is None or verdict.worst[0] > out.worst[0]):
            out.worst = verdict.worst
    return out


def _first_difference(ours, theirs):
    for a, b in zip(ours, theirs):
        if a != b:
            return f"{a} where {b} is expected"
    return f"{len(ours)} parts where {len(theirs)} are expected"


def _is_whole(value):
    return not _is_text(value) and np.asarray(value).dtype.kind in "biu"


def _is_text(value):
    return value is None or isinstance(value, (str, slice)) or np.asarray(value).dtype.kind in "SUOM"


def compare_leaf(name, got, same, true, measure):
    """Verdict on one array or scalar."""
    if _is_text(got) or _is_text(same):
        if isinstance(same, np.ndarray) and isinstance(got, np.ndarray):
            equal = got.shape == same.shape and got.tolist() == same.tolist()
        else:
            equal = type(got) is type(same) and got == same
        return Verdict() if equal else Verdict("structure", f"{name} is {got!r}, not {same!r}")
    if not _dtype_alike(got, same):
        return Verdict("dtype", f"{name} is {_kind(got)}, not {_kind(same)}")
    got, same, true = np.asarray(got), np.asarray(same), np.asarray(true)
    if got.shape != same.shape:
        return Verdict("shape", f"{name} has shape {got.shape}, not {same.shape}")
    if true.shape != same.shape:
        true = same
    if got.dtype.kind not in "fc":
        return _compare_exact(name, got, true)
    if not measure.ceilings:
        return _compare_exact(name, got, true.astype(got.dtype) if true.dtype.kind in "fc" else true)
    return _compare_value(name, got, same, true, measure)


PYTHON_TYPES = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


def _dtype_alike(got, same):
    """Equal dtypes; a Python scalar and the NumPy scalar it stands for are one. Byte order does not count.

    A long double stands for a truth that mpmath gave, without a mirrored function to say the dtype: only its kind counts.
    """
    a, b = (PYTHON_TYPES.get(type(v)) or np.asarray(v).dtype for v in (got, same))
    if np.dtype(b).char in "gG":
        return np.dtype(a).kind == np.dtype(b).kind
    if isinstance(got, np.ndarray) and got.ndim == 0 and not isinstance(same, np.ndarray):
        return False
    return np.dtype(a).newbyteorder("=") == np.dtype(b).newbyteorder("=")


def _kind(value):
    if type(value) in PYTHON_TYPES:
        return f"a Python {type(value).__name__}"
    a = np.asarray(value)
    return f"a 0-d array of {a.dtype}" if isinstance(value, np.ndarray) and a.ndim == 0 else f"{a.dtype}"


def _compare_exact(name, got, true):
    with np.errstate(all="ignore"):
        wrong = ~((got == true) | ((got != got) & (true != true)))
    if not wrong.any():
        return Verdict()
    at = int(np.flatnonzero(wrong)[0])
    worst = (np.inf, name, at, got.flat[at], true.flat[at])
    return Verdict("value", f"{name} differs in {int(wrong.sum())} of {wrong.size} elements, first at {_place(got, at)}: "
                   f"{got.flat[at]!r}, not {true.flat[at]!r}", [], worst)


def _compare_value(name, got, same, true, measure):
    ours, theirs, right = kinds(got), kinds(same), rounded_kinds(true, got.dtype)
    wrong = (ours != theirs) & (ours != right)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        worst = (np.inf, name, at, got.flat[at], true.flat[at])
        return Verdict("pattern", f"{name} has {got.flat[at]!r} at {_place(got, at)}, not {same.flat[at]!r}; "
                       f"{int(wrong.sum())} of {wrong.size} such elements", [], worst)
    if not got.size:
        return Verdict()
    with np.errstate(all="ignore"):
        errors = np.asarray(measure.errors(got, true), np.float64)
    ceiling = measure.ceiling(got.dtype)
    error = float(errors.max())
    at = int(errors.argmax()) if errors.shape == got.shape else _farthest(got, true)
    worst = (error, name, at, got.flat[at], true.flat[at])
    if error > ceiling:
        return Verdict("value", f"{name} is {error:.3g} eps off at {_place(got, at)} (ceiling {ceiling:g}): "
                       f"{got.flat[at]!r}, not {true.flat[at]!r}", errors.ravel().tolist(), worst)
    return Verdict(None, "", errors.ravel().tolist(), worst)


def _farthest(got, true):
    from .metric import distance
    return int(distance(got, true).argmax())


def _place(a, flat):
    return tuple(int(i) for i in np.unravel_index(flat, a.shape)) if a.ndim else "()"
