"""The `gpusci` command: info, warm, show, validate."""

import argparse
import re
import sys
import time

__all__ = ["main"]


def main(argv=None):
    """Exit status: 0 done, 1 something failed, 2 a wrong command."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if argv[:1] == ["validate"]:                # has options of its own, see validation/README.md
        return _validate(argv[1:])
    parser = argparse.ArgumentParser(prog="gpusci", description="SciPy and NumPy on the GPU and on the host.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("info", help="devices, libraries, subpackages with versions and counts of functions")
    warm = commands.add_parser("warm", help="compile the usual kernels for this machine now, into the cache")
    warm.add_argument("subpackages", nargs="*", help="all, unless named")
    warm.add_argument("--device", help="host or cuda:N; default: the host and the current device")
    warm.add_argument("--workers", type=int, default=2, help="compilers at a time (2)")
    show = commands.add_parser("show", help="source, compile time, size and registers of a kernel")
    show.add_argument("row", help="name of a kernel row, such as correlate1d or ndimage.correlate1d")
    show.add_argument("signature", nargs="?", help="template values, such as 'f d'; default: the row's first")
    show.add_argument("--arch", default="sm_90")
    commands.add_parser("validate", help="hold functions against SciPy; `gpusci validate --help`", add_help=False)
    options = parser.parse_args(argv)
    try:
        return {"info": _info, "warm": _warm, "show": _show}[options.command](options)
    except (LookupError, ValueError, RuntimeError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _validate(argv):
    try:
        from validation.__main__ import main as validate
    except ModuleNotFoundError as error:
        if error.name not in ("validation", "validation.__main__"):
            raise
        print("error: the validation harness is in gpusci's source tree and wheel, and is not importable here; "
              "run it from a checkout: python -m validation", file=sys.stderr)
        return 2
    return validate(argv, prog="gpusci validate")


def _info(options):
    from rich.console import Console
    from rich.table import Table

    import gpusci
    from gpusci.core.compile_cache import cache_root

    found, console = gpusci.info(), Console()
    console.print(f"[bold]gpusci {found['version']}[/]")
    devices = Table("device", "what", title="devices", title_justify="left")
    for name, text in found["devices"].items():
        devices.add_row(name, text)
    console.print(devices)
    if found["why_no_gpu"]:
        console.print(f"No GPU: {found['why_no_gpu']}", markup=False)
    libraries = Table("library", "version", title="libraries", title_justify="left")
    for name, version in found["libraries"].items():
        libraries.add_row(name, version or "not installed")
    console.print(libraries)
    packages = Table("subpackage", "version", "SciPy", "native", "library", "host fallback", title="subpackages",
                     title_justify="left")
    for name, row in found["subpackages"].items():
        counts = [str(row["names"].get(status, 0)) for status in ("native", "library", "host fallback")]
        packages.add_row(name, row["version"], row["scipy"] or "", *counts)
    console.print(packages)
    console.print(f"kernel cache: {cache_root()}", markup=False, highlight=False)
    return 0


def _warm(options):
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from gpusci.core import compiler, warm
    from gpusci.core.device import current_device, get_device

    devices = [get_device(options.device)] if options.device else [get_device("host"), current_device()]
    unknown = set(options.subpackages) - set(warm.subpackage.names())
    if unknown:
        raise LookupError(f"no subpackage {', '.join(sorted(unknown))}; there are {', '.join(warm.subpackage.names())}")
    jobs, owners = {}, {"core", *map(warm.folder, options.subpackages)}
    for device in dict.fromkeys(devices):
        for row in warm.load_rows(options.subpackages):
            for job in warm.row_jobs(row, device.kind, getattr(device, "arch", "")):
                if not options.subpackages or warm.owner(job.source) in owners:
                    jobs[job] = None
    console, failures, start = Console(), [], time.perf_counter()
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("compiling", total=len(jobs))

        def done(job, result):
            progress.update(task, advance=1, description=f"{job.kind} {job.name}"[:28])
            if isinstance(result, compiler.CompileError):
                failures.append(result)

        compiler.compile_many(jobs, options.workers, done)
    for failure in failures:
        console.print(str(failure), markup=False, highlight=False, soft_wrap=True)
    console.print(f"{len(jobs) - len(failures)} kernels ready, {len(failures)} failed, {time.perf_counter() - start:.1f} s")
    return 1 if failures else 0


def _show(options):
    from rich.console import Console
    from rich.syntax import Syntax

    from gpusci.core import compiler, warm
    from gpusci.core.kernel import BlockKernel

    row = warm.find_row(options.row)
    if options.signature is None and not row.first:
        raise ValueError(f"{row.name} lists no first signature; give one for template {' '.join(row.template)}")
    signature = row.first[0] if options.signature is None else options.signature
    source = row.source(signature)
    console = Console()
    console.print(Syntax(source, "cpp", background_color="default", word_wrap=True))
    if not isinstance(row, BlockKernel):
        _, seconds = _timed(lambda: compiler.build_host(source, name=row.name))
        console.print(f"host: {seconds:.2f} s with {compiler.host_compiler().command[0]}")
    binary, seconds, log = _compile_loud(source, row.name, options.arch, warm.row_options(row, signature))
    used = re.search(r"Used (\d+) registers(.*)", log)
    spilled = re.search(r"(\d+) bytes spill stores", log)
    console.print(f"{options.arch}: {seconds:.2f} s with NVRTC {'.'.join(map(str, compiler.nvrtc_version()))}, "
                  f"{len(binary):,} bytes")
    if used:
        console.print(f"{used[1]} registers{used[2]}, {spilled[1] if spilled else 0} bytes spilled", highlight=False)
    return 0


def _timed(work):
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def _compile_loud(source, name, arch, options):
    """(cubin, seconds, log) with the assembler's statistics in the log; never from the cache."""
    from gpusci.core import compiler

    compiler.nvrtc_version()                    # loading the library is not the kernel's time
    flags = compiler.cuda_flags(source, arch, ("--ptxas-options=-v", *options))
    (binary, log), seconds = _timed(lambda: compiler.run_nvrtc(source, name, flags))
    if binary is None:
        raise compiler.CompileError(f"{name} does not compile for {arch}:", log)
    return binary, seconds, log
