"""Functions of a subpackage on the pretended GPU, against SciPy: python run_pretended.py SUBPACKAGE FOLDER [PATTERN] [--every].

FOLDER keeps what is compiled. One sample of every function with arrays on the GPU; --every: a few of every case and kind. Prints what fails
or is slow; the last sample that it names is where a process dies that reads the wrong memory.
"""

import argparse
import faulthandler
import re
import sys
import time

import pretend_gpu

from validation.run import load_suite, quiet, samples
from validation.sample import SpecError


def chosen(suite, case, ident, every):
    """A sample on the device; with `every`, two of each kind that NumPy's callers give, too."""
    for sample in samples(suite, case, ident, case.dtypes[0]):
        if sample.variant == "device" or every and sample.number < 2 and sample.variant not in ("raises", "byteorder"):
            yield sample


def run(name, pattern, every):
    """Number of samples and of failures."""
    suite, count, failed, met = load_suite(name), 0, 0, set()
    for case, ident in suite.rows:
        if not pattern.search(case.name) or case.name in met and not every:
            continue
        met.add(case.name)
        for sample in chosen(suite, case, ident, every):
            print(sample.key, file=sys.stderr, flush=True)
            start = time.perf_counter()
            try:
                verdict = sample.run()
                stage, message = (None, None) if verdict.ok else (verdict.stage, verdict.message)
            except SpecError:
                continue
            except Exception as error:
                stage, message = type(error).__name__, str(error)
            count += 1
            if stage is not None:
                failed += 1
                print(f"{sample.key}: {stage}: {message[:600]}", flush=True)
            if time.perf_counter() - start > 20:
                print(f"{sample.key}: {time.perf_counter() - start:.0f} s", flush=True)
    return count, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("folder")
    parser.add_argument("pattern", nargs="?", default="", type=re.compile)
    parser.add_argument("--every", action="store_true")
    options = parser.parse_args()
    faulthandler.enable()
    pretend_gpu.install(options.folder, options.every)
    with quiet():
        count, failed = run(options.name, options.pattern, options.every)
    print(f"{options.name}: {count} samples, {failed} failed, {len(pretend_gpu.plain)} kernels without their CUDA branches")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
