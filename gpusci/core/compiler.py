"""The only caller of NVRTC and of the host's C++ compiler.

In: the two-line source that `kernel.pyx` writes (an include and one GPUSCI_ENTRY). Out: the path of a shared library
(host) or a cubin (CUDA), from the disk cache where it is there. A key holds the source, the content of every header of
ours it reaches, the flags, the compiler's identity and the machine; so nothing is ever stale, and nothing is cleaned.

Measured (2-core EPYC, NVRTC 13.5, g++ 12.2): g++ 0.17 s, with the precompiled prelude 0.07 s; NVRTC 0.045 s without
CCCL headers, 1.3-1.8 s with `cuda/std/complex`, 0.43 s with that precompiled, which itself costs 2.5 s once a process:
an NVRTC precompiled header is valid only inside the process that made it, since its heap address is part of the file.
NVRTC compiles one kernel at a time in a process, whatever the number of threads: hence worker processes in
`compile_many`.
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .compile_cache import HeaderIndex, digest, file_identity, open_cache
from .errors import CompileError
from .nvrtc import known_arch, nvrtc_identity, nvrtc_version, run_nvrtc

__all__ = ["CI_ARCHS", "CompileError", "Job", "add_include_dir", "compile_cuda", "compile_host", "compile_many",
           "compile_together", "cuda_options", "cuda_symbol", "host_compiler", "include_dirs", "nvrtc_version", "run_nvrtc"]

CI_ARCHS = {"sm_90": 1, "sm_75": 16, "sm_80": 16, "sm_120": 16}      # arch -> every how many-th kernel CI compiles

HOST_FLAGS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fPIC")
CUDA_FLAGS = ("-std=c++17", "--fmad=true", "-default-device")
PRELUDE = "#include <gpusci/entry.h>\n"

_CORE = Path(__file__).resolve().parent
_include_dirs = [_CORE / "include", _CORE.parent]
_headers = HeaderIndex()


def add_include_dir(path):
    """Let kernels of an outside subpackage include headers relative to `path` (the folder that holds its package)."""
    path = Path(path).resolve()
    if not path.is_dir():
        raise FileNotFoundError(f"no folder {path} to include headers from")
    if path not in _include_dirs:
        _include_dirs.append(path)


def include_dirs():
    """Folders in which kernel headers are looked up, in order."""
    return tuple(_include_dirs)


def _describe(source, name):
    """`name`, its header and its instantiation, for messages."""
    headers = re.findall(r'#include\s*[<"]([^>"]+)', source)
    entry = re.search(r"GPUSCI_(?:BLOCK_)?ENTRY\((.*)\)", source)
    where = f" in {headers[-1]}" if headers else ""
    return f"kernel {name}{where}" + (f", instantiation {entry[1]}" if entry else "")


def _closure(source):
    """Digest of every header of ours that the source reaches, and the names of the others."""
    ours, foreign = _headers.closure(source, _include_dirs)
    missing = [n for k, n in re.findall(r'#include\s*([<"])([^>"]+)', source) if k == '"' and n in foreign]
    if missing:
        raise CompileError(f"header {missing[0]} is in none of {', '.join(map(str, _include_dirs))}; a plugin calls "
                           "gpusci.core.compiler.add_include_dir(folder) first")
    # Names relative to their include folder: an installation at another path shares the entries.
    parts = [f"{_relative(path)}:{content}" for path, content in ours]
    return digest(*parts), foreign


def _relative(path):
    for folder in _include_dirs:
        if path.is_relative_to(folder):
            return path.relative_to(folder)
    return path


_in_flight = {}
_in_flight_lock = threading.Lock()


@contextlib.contextmanager
def _one_at_a_time(key):
    """Threads of this process that want the same entry wait for the first one."""
    with _in_flight_lock:
        lock, users = _in_flight.get(key, (threading.Lock(), 0))
        _in_flight[key] = (lock, users + 1)
    try:
        with lock:
            yield
    finally:
        with _in_flight_lock:
            lock, users = _in_flight.pop(key)
            if users > 1:
                _in_flight[key] = (lock, users - 1)


def _forget_waiting():
    """For the child of a fork, where nobody is left to release what other threads held."""
    global _in_flight_lock
    _in_flight_lock = threading.Lock()
    _in_flight.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_waiting)


def _cached(kind, key, suffix, build):
    """(path, bytes) of the entry; `build()` makes the bytes where the cache has none."""
    cache = open_cache()
    path = cache.path(kind, key, suffix)
    body = cache.load(path)
    if body is None:
        with _one_at_a_time(key), cache.lock(kind, key):
            body = cache.load(path)                   # another thread or process may have made it meanwhile
            if body is None:
                body = build()
                cache.store(path, body)
    return path, body


# ---- host

class HostCompiler(NamedTuple):
    command: tuple          # argv prefix
    identity: str           # changes when the compiler does


_NO_COMPILER = ("gpusci compiles its host kernels with a C++17 compiler and found none. Install one (Debian and Ubuntu: "
                "`apt install g++`; macOS: `xcode-select --install`) or name it in CXX, or `pip install gpusci[zig]`.")


def host_compiler():
    """The C++ compiler in use: $CXX, else g++, clang++, else the one in the `ziglang` wheel. CompileError if none."""
    chosen = os.environ.get("CXX")
    if chosen:
        command = shlex.split(chosen)
        program = shutil.which(command[0])
        if program is None:
            raise CompileError(f"CXX names {command[0]!r}, which is not a program on PATH. Unset CXX or correct it.")
        command[0] = program
    elif program := shutil.which("g++") or shutil.which("clang++"):
        command = [program]
    elif find_spec("ziglang") is not None:
        command = [sys.executable, "-m", "ziglang", "c++"]
    else:
        raise CompileError(_NO_COMPILER)
    return HostCompiler(tuple(command), "\n".join(_program_identity(word) for word in command))


def _program_identity(word):
    if word == "ziglang":
        return file_identity(os.path.join(find_spec("ziglang").submodule_search_locations[0], "zig"))
    return file_identity(shutil.which(word) or word)


_once = {}                  # facts about this machine that do not change while the process lives


def _machine():
    """What -march=native depends on."""
    if "machine" not in _once:
        model = [sys.platform, os.uname().machine if hasattr(os, "uname") else ""]
        with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
            for line in file:
                if line == "\n":
                    break                             # the first processor speaks for all
                if line.startswith(("model", "flags", "Features", "CPU")):
                    model.append(line)
        _once["machine"] = "".join(model)
    return _once["machine"]


def _is_gcc(compiler):
    """GCC has a flag and a precompiled-header habit of its own."""
    if compiler.identity not in _once:
        version = _run([*compiler.command, "--version"]).stdout
        _once[compiler.identity] = "Free Software Foundation" in version
    return _once[compiler.identity]


def _run(argv, cwd=None):
    try:
        return subprocess.run(argv, cwd=cwd, capture_output=True, text=True, errors="replace",
                              env={**os.environ, "LC_ALL": "C"}, check=False)
    except OSError as error:
        raise CompileError(f"cannot run {argv[0]}: {error}. {_NO_COMPILER}") from error


def compile_host(source, *, name="kernel", options=()):
    """Path (str) of the shared library for `source`; its symbol is `gpusci_entry`. CompileError carries the log."""
    compiler = host_compiler()
    closure, _ = _closure(source)
    key = digest("host", source, closure, compiler.identity, _machine(), *HOST_FLAGS, *options)
    path, _ = _cached("host", key, ".so", lambda: build_host(source, name=name, options=options))
    return str(path)


def build_host(source, *, name="kernel", options=()):
    """The bytes of the shared library, compiled now: `compile_host` without the cache."""
    compiler, cache = host_compiler(), open_cache()
    flags = [*HOST_FLAGS, *options, *(f"-I{folder}" for folder in _include_dirs)]
    if _is_gcc(compiler):
        # Statics of templates are otherwise unique in the process, across libraries made from different headers.
        flags.append("-fno-gnu-unique")
    prelude = _host_prelude(cache, compiler, flags)
    with tempfile.TemporaryDirectory(dir=cache.folder("tmp")) as folder:
        text, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
        text.write_text(source)
        done = _run([*compiler.command, *flags, *prelude, "-shared", str(text), "-o", str(library)], cwd=folder)
        if done.returncode and prelude:
            # The kernel's own mistake, or a damaged prelude; that one is removed, to be made anew by the next compile.
            done = _run([*compiler.command, *flags, "-shared", str(text), "-o", str(library)], cwd=folder)
            if not done.returncode:
                Path(prelude[-1] + ".gch").unlink(missing_ok=True)
        if done.returncode or not library.exists():
            raise CompileError(f"{_describe(source, name)} does not compile for the host with {compiler.command[0]}:",
                               done.stderr or done.stdout)
        return library.read_bytes()


def _host_prelude(cache, compiler, flags):
    """Flags that bring in the precompiled entry.h; none where the compiler is not known to take them."""
    if "ziglang" in compiler.command:
        return []
    closure, _ = _closure(PRELUDE)
    # Include folders do not matter to it: plugins share the core's.
    key = digest("prelude", closure, compiler.identity, _machine(), *(f for f in flags if not f.startswith("-I")))
    folder = cache.folder("prelude") / key
    header, compiled = folder / "prelude.h", folder / "prelude.h.gch"
    if not compiled.exists():
        with _one_at_a_time(key), cache.lock("prelude", key):
            if not compiled.exists() and not _build_prelude(cache, compiler, flags, header, compiled):
                return []
    return ["-include", str(header)]


def _build_prelude(cache, compiler, flags, header, compiled):
    header.parent.mkdir(mode=0o700, exist_ok=True)
    cache.prune("prelude")
    cache.replace(header, PRELUDE.encode())
    temporary = compiled.with_name(f".new-{os.getpid()}-{threading.get_ident()}")
    done = _run([*compiler.command, *flags, "-x", "c++-header", str(header), "-o", str(temporary)])
    if done.returncode:
        return False                                  # the kernel's own compile will say what is wrong
    os.replace(temporary, compiled)
    return True


# ---- CUDA

def _cccl_dirs():
    """Include folders of CCCL and of the CUDA runtime headers that it wants. ImportError where they are missing."""
    if "cccl" not in _once:
        from cuda.pathfinder import find_nvidia_header_directory as find
        cccl = find("cccl")
        if cccl is None:
            raise ImportError("this kernel needs the CCCL headers: `pip install gpusci[cuda13]` (or gpusci[cuda12]).")
        _once["cccl"] = [str(f) for f in (cccl, find("cudart")) if f]
    return _once["cccl"]


def _cccl_identity(folder):
    version = Path(folder, "cuda", "__cccl_config") if folder else None
    for candidate in (Path(folder, "cuda/std/__cccl/version.h"), Path(folder, "cuda/version"), version):
        if candidate.is_file():
            return file_identity(str(candidate))
    return folder


class _Unit(NamedTuple):
    """One kernel for NVRTC."""

    key: str
    text: str
    name: str
    flags: tuple
    folders: tuple
    cccl: tuple                 # headers of CCCL that it reaches


def cuda_symbol(source, name):
    """What profilers show: the row's name, and what tells its instantiations apart."""
    return f"gpusci_{re.sub(r'[^0-9A-Za-z_]', '_', name)}_{digest(source)[:8]}"


