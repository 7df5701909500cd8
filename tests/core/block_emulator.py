"""Block kernels on the host, for tests: see block_emulator.h."""

import ctypes
import os
import pathlib
import re
import subprocess

import gpusci
from gpusci.core import Kernel, compile_cache, compiler, reduction, scan
from gpusci.core.host import HOST, Host

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(gpusci.__file__).parent


class CannotCompile(AssertionError):
    """The emulator does not know everything CUDA has."""


def compile_block(source, folder):
    """The shared library of a block kernel's two-line source, compiled against the emulator."""
    return _compile(source, "EMULATOR_ENTRY", folder)


def compile_items(source, folder):
    """The same of an at-form kernel, for its CUDA branches: one thread takes all items."""
    return _compile(source, "EMULATOR_ITEMS_ENTRY", folder)


# A GPU stops at an access that is not aligned, and x86 does not: hence traps. Statics would be shared among libraries.
FLAGS = ["-std=c++17", "-O1", "-w", "-fPIC", "-ffp-contract=off", "-fno-gnu-unique", "-fsanitize=alignment",
         "-fsanitize-undefined-trap-on-error"]


def _compile(source, entry, folder):
    kernel = re.search(r"GPUSCI_(?:BLOCK_)?ENTRY\(\w+, (.*)\) \}", source).group(1)
    args = "std::remove_const_t<std::remove_reference_t<gpusci::arguments>>"
    body, end, _ = source.rpartition(" }")
    text = f"{body} using arguments = {kernel}::Args;{end}\n{entry}({args})\n"
    prelude = _prelude(pathlib.Path(folder))
    headers, _ = compiler._closure(source)
    path = pathlib.Path(folder) / f"{compile_cache.digest(text, headers, prelude.name, *FLAGS)}.so"
    if not path.exists():
        cpp = path.with_suffix(f".{os.getpid()}.cpp")           # processes share the folder
        cpp.write_text(text)
        include = ["-include", prelude / "emulator.h", "-I", PACKAGE / "core" / "include", "-I", PACKAGE]
        _gcc([*include, "-shared", cpp], path)
        cpp.unlink()
    return ctypes.CDLL(str(path))


def _prelude(folder):
    """Folder with the emulator, precompiled."""
    text = (HERE / "block_emulator.h").read_text()
    made = folder / f"prelude-{compile_cache.digest(text)}"
    if not (made / "emulator.h.gch").exists():
        made.mkdir(exist_ok=True)
        part = made / f"{os.getpid()}.h"
        part.write_text(text)
        part.replace(made / "emulator.h")
        _gcc(["-x", "c++-header", made / "emulator.h"], made / "emulator.h.gch")
    return made


def _gcc(arguments, path):
    part = path.with_suffix(f".{os.getpid()}")
    done = subprocess.run(["g++", *FLAGS, *map(str, arguments), "-o", str(part)], capture_output=True, text=True)
    if done.returncode:
        raise CannotCompile(done.stderr[:4000])
    part.replace(path)


class Emulated:
    """What core expects of a loaded block kernel."""

    started = []        # names of the kernels that ran since the last emulate_blocks

    def __init__(self, library, name, threads):
        self.library, self.name, self.threads = library, name, threads

    def start_blocks(self, blocks, words, shared=0):
        self.started.append(self.name)
        self.library.gpusci_set_shared(ctypes.c_uint64(shared))
        self.library.gpusci_entry_blocks(
            ctypes.c_int64(blocks), self.threads, ctypes.create_string_buffer(words, len(words) + 16)
        )


def emulate_blocks(monkeypatch, folder, rows=()):
    """Make the host device run block kernels (slowly) and the functions choose them. Returns the list of names that run.

    rows: those that forget what the host has loaded for them; what is no kernel among them is passed over.
    """
    plain = Host.load

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        if not block:
            return plain(self, entry, name, threads, grain, block)
        return Emulated(compile_block(entry, folder), name, threads)

    monkeypatch.setattr(Host, "load", load)
    monkeypatch.setattr(reduction, "has_blocks", lambda device: True)
    monkeypatch.setattr(reduction, "_plans", {})
    monkeypatch.setattr(scan, "_plans", {})
    monkeypatch.setattr(HOST, "uses_numpy", False)
    for row in rows:
        if isinstance(row, Kernel):
            monkeypatch.setattr(row, "_functions", {})
    Emulated.started.clear()
    return Emulated.started
