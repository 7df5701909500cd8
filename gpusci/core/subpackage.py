"""Subpackages: version check, registry (built-in and entry points), host fallback for names that SciPy has and we lack."""

import functools
import importlib
import inspect
import os
import sys
import types

from gpusci.core._version import __version__ as CORE_VERSION
from gpusci.core.callers import warn

__all__ = ["HostFallbackWarning", "api", "check", "config", "fallback", "names"]

BUILTIN = ("fft", "linalg", "ndimage", "radar", "random", "signal", "sparse", "special", "stats")
GROUP = "gpusci.subpackages"


class HostFallbackWarning(UserWarning):
    """A function that gpusci lacks ran on the host, in SciPy."""


class Config:
    """Settings that may change while a program runs. fallback: "warn", "silent" or "error"."""

    def __init__(self):
        self.fallback = os.environ.get("GPUSCI_FALLBACK", "warn")

    @property
    def fallback(self):
        return self._fallback

    @fallback.setter
    def fallback(self, value):
        if value not in ("warn", "silent", "error"):
            raise ValueError(f"fallback (GPUSCI_FALLBACK) is {value!r}; it must be 'warn', 'silent' or 'error'")
        self._fallback = value


config = Config()


# ---- versions
def _number(text):
    parts = []
    for part in text.split("."):
        digits = "".join(c for c in part if c.isdigit())
        parts.append(int(digits or 0))
    return tuple(parts + [0] * (4 - len(parts)))


def satisfies(version, spec):
    """Whether a version fits a specification such as ">=0.1,<0.2"."""
    tests = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b, ">": lambda a, b: a > b,
             "<": lambda a, b: a < b}  # fmt: skip
    for clause in filter(None, (c.strip() for c in spec.split(","))):
        operator = clause[:2] if clause[:2] in tests else clause[:1]
        if not tests[operator](_number(version), _number(clause[len(operator) :])):
            return False
    return True


def check(module_name):
    """Called at the end of a subpackage's `__init__`: it fits this core and what it requires, or ImportError."""
    module = sys.modules[module_name]
    if not satisfies(CORE_VERSION, module.CORE):
        raise ImportError(
            f"{module_name} {module.__version__} needs gpusci core {module.CORE}, but core is {CORE_VERSION}; "
            "install versions that belong together"
        )
    for requirement in module.REQUIRES:
        name = requirement.split(">")[0].split("<")[0].split("=")[0].strip()
        spec = requirement[len(name) :]
        if name in BUILTIN and not spec:  # it is there: loaded when it is used
            continue
        other = load(name)
        if spec and not satisfies(other.__version__, spec):
            raise ImportError(
                f"{module_name} {module.__version__} needs gpusci.{requirement}, but gpusci.{name} is {other.__version__}"
            )


# ---- registry
@functools.cache
def _plugins():
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def names():
    """All subpackages: built in, and found through the entry-point group `gpusci.subpackages`."""
    return (*BUILTIN, *(name for name in _plugins() if name not in BUILTIN))


def load(name):
    """Import a subpackage. Raises AttributeError for an unknown name."""
    if name in BUILTIN:
        return importlib.import_module(f"gpusci.{name}")
    if name in _plugins():
        module = _plugins()[name].load()
        sys.modules[f"gpusci.{name}"] = module
        return module
    raise AttributeError(f"module 'gpusci' has no attribute {name!r}")


def loaded_attribute(name, attribute):
    """An attribute of a subpackage when that is imported already, else None."""
    module = sys.modules.get(f"gpusci.{name}")
    return getattr(module, attribute, None) if module is not None and attribute in module.__all__ else None


def api(name):
    """{public name: "native" | "library" | "host fallback"} of a subpackage: its own names and SciPy's."""
    module = load(name)
    table = {n: getattr(getattr(module, n), "gpusci_status", "native") for n in module.__all__}
    mirror = getattr(module, "MIRRORS", f"scipy.{name}")
    if mirror:
        scipy_module = importlib.import_module(mirror)
        for n in getattr(scipy_module, "__all__", ()):
            if not isinstance(getattr(scipy_module, n, None), types.ModuleType):
                table.setdefault(n, "host fallback")
    return table


# ---- rule 5: a name SciPy has and we lack
def fallback(module_name):
    """The module `__getattr__` of a subpackage that mirrors a SciPy module."""
    scipy_name = "scipy" + module_name.removeprefix("gpusci")

    def __getattr__(name):
        missing = AttributeError(f"module {module_name!r} has no attribute {name!r}")
        if name.startswith("_"):
            raise missing
        scipy_module = importlib.import_module(scipy_name)
        found = getattr(scipy_module, name, None)
        if found is None or name not in getattr(scipy_module, "__all__", dir(scipy_module)):
            raise missing
        if config.fallback == "error":
            raise AttributeError(
                f"{module_name} has no {name!r} yet; SciPy has it: GPUSCI_FALLBACK=warn runs SciPy's on the host"
            )
        if not callable(found) or inspect.isclass(found):
            return found
        return _on_host(found, f"{module_name}.{name}")

    return __getattr__


@functools.cache
def _on_host(func, name):
    from gpusci.core.dispatch import on_host

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if config.fallback == "error":
            raise AttributeError(f"{name} is not in gpusci, and gpusci.config.fallback is 'error'")
        if config.fallback == "warn" and name not in _warned:
            _warned.add(name)
            text = f"{name} is not in gpusci: SciPy's own runs on the host, with copies (GPUSCI_FALLBACK=silent hides this)"
            warn(text, HostFallbackWarning)
        return on_host(func, args, kwargs)

    wrapper.gpusci_status = "host fallback"
    return wrapper


_warned = set()