def cuda_options(exact):
    """The options of `compile_cuda` for a kernel whose products must not be contracted into sums, or may be."""
    return ("--fmad=false",) if exact else ()


def _unit(source, name, arch, options, needs_cccl=None):
    closure, foreign = _closure(source)
    cccl = _cccl_headers(foreign)
    folders = _cccl_dirs() if (bool(cccl) if needs_cccl is None else needs_cccl) else []
    flags = (*CUDA_FLAGS, f"-arch={arch}", *options)
    # Lines of users' texts keep their numbers in messages.
    text = f"#define gpusci_entry {cuda_symbol(source, name)}\n#line 1\n{source}\n#undef gpusci_entry\n"
    key = digest("cuda", text, closure, nvrtc_identity(), *(map(_cccl_identity, folders[:1])), *flags)
    return _Unit(key, text, name, flags, tuple(folders), tuple(cccl))


def compile_cuda(source, *, name="kernel", arch, options=(), needs_cccl=None):
    """Cubin (bytes) that holds `source` for `arch` ("sm_90"), perhaps with others; its symbol is `cuda_symbol(source, name)`.

    Where NVRTC is older than the architecture, PTX for the newest it knows comes back instead, for the driver to
    finish. `needs_cccl`: None finds out from the headers. CompileError carries the log.
    """
    unit = _unit(source, name, arch, options, needs_cccl)
    return _cached("cuda", unit.key, ".cubin", lambda: _build_cuda(unit))[1]


