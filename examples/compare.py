"""What the examples share: the same function with gpusci and with SciPy, both timed, the results side by side."""

import contextlib
import time
from pathlib import Path

import numpy as np

import gpusci

OUT = Path(__file__).resolve().parent.parent / "out"


def run_both(function, inputs, ours, scipy_lib, repeats=5):
    """Results as NumPy of `function(*inputs, lib)` with each library, and a table of the times.

    gpusci's inputs are on the current device before the clock starts and its results stay there; the wait for the device counts.
    """
    moved = [gpusci.asarray(x) for x in inputs]

    def wait(result):
        gpusci.synchronize()
        return result

    times = {}
    results = []
    for name, call in (("gpusci", lambda: wait(function(*moved, ours))), ("SciPy", lambda: function(*inputs, scipy_lib))):
        start = time.perf_counter()
        result = call()
        first = time.perf_counter() - start
        each = []
        for _ in range(repeats):
            start = time.perf_counter()
            call()
            each.append(time.perf_counter() - start)
        results.append(_to_numpy(result))
        times[name] = (first, float(np.median(each)))
    device = gpusci.current_device()
    where = getattr(device, "title", "host")
    return (
        *results,
        {
            f"time, gpusci on {where}": f"{times['gpusci'][1] * 1e3:.2f} ms (first call {times['gpusci'][0] * 1e3:.0f} ms)",
            "time, SciPy": f"{times['SciPy'][1] * 1e3:.2f} ms",
            "SciPy / gpusci": f"{times['SciPy'][1] / times['gpusci'][1]:.1f}",
        },
    )


def _to_numpy(result):
    if isinstance(result, gpusci.ndarray):
        return result.numpy()
    if isinstance(result, (tuple, list)):
        return [_to_numpy(r) for r in result]
    return result


def agreement(a, b):
    """Largest difference relative to the largest value, as text."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    scale = np.nanmax(np.abs(b)) or 1.0
    return f"{np.nanmax(np.abs(a - b)) / scale:.1e} of the maximum"


def show(title, rows, header=None):
    """A table on the terminal: rows of a name and a value, or as many values as the header names."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*(header or ("", "")), title=title, show_header=header is not None)
    for key, value in rows.items():
        table.add_row(key, *(value if header else [str(value)]))
    Console().print(table)


@contextlib.contextmanager
def figure(name, rows=1):
    """A matplotlib figure saved as out/NAME.png."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    OUT.mkdir(exist_ok=True)
    plt.figure(figsize=(10, 6 if rows == 1 else 8))
    yield plt
    plt.tight_layout()
    plt.savefig(OUT / f"{name}.png", dpi=110)
    plt.close()
