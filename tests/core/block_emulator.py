"""Block kernels on the host, for tests: see block_emulator.h."""

import ctypes
import hashlib
import pathlib
import re
import subprocess

import gpusci
from gpusci.core import reduction
from gpusci.core.host import HOST, Host

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(gpusci.__file__).parent


def compile_block(source, folder):
    """The shared library of a block kernel's two-line source, compiled against the emulator."""
    kernel = re.search(r"GPUSCI_BLOCK_ENTRY\(\w+, (.*)\) \}", source).group(1)
    args = "std::remove_const_t<std::remove_reference_t<gpusci::arguments>>"
    text = source.replace(" }\n", f" using arguments = {kernel}::Args; }}\n") + f"EMULATOR_ENTRY({args})\n"
    text = f'#include "{HERE}/block_emulator.h"\n' + text
    includes = ["-I", str(PACKAGE / "core" / "include"), "-I", str(PACKAGE)]
    stamp = hashlib.sha256(text.encode())
    for header in sorted(PACKAGE.glob("core/include/gpusci/*.h")):
        stamp.update(header.read_bytes())
    stamp.update((HERE / "block_emulator.h").read_bytes())
    path = pathlib.Path(folder) / f"{stamp.hexdigest()[:24]}.so"
    if not path.exists():
        cpp = path.with_suffix(".cpp")
        cpp.write_text(text)
        command = ["g++", "-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-ffp-contract=off", *includes, cpp, "-o", path]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:4000]
    return ctypes.CDLL(str(path))


class Emulated:
    """What core expects of a loaded block kernel."""

    def __init__(self, library, threads):
        self.library, self.threads = library, threads

    def start_blocks(self, blocks, words, shared=0):
        self.library.gpusci_entry_blocks(
            ctypes.c_int64(blocks), self.threads, ctypes.create_string_buffer(words, len(words) + 16)
        )


def emulate_blocks(monkeypatch, folder):
    """Make the host device run block kernels (slowly) and the functions choose them."""
    plain = Host.load

    def load(self, entry, name, threads=256, grain=4096, block=False, exact=False):
        if not block:
            return plain(self, entry, name, threads, grain, block)
        library = compile_block(entry, folder)

        return Emulated(library, threads)

    monkeypatch.setattr(Host, "load", load)
    monkeypatch.setattr(reduction, "has_blocks", lambda device: True)
    monkeypatch.setattr(reduction, "_plans", {})
    monkeypatch.setattr(HOST, "uses_numpy", False)