def compile_together(jobs):
    """Make NVRTC compile the CUDA jobs that are not cached in one run: headers are read once, kernels optimised in parallel.

    `compile_cuda` finds them in the cache then. What cannot go together is left to it, errors too.
    """
    cache, units = open_cache(), {}
    for job in jobs:
        with contextlib.suppress(CompileError, ImportError):
            unit = _unit(job.source, job.name, job.arch, job.options)
            units[unit.key] = unit
    first = next(iter(units), "")
    if len(_missing(cache, units)) < 2:                 # a process that finds all of it cached takes no lock
        return
    with _one_at_a_time(first), cache.lock("cuda", first):
        missing = _missing(cache, units)                # another thread or process may have made it meanwhile
        if len(missing) < 2:
            return
        flags = [*known_arch(missing[0].flags), *(f"-I{f}" for f in _include_dirs), "--split-compile=0"]
        binary, _ = run_nvrtc("".join(unit.text for unit in missing), missing[0].name, flags)
        for unit in missing if binary is not None else ():
            cache.store(cache.path("cuda", unit.key, ".cubin"), binary)


def _missing(cache, units):
    """The units that can be compiled together and are not there; whether an entry is whole is seen when it is loaded."""
    missing = [unit for unit in units.values() if not cache.path("cuda", unit.key, ".cubin").exists()]
    return [unit for unit in missing if not unit.cccl and unit.flags == missing[0].flags]


