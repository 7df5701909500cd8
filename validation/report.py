"""What a run found, as JSON, as one HTML page, as a table on the terminal; and what got worse since an older one."""

import datetime
import json
import platform
from pathlib import Path

import numpy as np

from . import record as records
from .sample import reproducer

SLOWER = 2.0        # times the old ratio to SciPy: timings of one run are not better than that
WORSE = 2.0         # times the old error


def summarise(row, suite, kind, record, package):
    """A run's Row as plain data, judged against its record."""
    import scipy

    errors = np.asarray(row.errors)
    out = {
        "key": row.key, "function": row.function, "case": row.case, "dtype": row.dtype, "samples": row.samples,
        "measure": row.measure, "ceiling": row.ceiling, "measured": bool(errors.size),
        "max": float(errors.max()) if errors.size else 0.0,
        "p99": float(np.quantile(errors, 0.99)) if errors.size else 0.0,
        "scipy_max": row.scipy, "seconds": row.seconds, "reproducer": "", "scipy_version": scipy.__version__,
        "failures": [{"stage": s, "sample": k, "message": m} for s, k, m in row.failures],
        "difference": next((suite.differences[c.differs] for c, i in suite.rows
                            if (c.name, i) == (row.function, row.case) and c.differs), ""),
    }
    if row.worst is not None:
        out["reproducer"] = reproducer(package, row.worst["sample"], row.worst["at"])
    elif row.failures:
        out["reproducer"] = f"python -m validation {suite.name} --replay '{row.failures[0][1]}'"
    limit = records.limit(record, kind, row.key)
    if not out["failures"] and limit is not None and out["max"] > limit:
        out["failures"].append({"stage": "record", "sample": row.key, "message":
                                f"{out['max']:.3g} eps, more than {records.SLACK:g} times the record {limit / records.SLACK:g}"})
    out["verdict"] = "pass" if not out["failures"] else f"fail: {out['failures'][0]['stage']}"
    return out


def meta(device, seed, scale):
    """What one must know to repeat a run."""
    import scipy
    return {"when": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), "device": device, "seed": seed,
            "samples": scale, "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
            "machine": platform.processor() or platform.machine()}


def write_json(path, data):
    path.write_text(json.dumps(data, indent=1, allow_nan=True) + "\n")


def write_html(path, data):
    """One self-contained page. Needs jinja2 (`pip install gpusci[report]`)."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError("the HTML report needs jinja2: `pip install gpusci[report]`") from error
    text = Path(__file__).with_name("report.html.jinja").read_text()
    template = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
    path.write_text(template.render(totals=totals(data), **data))


def totals(data):
    """Per subpackage: functions, rows, failed rows, and how many are faster than SciPy."""
    out = {}
    for name, rows in data["subpackages"].items():
        timed = [r["seconds"][1] / r["seconds"][0] for r in rows if r["seconds"] and r["seconds"][1]]
        beyond = [r for r in rows if r["scipy_max"] is not None and r["max"] > max(r["scipy_max"], records.LEAST)]
        out[name] = {
            "functions": len({r["function"] for r in rows}), "rows": len(rows),
            "failed": sum(r["verdict"] != "pass" for r in rows), "samples": sum(r["samples"] for r in rows),
            "speedup": float(np.exp(np.mean(np.log(timed)))) if timed else None, "less_accurate": len(beyond),
        }
    return out


def regressions(old, new):
    """Sentences on what is worse in `new`. Rows that only one of them has are named when the old one passed."""
    before = {(n, r["key"]): r for n, rows in old["subpackages"].items() for r in rows}
    after = {(n, r["key"]): r for n, rows in new["subpackages"].items() for r in rows}
    out = []
    for (name, key), a in before.items():
        b = after.get((name, key))
        label = f"{name}.{key}"
        if b is None:
            if name in new["subpackages"] and not new.get("pattern"):
                out.append(f"{label}: was validated, is no longer")
        elif a["verdict"] == "pass" and b["verdict"] != "pass":
            out.append(f"{label}: passed, now {b['verdict']} ({b['failures'][0]['message']})")
        elif b["max"] > WORSE * max(a["max"], records.LEAST):
            out.append(f"{label}: error {a['max']:.3g} -> {b['max']:.3g} eps")
        elif (slow := _slowdown(a, b)) is not None and slow > SLOWER:
            out.append(f"{label}: {slow:.1f} times slower beside SciPy than before")
    return out


def _slowdown(a, b):
    if not (a["seconds"] and b["seconds"] and a["seconds"][1] and b["seconds"][1]):
        return None
    return (b["seconds"][0] / b["seconds"][1]) / (a["seconds"][0] / a["seconds"][1])
