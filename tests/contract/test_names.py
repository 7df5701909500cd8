"""What every subpackage promises: its header, SciPy's names and signatures, a validation case for each name."""

import inspect
import types

import numpy as np
import pytest

from gpusci.core import subpackage
from gpusci.core._version import __version__ as core_version
from validation.run import load_suite, mirror_of
from validation.sample import SpecError, find

NAMES = [n for n in subpackage.names() if subpackage.load(n).__file__]      # a folder alone is no subpackage


def public_names(module, prefix=""):
    """Dotted names of everything public: `__all__`, and that of public submodules."""
    out = []
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, types.ModuleType):
            out += public_names(value, f"{prefix}{name}.") if hasattr(value, "__all__") else []
        else:
            out.append(prefix + name)
    return out


def differences_of(name):
    try:
        return load_suite(name).differences
    except SpecError:
        return {}                                   # the test of cases says what is wrong with the spec


@pytest.mark.parametrize("name", NAMES)
def test_header(name):
    module = subpackage.load(name)
    assert module.__doc__ and len(module.__version__.split(".")) == 3
    assert subpackage.satisfies(core_version, module.CORE)
    assert isinstance(module.SCIPY, str) and isinstance(module.REQUIRES, tuple)
    assert len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        assert hasattr(module, public), f"gpusci.{name}.__all__ lists {public}, which is not there"
        assert not public.startswith("_")


@pytest.mark.parametrize("name", NAMES)
def test_names_are_scipys(name):
    module = subpackage.load(name)
    mirror = mirror_of(module, name)
    if mirror is None:
        return
    differences = differences_of(name)
    extra = []
    for public in public_names(module):
        try:
            find(mirror, public)
        except SpecError:
            extra.append(public)
    undocumented = [n for n in extra if n not in differences]
    assert not undocumented, f"not in {mirror.__name__} and not in DIFFERENCES: {undocumented}"


def _parameters(f):
    try:
        return list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return None                                 # a builtin or a ufunc: nothing to compare


def _is_not_given(default):
    """By an object that nobody else has: SciPy sees the parameter only if the caller gave it, and decides what is the default."""
    return type(default) is object or repr(default) == "<not given>"


def _same_default(a, b):
    if a is b or _is_not_given(a):
        return True
    try:
        return bool(a == b) or (a != a and b != b) or repr(a) == repr(b)
    except ValueError:
        return np.array_equal(a, b)


def signature_differences(ours, theirs):
    """What differs in two parameter lists. No difference are extras of our own: by keyword only (device=, ...), or behind SciPy's
    and by default not given (what another release has)."""
    out = []
    mine = {p.name: p for p in ours}
    anything = {p.kind for p in theirs} >= {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    if anything:
        return out                                  # SciPy's own wrapper hides its parameters
    for p in theirs:
        q = mine.get(p.name)
        if q is None:
            out.append(f"lacks {p.name}")
        elif q.kind != p.kind:
            out.append(f"{p.name} is {q.kind.description}, SciPy's is {p.kind.description}")
        elif not _same_default(q.default, p.default):
            out.append(f"{p.name}={q.default!r}, SciPy's is {p.default!r}")
    names = [p.name for p in theirs]
    out += [f"has {p.name}, which SciPy's has not" for p in ours
            if p.name not in names and p.kind is not inspect.Parameter.KEYWORD_ONLY and not _is_not_given(p.default)]
    places, order = ([p.name for p in given if p.kind is not inspect.Parameter.KEYWORD_ONLY] for given in (ours, theirs))
    if places[: len(order)] != order:
        out.append(f"order {places}, SciPy's is {order}")
    return out


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_scipys(name):
    module = subpackage.load(name)
    mirror = mirror_of(module, name)
    if mirror is None:
        return
    differences = differences_of(name)
    wrong = []
    for public in public_names(module):
        if public in differences or f"{public}/signature" in differences:
            continue
        try:
            ours, theirs = find(module, public), find(mirror, public)
        except SpecError:
            continue                                # not SciPy's: the test above says so
        if isinstance(theirs, np.ufunc):
            if (getattr(ours, "nin", None), getattr(ours, "nout", None)) != (theirs.nin, theirs.nout):
                wrong.append(f"{public}: not a ufunc of {theirs.nin} inputs and {theirs.nout} outputs")
            continue
        a, b = _parameters(ours), _parameters(theirs)
        if a is not None and b is not None and callable(theirs):
            wrong += [f"{public}: {text}" for text in signature_differences(a, b)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_a_case_and_every_case_a_name(name):
    module = subpackage.load(name)
    cases = {case.name for case, _ in load_suite(name).rows}
    names = set(public_names(module))
    functions = {n for n in names if callable(find(module, n)) and not _is_exception(find(module, n))}
    assert not functions - cases, f"public, without a Case in _spec.py: {sorted(functions - cases)}"
    assert not cases - names, f"a Case without a public name: {sorted(cases - names)}"


def _is_exception(value):
    return isinstance(value, type) and issubclass(value, BaseException)


@pytest.mark.parametrize("name", NAMES)
def test_public_functions_have_docstrings_that_start_with_a_line(name):
    module = subpackage.load(name)
    bare = [n for n in public_names(module) if callable(find(module, n)) and not (find(module, n).__doc__ or "").strip()]
    assert not bare, f"without a docstring: {bare}"


def test_signature_check_sees_differences():
    not_given = object()

    def right(a, b=1, *, c=None):
        pass

    def more(a, b=1, *, c=None, device=None):
        pass

    def default(a, b=2, *, c=None):
        pass

    def order(b, a=1, *, c=None):
        pass

    def missing(a, *, c=None):
        pass

    def older(a, b=not_given, d=not_given, *, c=None):
        pass

    def in_the_way(a, d=not_given, b=1, *, c=None):
        pass

    theirs = _parameters(right)
    for fine in (more, older):
        assert signature_differences(_parameters(fine), theirs) == []
    for wrong in (default, order, missing, in_the_way):
        assert signature_differences(_parameters(wrong), theirs)
    assert signature_differences(theirs, _parameters(older))    # a default of ours where SciPy's is "not given"