def _cccl_headers(foreign):
    return sorted(h for h in foreign if h.startswith(("cuda/", "cub/", "thrust/")))


def cuda_flags(source, arch, options=()):
    """All of NVRTC's flags for a source, include folders too: what `run_nvrtc` needs."""
    folders = _cccl_dirs() if _cccl_headers(_closure(source)[1]) else []
    flags = known_arch((*CUDA_FLAGS, f"-arch={arch}", *options))
    return [*flags, *(f"-I{f}" for f in (*_include_dirs, *folders))]


def _build_cuda(unit):
    text, flags = unit.text, [*known_arch(unit.flags), *(f"-I{f}" for f in (*_include_dirs, *unit.folders))]
    with contextlib.ExitStack() as stack:
        if unit.cccl and nvrtc_version() >= (12, 8):
            stack.enter_context(_pch_lock)
            text, flags = _with_pch(text, flags, unit.cccl)
        binary, log = run_nvrtc(text, unit.name, flags)
    if binary is None:
        raise CompileError(f"{_describe(unit.text, unit.name)} does not compile with NVRTC {nvrtc_version()}, {flags}:", log)
    return binary


_pch_lock = threading.Lock()        # NVRTC's precompiled-header heap belongs to the process
_pch = {}                           # (CCCL headers, flags) -> kernels seen so far, then the file ("" where none came)
_pch_folder = None
_pch_after = 2                      # making one costs what it saves on two kernels; workers of compile_many set 0


def _with_pch(source, flags, cccl):
    """Source and flags that use a precompiled header of the prelude and the CCCL headers the kernel reaches.

    Call with _pch_lock held.
    """
    global _pch_folder
    kind = (*cccl, *flags)
    seen = _pch.setdefault(kind, 0)
    prelude = PRELUDE + "".join(f"#include <{header}>\n" for header in cccl)
    if isinstance(seen, int):
        if seen < _pch_after:
            _pch[kind] += 1
            return source, flags
        if _pch_folder is None:
            _pch_folder = tempfile.TemporaryDirectory(prefix="gpusci-pch-")
        file = os.path.join(_pch_folder.name, f"{len(_pch)}.pch")
        made, _ = run_nvrtc(prelude, "prelude", [*flags, f"--create-pch={file}"])
        _pch[kind] = file if made is not None and os.path.exists(file) else ""
    if not _pch[kind]:
        return source, flags
    return prelude + source, [*flags, f"--use-pch={_pch[kind]}"]


# ---- many at once

class Job(NamedTuple):
    """One kernel to compile: kind "host" or "cuda"."""

    kind: str
    source: str
    name: str = "kernel"
    arch: str = "sm_90"
    options: tuple = ()


def compile_job(job):
    """The job's path (host) or cubin (cuda); a CompileError is returned, not raised, so that all failures show."""
    try:
        if job.kind == "host":
            return compile_host(job.source, name=job.name, options=job.options)
        return compile_cuda(job.source, name=job.name, arch=job.arch, options=job.options)
    except CompileError as error:
        return error


def compile_many(jobs, workers=2, done=None):
    """Results of `jobs` in order (path, cubin, or the CompileError), `workers` at a time.

    `done(job, result)` is called after each one, for progress displays.
    """
    jobs = [job if isinstance(job, Job) else Job(*job) for job in jobs]
    results = [None] * len(jobs)
    host = [i for i, job in enumerate(jobs) if job.kind == "host"]
    cuda = [i for i, job in enumerate(jobs) if job.kind == "cuda"]

    def finish(i, result):
        results[i] = result
        if done is not None:
            done(jobs[i], result)

    with ThreadPoolExecutor(workers) as pool:         # each thread waits for its own compiler process
        for i, result in zip(host, pool.map(compile_job, [jobs[i] for i in host])):
            finish(i, result)
    if len(cuda) < 2 * workers or workers < 2:
        for i in cuda:
            finish(i, compile_job(jobs[i]))
        return results
    import multiprocessing
    context = multiprocessing.get_context("spawn")    # a forked child must not inherit a CUDA context
    with context.Pool(workers, initializer=_adopt, initargs=(tuple(_include_dirs),)) as pool:
        # Chunks keep kernels of one header, which share a precompiled header, in one process.
        for i, result in zip(cuda, pool.imap(compile_job, [jobs[i] for i in cuda], chunksize=4)):
            finish(i, result)
    return results


def _adopt(folders):
    global _pch_after
    _include_dirs[:] = folders
    _pch_after = 0
