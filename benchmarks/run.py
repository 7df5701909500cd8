"""`make bench`: what gpusci costs here. Functions beside SciPy, small calls, first calls, compilers.

    python benchmarks/run.py                          # everything
    python benchmarks/run.py functions --only ndimage # sections: functions, latency, cold, compile
    python benchmarks/run.py --json out.json

Functions are the `bench=` rows of the subpackages' `_spec.py`, arrays already on the device. The best call counts.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
console = Console()


def best(call, budget=0.2, least=5):
    """Seconds of the quickest call."""
    call()
    times, end = [], time.perf_counter() + budget
    while len(times) < least or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def show(title, header, rows):
    table = Table(*header, title=title, title_justify="left")
    for row in rows:
        table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row))
    console.print(table)


def functions(only):
    """Every bench row of the specs beside SciPy."""
    from validation.run import load_suite, measure_time, quiet, suite_names
    from validation.sample import Sample

    out = []
    for name in suite_names():
        suite = load_suite(name)
        for case, ident in suite.rows:
            if case.bench is None or not re.search(only, f"{name}.{case.name}"):
                continue
            for dtype in case.dtypes[:2]:
                with quiet():
                    ours, theirs = measure_time(Sample(suite, case, ident, dtype, "bench", 0))
                out.append({"function": f"{name}.{case.name}", "case": ident, "dtype": dtype, "seconds": ours,
                            "scipy_seconds": theirs})
    show("functions", ("function", "case", "dtype", "ms", "SciPy ms", "times SciPy's speed"),
         [(r["function"], r["case"], r["dtype"], r["seconds"] * 1e3, (r["scipy_seconds"] or 0) * 1e3,
           r["scipy_seconds"] / r["seconds"] if r["scipy_seconds"] else "") for r in out])
    ratios = [r["scipy_seconds"] / r["seconds"] for r in out if r["scipy_seconds"]]
    if ratios:
        slow = sum(r < 0.9 for r in ratios)
        console.print(f"geometric mean {statistics.geometric_mean(ratios):.2f} times SciPy's speed; {slow} of {len(ratios)} "
                      "below 0.9")
    return out


def latency(only):
    """Host time until a small call returns."""
    import numpy as np

    import gpusci as gs

    a, b = gs.asarray(np.ones(1000, "f")), gs.asarray(np.ones(1000, "f"))
    x, y, z, out = a.numpy(), b.numpy(), np.empty(1000, "f"), gs.empty(1000, "f")
    calls = {
        "a + b": (lambda: a + b, lambda: x + y),
        "add(a, b, out=)": (lambda: gs.add(a, b, out=out), lambda: np.add(x, y, out=z)),
        "a[1:].sum()": (lambda: a[1:].sum(), lambda: x[1:].sum()),
        "a.reshape(10, 100).T": (lambda: a.reshape(10, 100).T, lambda: x.reshape(10, 100).T),
        "exp(a)": (lambda: gs.exp(a), lambda: np.exp(x)),
        "empty(1000)": (lambda: gs.empty(1000, "f"), lambda: np.empty(1000, "f")),
    }
    rows = [{"call": name, "us": best(ours, 0.1, 2000) * 1e6, "numpy_us": best(theirs, 0.1, 2000) * 1e6}
            for name, (ours, theirs) in calls.items() if re.search(only, name)]
    show("small calls (1,000 float32)", ("call", "us", "NumPy us"), [(r["call"], r["us"], r["numpy_us"]) for r in rows])
    return rows


FIRST_CALLS = {
    "import numpy": "",
    "import gpusci": "import gpusci",
    "exp, strided": "import gpusci as gs; gs.exp(gs.ones((64, 64), 'f')[:, ::2].T).numpy()",
    "gaussian_filter": "from gpusci import ndimage; ndimage.gaussian_filter(numpy.ones((64, 64), 'f'), 1.0)",
    "erf": "from gpusci import special; special.erf(numpy.ones(64, 'f'))",
}


def cold(only):
    """A new process that imports NumPy and makes one call: with an empty kernel cache, then with a filled one."""
    rows = []
    for name, code in FIRST_CALLS.items():
        if not re.search(only, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "GPUSCI_CACHE_DIR": os.path.join(folder, "cache"), "GPUSCI_FALLBACK": "error"}
            times = []
            for _ in range(4):
                start = time.perf_counter()
                done = subprocess.run([sys.executable, "-c", f"import numpy\n{code}"], env=env, capture_output=True, text=True)
                times.append(time.perf_counter() - start)
                if done.returncode:
                    break
        if done.returncode:
            rows.append({"process": name, "error": done.stderr.strip().splitlines()[-1]})
        else:
            rows.append({"process": name, "empty_cache_s": times[0], "filled_cache_s": min(times[1:])})
    show("first call of a process", ("process", "s, empty cache", "s, filled cache"),
         [(r["process"], r.get("empty_cache_s", r.get("error")), r.get("filled_cache_s", "")) for r in rows])
    return rows


def compile_times(only):
    """Each row's first signature through both compilers, nothing cached but the precompiled prelude."""
    from gpusci.core import compiler, warm

    compiler.nvrtc_version()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUSCI_CACHE_DIR"] = os.path.join(folder, "cache")
        compiler.build_host('#include "gpusci/entry.h"\n')          # makes the prelude
        for row in warm.load_rows():
            for job in warm.row_jobs(row, "cuda")[:1]:
                name = f"{warm.owner(job.source)}.{row.name}"
                if not re.search(only, name):
                    continue
                found = {"row": name, "source": job.source}
                if warm.row_jobs(row, "host"):
                    start = time.perf_counter()
                    compiler.build_host(job.source, name=row.name)
                    found["host_s"] = time.perf_counter() - start
                flags = compiler.cuda_flags(job.source, "sm_90")
                start = time.perf_counter()
                binary, log = compiler.run_nvrtc(job.source, row.name, flags)
                found.update(cuda_s=time.perf_counter() - start, cubin=len(binary or b""))
                rows.append(found)
    rows.sort(key=lambda r: -r["cuda_s"])
    show("compilers: the 20 slowest of " + str(len(rows)), ("row", "g++ s", "NVRTC s", "cubin bytes"),
         [(r["row"], r.get("host_s", ""), r["cuda_s"], r["cubin"]) for r in rows[:20]])
    console.print(f"median: g++ {statistics.median(r['host_s'] for r in rows if 'host_s' in r):.2f} s, "
                  f"NVRTC {statistics.median(r['cuda_s'] for r in rows):.2f} s")
    return rows


SECTIONS = {"functions": functions, "latency": latency, "cold": cold, "compile": compile_times}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], help="all, unless named")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    import gpusci
    console.print(f"gpusci {gpusci.__version__} on {gpusci.current_device().name}")
    found = {name: SECTIONS[name](options.only) for name in options.sections or SECTIONS}
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
