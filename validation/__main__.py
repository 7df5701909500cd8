"""`python -m validation` and `gpusci validate`. README.md shows the commands."""

import argparse
import json
import re
import sys
from pathlib import Path

from . import record as records
from . import report
from .run import load_suite, quiet, record_path, run_suite, sample_at, suite_names
from .sample import SpecError


def parser(prog="python -m validation"):
    p = argparse.ArgumentParser(prog=prog, description="Hold gpusci's functions against SciPy and mpmath.")
    p.add_argument("subpackages", nargs="*", help="all that have a _spec.py, unless named")
    p.add_argument("-k", metavar="REGEX", help="only functions whose name matches")
    p.add_argument("--device", help="host or cuda:N; default as GPUSCI_DEVICE says")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--samples", type=float, default=1.0, metavar="FACTOR", help="times the usual number of draws")
    p.add_argument("--report", type=Path, metavar="DIR", help="write validation.json and validation.html there")
    p.add_argument("--compare", type=Path, metavar="OLD.json", help="list what is worse than in that run; exit 1 if any")
    p.add_argument("--accept", action="store_true", help="write the measured errors into accuracy.json")
    p.add_argument("--no-timing", action="store_true")
    p.add_argument("--replay", metavar="KEY", help="run one sample again and print it in full")
    return p


def main(argv=None, prog="python -m validation"):
    """Exit status: 0 all passed, 1 a failure or a regression, 2 a wrong command."""
    options = parser(prog).parse_args(argv)
    try:
        import gpusci as gs
        gs.config.fallback = "error"
        with gs.device(options.device or gs.current_device()):
            return _replay(options) if options.replay else _run(options, gs.current_device())
    except SpecError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(options, device):
    pattern = re.compile(options.k) if options.k else None
    data = {"meta": report.meta(device.name, options.seed, options.samples), "pattern": options.k, "subpackages": {}}
    failed = 0
    for name in options.subpackages or suite_names():
        suite, path = load_suite(name), record_path(name)
        record, kind = records.load(path), records.kind_of(device)
        package = "gpusci" if name == "numpy" else f"gpusci.{name}"
        judged_by = {} if options.accept else record  # whoever accepts has looked; the ceilings hold all the same
        rows = [report.summarise(row, suite, kind, judged_by, package)
                for row in run_suite(suite, pattern, options.seed, options.samples, not options.no_timing)]
        data["subpackages"][name] = rows
        failed += sum(_print(name, row) for row in rows)
        if options.accept:
            records.save(path, record, kind, rows)
    _finish(options, data)
    count = sum(map(len, data["subpackages"].values()))
    print(f"{count - failed} passed, {failed} failed")
    worse = report.regressions(json.loads(options.compare.read_text()), data) if options.compare else []
    for line in worse:
        print(f"worse: {line}")
    return 1 if failed or worse else 0


def _print(name, row):
    """One line for a row; True where it failed."""
    error = f"{row['max']:10.3g} eps" if row["measured"] else " " * 14
    time = ""
    if row["seconds"]:
        ours, theirs = row["seconds"]
        time = f"  {ours * 1e3:.3g} ms" + (f", SciPy {theirs * 1e3:.3g} ms" if theirs else "")
    print(f"{name + '.' + row['key']:<50} {row['samples']:4d} {error}  {row['verdict']}{time}")
    for failure in row["failures"][:3]:
        print(f"    {failure['sample']}: {failure['message']}")
    if row["failures"]:
        print(f"    {row['reproducer']}")
    return bool(row["failures"])


def _finish(options, data):
    if options.report:
        options.report.mkdir(parents=True, exist_ok=True)
        report.write_json(options.report / "validation.json", data)
        report.write_html(options.report / "validation.html", data)
        print(f"report: {options.report / 'validation.html'}")


def _replay(options):
    if len(options.subpackages) != 1:
        raise SpecError("--replay needs the one subpackage the sample is from")
    sample = sample_at(load_suite(options.subpackages[0]), options.replay, options.seed)
    positional, keywords = sample.arguments()
    for i, value in enumerate(positional):
        print(f"argument {i}: {value!r}")
    for key, value in keywords.items():
        print(f"{key}: {value!r}")
    with quiet():
        verdict = sample.run()
    print("pass" if verdict.ok else f"fail: {verdict.stage}: {verdict.message}")
    if verdict.worst:
        error, leaf, flat, got, true = verdict.worst
        print(f"worst: {leaf}, element {flat}: {got!r}, truth {true!r}, {error:.4g} eps")
    return 0 if verdict.ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
