"""A subpackage from outside, found through its entry point: reached, checked, compiled and validated like a built-in one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

INIT = '''
"""Optics, a made-up plugin that mirrors one function of scipy.special."""

from pathlib import Path

from gpusci.core.compiler import add_include_dir
from gpusci.core.subpackage import check
from gpusci_optics._lens import sinc2

__all__ = ["sinc2"]
__version__ = "0.3.0"
CORE = "{core}"
SCIPY = "1.17"
REQUIRES = ()
MIRRORS = None

add_include_dir(Path(__file__).parent.parent)
check(__name__)
'''
LENS = '''
"""The one function."""

import gpusci as gs
from gpusci.core import public
from gpusci_optics._kernels import sinc2 as _row


@public("x")
def sinc2(x):
    """(sin x / x)**2, 1 at 0. float32 or float64."""
    x = gs.asarray(x, x.dtype if x.dtype.char in "fd" else "d", order="C")
    y = gs.empty(x.shape, x.dtype, device=x.device)
    _row(x.size, (x.dtype,), x, y)
    return y
'''
KERNELS = '''
"""Kernel rows of optics."""

from gpusci.core import Kernel

sinc2 = Kernel("sinc2", "gpusci_optics/kernels/lens.h", template="T Index", args="ptr x, ptr y", first=["f", "d"])
'''
HEADER = """
#include <gpusci/entry.h>
#if !defined(GPUSCI_CUDA)
#include <cmath>
#endif
namespace gpusci {
template <class T, class Index>
struct sinc2 {
    struct Args { const T* x; T* y; };
    HD static void at(Index i, const Args& a) {
        const double x = a.x[i], s = x == 0 ? 1.0 : sin(x) / x;
        a.y[i] = T(s * s);
    }
};
}
"""
SPEC = '''
"""Cases of optics."""

import mpmath

from validation import Case, args, mp, real, ulp

CASES = [
    Case("sinc2", args(real(-5, 5)), ulp(f=2, d=8), ref=mp(lambda x: mpmath.sinc(x) ** 2), bench=args(real(-5, 5)), n=2),
]
'''


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    """Environment of a process in which the plugin is installed."""
    folder = tmp_path_factory.mktemp("plugin")
    package, info = folder / "gpusci_optics", folder / "gpusci_optics-0.3.0.dist-info"
    (package / "kernels").mkdir(parents=True)
    info.mkdir()
    for name, text in {"__init__.py": INIT.format(core=">=0.1,<0.2"), "_lens.py": LENS, "_kernels.py": KERNELS,
                       "_spec.py": SPEC, "kernels/lens.h": HEADER}.items():
        (package / name).write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gpusci-optics\nVersion: 0.3.0\n")
    (info / "entry_points.txt").write_text("[gpusci.subpackages]\noptics = gpusci_optics\n")
    return folder, {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "GPUSCI_CACHE_DIR": str(folder / "cache")}


def run(plugin, *command):
    return subprocess.run([sys.executable, *command], env=plugin[1], capture_output=True, text=True, cwd=ROOT)


def test_it_is_reached_as_gpusci_optics(plugin):
    code = ("import numpy as np; import gpusci; from gpusci import optics; "
            "print(gpusci.optics.__version__, optics.sinc2(np.array([0.0, np.pi / 2])), 'optics' in repr(gpusci.info()))")
    done = run(plugin, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "0.3.0" and "0.405" in done.stdout and done.stdout.endswith("True\n")


def test_it_is_validated(plugin):
    done = run(plugin, "-m", "validation", "optics", "--no-timing")
    assert done.returncode == 0 and "2 passed, 0 failed" in done.stdout, done.stdout + done.stderr


def test_it_gets_the_contract_tests(plugin):
    done = run(plugin, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/contract", "-k",
               "optics and not test_plugin")
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.strip().splitlines()[-1].split()[0]) >= 8


def test_its_kernels_are_warmed(plugin):
    code = ("from gpusci.core import warm; rows = warm.load_rows(['optics']); "
            "print([warm.owner(j.source) for r in rows for j in warm.row_jobs(r, 'cuda')].count('gpusci_optics'))")
    assert run(plugin, "-c", code).stdout == "2\n"


def test_a_version_that_does_not_fit_says_both(plugin):
    init = plugin[0] / "gpusci_optics" / "__init__.py"
    text = init.read_text()
    try:
        init.write_text(text.replace(">=0.1,<0.2", ">=7"))
        done = run(plugin, "-c", "import gpusci; gpusci.optics")
    finally:
        init.write_text(text)
    assert "ImportError" in done.stderr and ">=7" in done.stderr and "0.3.0" in done.stderr
