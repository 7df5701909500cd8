"""The disk cache of compiled kernels, and the header closure its keys are made of.

An entry is one file, `<kind>/<key[:2]>/<key><suffix>`: the compiled bytes followed by a trailer with their checksum (an
ELF loader ignores what follows the image). Entries are content-keyed and written by `os.replace`, so readers need no
lock; a per-shard file lock only keeps many processes from compiling one kernel at the same time.
"""

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import threading
import time
import warnings
from pathlib import Path

try:
    import fcntl
except ImportError:                      # Windows: no cross-process lock; the worst case is work done twice
    fcntl = None

__all__ = ["CacheError", "DiskCache", "HeaderIndex", "cache_root", "digest", "file_identity"]

FORMAT = b"gpusci-cache-1"               # raise the number when the meaning of an entry changes
_MAGIC = b"GPUSCI01"
_TRAILER = len(_MAGIC) + 32
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


class CacheError(PermissionError):
    """The kernel cache folder cannot be trusted: code from it would run in this process."""


def digest(*parts):
    """Hex digest of byte strings; lengths are mixed in, so that parts cannot run into each other."""
    h = hashlib.blake2b(FORMAT, digest_size=20)
    for part in parts:
        part = part.encode() if isinstance(part, str) else part
        h.update(len(part).to_bytes(8, "little"))
        h.update(part)
    return h.hexdigest()


def file_identity(path):
    """Size and time stand for a program's version: asking it would cost each process a few milliseconds."""
    path = os.path.realpath(path)
    try:
        info = os.stat(path)
    except OSError:
        return path
    return f"{path}:{info.st_size}:{info.st_mtime_ns}"


def cache_root():
    """Folder of the kernel cache: GPUSCI_CACHE_DIR, XDG_CACHE_HOME/gpusci or ~/.cache/gpusci. Not created here."""
    chosen = os.environ.get("GPUSCI_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and os.path.isabs(base) else Path("~/.cache").expanduser()) / "gpusci"


def _require_private(folder):
    """Refuse a folder into which somebody else could put code."""
    if not hasattr(os, "getuid"):
        return
    info = folder.stat()
    advice = "remove it, or set GPUSCI_CACHE_DIR to a folder of your own"
    if info.st_uid != os.getuid():
        raise CacheError(f"the kernel cache {folder} belongs to user id {info.st_uid}, not to you ({os.getuid()}); {advice}")
    if info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(f"the kernel cache {folder} is writable by other users; run `chmod go-w '{folder}'`, {advice}")


class DiskCache:
    """Compiled kernels under one private folder. Every method may be called from any thread or process."""

    def __init__(self, root):
        self.root = Path(root)
        _require_private(_make_folder(self.root))

    def path(self, kind, key, suffix):
        return self.root / kind / key[:2] / f"{key}{suffix}"

    def load(self, path):
        """The entry's bytes, or None where there is none; a damaged one is removed and counts as none."""
        try:
            blob = path.read_bytes()
        except FileNotFoundError:
            return None
        body, trailer = blob[:-_TRAILER], blob[-_TRAILER:]
        if trailer == _MAGIC + hashlib.blake2b(body, digest_size=32).digest():
            return body
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        return None

    def store(self, path, body):
        """Write an entry so that every reader sees either nothing or all of it."""
        _make_folder(path.parent)
        self.replace(path, body + _MAGIC + hashlib.blake2b(body, digest_size=32).digest())

    def replace(self, path, blob):
        """Atomic write without a trailer, for files a compiler reads itself."""
        fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(blob)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise

    @contextlib.contextmanager
    def lock(self, kind, key):
        """Hold off other processes that want to make the same entry. Advisory: file systems without locks are fine."""
        if fcntl is None:
            yield
            return
        folder = _make_folder(self.root / "lock")
        with open(folder / f"{kind}-{key[:2]}", "ab") as file:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield
            finally:                                  # closing is not enough where a child of a fork has the file, too
                with contextlib.suppress(OSError):
                    fcntl.flock(file, fcntl.LOCK_UN)

    def folder(self, name):
        return _make_folder(self.root / name)

    def prune(self, name, days=30):
        """Remove subfolders made more than `days` ago: precompiled headers are 20 MB each, and soon made again."""
        oldest = time.time() - days * 86400
        for folder in self.folder(name).iterdir():
            with contextlib.suppress(OSError):
                if folder.stat().st_mtime < oldest:
                    shutil.rmtree(folder)


def _make_folder(path):
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


_opened = {}
_opening = threading.Lock()


def open_cache():
    """The cache at the place the environment names now. Where no folder can be made, a temporary one, with a warning."""
    root = cache_root()
    cache = _opened.get(root)
    if cache is not None:
        return cache
    with _opening:
        if root in _opened:
            return _opened[root]
        try:
            cache = DiskCache(root)
            if not os.access(root, os.W_OK):
                raise OSError("read-only")
        except CacheError:
            raise
        except OSError as error:
            warnings.warn(f"gpusci cannot write its kernel cache {root} ({error}); kernels are compiled anew by every "
                          "process. Set GPUSCI_CACHE_DIR to a writable folder.", RuntimeWarning, stacklevel=2)
            cache = DiskCache(tempfile.mkdtemp(prefix="gpusci-"))
        return _opened.setdefault(root, cache)


class HeaderIndex:
    """Which of our headers a source includes, however deep, and what is in them.

    Files are read once and again only when size or modification time changed, so a session that edits a header
    recompiles. Headers outside the given folders (the compiler's, CCCL's) are only named: their version is in the key.
    """

    def __init__(self):
        self._files = {}                              # path -> ((mtime_ns, size), content digest, includes)

    def closure(self, source, folders):
        """(list of (path, content digest) of our headers in order of first use, set of foreign header names)."""
        found, foreign = {}, set()
        todo = [(None, kind, name) for kind, name in _INCLUDE.findall(source)][::-1]
        while todo:
            parent, kind, name = todo.pop()
            path = _resolve(parent, kind, name, folders)
            if path is None:
                foreign.add(name)
            elif path not in found:
                found[path], includes = self._read(path)
                todo += [(path.parent, k, n) for k, n in includes][::-1]
        return list(found.items()), foreign

    def _read(self, path):
        info = path.stat()
        stamp = (info.st_mtime_ns, info.st_size)
        known = self._files.get(path)
        if known is None or known[0] != stamp:
            text = path.read_bytes()
            includes = _INCLUDE.findall(text.decode("utf-8", "replace"))
            known = self._files[path] = (stamp, hashlib.blake2b(text, digest_size=20).hexdigest(), includes)
        return known[1:]


def _resolve(parent, kind, name, folders):
    for folder in ([parent] if kind == '"' and parent else []) + list(folders):
        path = folder / name
        if path.is_file():
            return Path(os.path.normpath(path))
    return None
