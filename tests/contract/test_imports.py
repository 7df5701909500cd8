"""Layers, and what an import costs: core knows no subpackage, importing compiles nothing and opens no device."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gpusci
from gpusci.core import subpackage

ROOT = Path(gpusci.__file__).parent
NAMES = [n for n in subpackage.names() if subpackage.load(n).__file__]      # a folder alone is no subpackage
CODE = [p for p in sorted(ROOT.rglob("*.py")) if "build" not in p.parts]
CUDA_TEXT = re.compile(r"__global__|__device__|__shared__|\bthreadIdx\b|\bblockIdx\b|#include\s*<cub/")


def imported_modules(path):
    """Absolute names of what a file imports, at any depth of its functions; (module, name) for `from` imports."""
    package = ["gpusci", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def package_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


def targets(path):
    """(subpackage, rest) of gpusci imports: ("core", "kernel.Kernel")."""
    for module, name in imported_modules(path):
        full = module if name is None else f"{module}.{name}"
        if full.startswith("gpusci."):
            head, _, rest = full.removeprefix("gpusci.").partition(".")
            yield head, rest


@pytest.mark.parametrize("path", [p for p in CODE if package_of(p) == "core"], ids=lambda p: p.name)
def test_core_knows_no_subpackage(path):
    found = {head for head, _ in targets(path) if head in NAMES}
    assert not found, f"{path.name} imports gpusci.{', gpusci.'.join(sorted(found))}"


@pytest.mark.parametrize("path", [p for p in CODE if package_of(p) in NAMES], ids=lambda p: str(p.relative_to(ROOT)))
def test_subpackages_use_public_names_only(path):
    own = package_of(path)
    allowed = {r.split(">")[0].split("<")[0].split("=")[0].strip() for r in subpackage.load(own).REQUIRES}
    for head, rest in targets(path):
        if head == own:
            continue
        private = [part for part in rest.split(".") if part.startswith("_") and part != "__version__"]
        assert not private, f"{path.name} uses the private gpusci.{head}.{rest}"
        if head in NAMES:
            assert head in allowed, f"{path.name} uses gpusci.{head}, which REQUIRES of gpusci.{own} does not list"


@pytest.mark.parametrize("path", CODE, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_cuda_text_in_python(path):
    found = CUDA_TEXT.search(path.read_text())
    assert found is None, f"{path.relative_to(ROOT)} holds CUDA text ({found[0]}); it belongs in a header"


def run(code, **environment):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment},
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


IMPORT = """
import sys, numpy
import gpusci
from gpusci.core import subpackage
for name in {names!r}:
    subpackage.load(name)
from gpusci.core import device
bad = [m for m in sys.modules if m.startswith(("cuda.bindings", "cuda.core", "nvmath", "cuda.compute", "dask", "jinja2", "scipy"))]
assert not bad, f"imported without need: {{bad}}"
assert device._default is None, "a device was chosen at import"
"""


def test_import_compiles_nothing_and_opens_no_device(tmp_path):
    cache = tmp_path / "cache"
    run(IMPORT.format(names=list(NAMES)), GPUSCI_CACHE_DIR=str(cache))
    assert not cache.exists(), f"files in the kernel cache: {list(cache.rglob('*'))}"


@pytest.mark.parametrize("name", ["", *NAMES])
def test_import_is_quick(name, tmp_path_factory):
    """Beyond NumPy, from byte code. Processor time, the best of four, and at most twice NumPy's own: others use the machine."""
    bytecode = tmp_path_factory.getbasetemp() / "bytecode"
    code = f"""
import time
start = time.process_time()
import numpy
before = time.process_time()
import gpusci
from gpusci.core import subpackage
{name!r} and subpackage.load({name!r})
print(time.process_time() - before, before - start)
"""
    write = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(bytecode)}
    best, numpys = np.min([np.array(run(code, **write).split(), float) for _ in range(4)], axis=0)
    assert best < max(0.150, 2 * numpys), f"importing takes {best * 1e3:.0f} ms, NumPy {numpys * 1e3:.0f}"
