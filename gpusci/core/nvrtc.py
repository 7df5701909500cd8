"""NVRTC itself: which library, what stands for its version, and one run of it. `compiler.py` is its only caller."""

import functools
import importlib
import os
import re
import sys
from pathlib import Path

from .compile_cache import file_identity
from .errors import CompileError

__all__ = ["known_arch", "nvrtc_identity", "nvrtc_version", "run_nvrtc"]


def _bindings(name):
    """A module of cuda-bindings."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError("gpusci compiles its CUDA kernels with NVRTC, through the cuda-bindings package, which is not "
                          "installed: `pip install gpusci[cuda13]` (or gpusci[cuda12] for a CUDA 12 driver).") from error


def _check(nvrtc, result, what):
    if result[0] != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise CompileError(f"NVRTC: {what} failed with {result[0].name}")
    return result[1] if len(result) == 2 else result[1:]


@functools.cache
def nvrtc_version():
    """(major, minor) of the NVRTC library. ImportError where cuda-bindings or the library is missing."""
    nvrtc = _bindings("cuda.bindings.nvrtc")
    try:
        return tuple(_check(nvrtc, nvrtc.nvrtcVersion(), "asking its version"))
    except CompileError:
        raise
    except Exception as error:                        # pathfinder's own classes differ between its versions
        raise ImportError(f"the NVRTC library was not found ({error}); `pip install gpusci[cuda13]` (or "
                          "gpusci[cuda12]) installs it.") from error


@functools.cache
def nvrtc_identity():
    """What stands for NVRTC's version in keys: importing its bindings and loading the library would cost a cached start 0.2 s.

    Every place that cuda.pathfinder looks into counts, so that the one it takes does.
    """
    version = _bindings("cuda.bindings").__version__
    homes = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX")] + ["/usr/local/cuda"]
    found = [p for folder in sys.path for p in Path(folder).glob("nvidia/*/lib/libnvrtc.so.*")]
    found += [p for home in homes if home for sub in ("lib64", "lib") for p in Path(home, sub).glob("libnvrtc.so*")]
    libraries = dict.fromkeys(file_identity(str(p)) for p in found) or [str(nvrtc_version())]
    return "\n".join([version, *libraries])


@functools.cache
def _known_archs():
    nvrtc = _bindings("cuda.bindings.nvrtc")
    nvrtc_version()
    return _check(nvrtc, nvrtc.nvrtcGetSupportedArchs(), "listing architectures")


def known_arch(flags):
    """The flags with an architecture NVRTC knows; virtual (PTX) where it is older than the GPU."""
    known, out = _known_archs(), []
    for flag in flags:
        wanted = re.fullmatch(r"-arch=sm_(\d+)[af]?", flag)
        if wanted and int(wanted[1]) not in known:
            older = [a for a in known if a < int(wanted[1])]
            if not older:
                raise CompileError(f"NVRTC {nvrtc_version()} no longer compiles for sm_{wanted[1]}; it knows {known}. "
                                   "Use gpusci[cuda12] for older GPUs.")
            flag = f"-arch=compute_{max(older)}"
        out.append(flag)
    return out


def run_nvrtc(source, name, flags):
    """(cubin or PTX, or None where it failed; the log). No cache."""
    nvrtc = _bindings("cuda.bindings.nvrtc")
    program = _check(nvrtc, nvrtc.nvrtcCreateProgram(source.encode(), f"{name}.cu".encode(), 0, [], []), "creating")
    try:
        arguments = [flag.encode() for flag in flags]
        failed = nvrtc.nvrtcCompileProgram(program, len(arguments), arguments)[0] != nvrtc.nvrtcResult.NVRTC_SUCCESS
        log = _fetch(nvrtc, program, "ProgramLog").rstrip(b"\0").decode("utf-8", "replace")
        if failed:
            return None, log
        virtual = any(flag.startswith("-arch=compute_") for flag in flags)
        return _fetch(nvrtc, program, "PTX" if virtual else "CUBIN"), log
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _fetch(nvrtc, program, what):
    size = _check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program), what)
    buffer = bytearray(size)
    _check_done(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer), what)
    return bytes(buffer)


def _check_done(nvrtc, result, what):
    if result[0] != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise CompileError(f"NVRTC: fetching {what} failed with {result[0].name}")
