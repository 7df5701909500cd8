"""The two compilers and the cache of what they made. Needs g++ (or CXX) and NVRTC; no GPU."""

import ctypes
import multiprocessing
import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest

from gpusci.core import compile_cache, compiler
from gpusci.core.compile_cache import CacheError, DiskCache, HeaderIndex

HEADER = """
#pragma once
#include <gpusci/entry.h>
namespace gpusci {
template <class X, class Y, class Index>
struct scale {
    struct Args { const X* x; Y* y; double factor; };
    HD static void at(Index i, const Args& a) { a.y[i] = Y(a.x[i] * a.factor); }
};
}
"""
SOURCE = '#include "plug/scale.h"\nGPUSCI_ENTRY(int32_t, gpusci::scale<float, {}, int32_t>)\n'
F, D = SOURCE.format("float"), SOURCE.format("double")


@pytest.fixture
def plug(tmp_path, monkeypatch):
    """A plugin's header folder, and an empty cache of its own."""
    monkeypatch.setenv("GPUSCI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiler, "_include_dirs", list(compiler.include_dirs()))
    (tmp_path / "plug").mkdir()
    (tmp_path / "plug" / "scale.h").write_text(HEADER)
    compiler.add_include_dir(tmp_path)
    return tmp_path / "plug" / "scale.h"


@pytest.fixture
def counted(monkeypatch):
    """How often each compiler really ran."""
    counts = {"host": 0, "cuda": 0}
    build, nvrtc = compiler.build_host, compiler.run_nvrtc

    def count_host(*args, **kwargs):
        counts["host"] += 1
        return build(*args, **kwargs)

    def count_cuda(*args, **kwargs):
        counts["cuda"] += 1
        return nvrtc(*args, **kwargs)

    monkeypatch.setattr(compiler, "build_host", count_host)
    monkeypatch.setattr(compiler, "run_nvrtc", count_cuda)
    return counts


def call(path, x, y, factor):
    args = (ctypes.c_uint64 * 3)(x.ctypes.data, y.ctypes.data, int(np.float64(factor).view(np.uint64)))
    ctypes.CDLL(path).gpusci_entry(ctypes.c_int64(0), ctypes.c_int64(x.size), args)


def test_host_code_runs(plug):
    x, y = np.arange(1000, dtype="f"), np.empty(1000)
    call(compiler.compile_host(D, name="scale"), x, y, 0.5)
    np.testing.assert_array_equal(y, x * 0.5)


def test_cuda_code_is_a_cubin_for_the_architecture(plug):
    cubin = compiler.compile_cuda(D, name="scale", arch="sm_90")
    assert cubin[:4] == b"\x7fELF" and compiler.cuda_symbol(D, "scale").encode() in cubin
    assert compiler.compile_cuda(D, name="scale", arch="sm_80") != cubin


def test_second_call_compiles_nothing(plug, counted):
    first = compiler.compile_host(F), compiler.compile_cuda(F, arch="sm_90")
    again = compiler.compile_host(F), compiler.compile_cuda(F, arch="sm_90")
    assert first == again and counted == {"host": 1, "cuda": 1}


def test_an_edited_header_recompiles_even_when_included_by_another(plug, counted):
    (plug.parent / "outer.h").write_text('#include "scale.h"\n')
    source = F.replace("scale.h", "outer.h")
    before = compiler.compile_host(source)
    plug.write_text(HEADER.replace("a.factor)", "a.factor + 1)"))
    after = compiler.compile_host(source)
    assert before != after and counted["host"] == 2
    x, y = np.ones(4, "f"), np.empty(4, "f")
    call(after, x, y, 2.0)
    np.testing.assert_array_equal(y, 3)


def test_flags_architecture_and_compiler_are_in_the_key(plug, counted, monkeypatch):
    paths = {compiler.compile_host(F), compiler.compile_host(F, options=("-DUNUSED=1",))}
    monkeypatch.setattr(compiler, "_program_identity", lambda word: "another compiler")
    paths.add(compiler.compile_host(F))
    monkeypatch.setitem(compiler._once, "machine", "another processor")
    paths.add(compiler.compile_host(F))
    assert len(paths) == 4 == counted["host"]


def test_kernels_that_compile_together_are_found_one_by_one(plug, counted):
    jobs = [compiler.Job("cuda", source, name, "sm_90") for source, name in ((F, "a b"), (D, "a b"), (F, "c"))]
    compiler.compile_together(jobs)
    assert counted["cuda"] == 1
    for job in jobs:
        symbol = compiler.cuda_symbol(job.source, job.name)
        assert symbol.isidentifier() and symbol.encode() in compiler.compile_job(job)
    compiler.compile_together(jobs)
    assert counted["cuda"] == 1 and len({compiler.cuda_symbol(job.source, job.name) for job in jobs}) == 3


def test_one_that_does_not_compile_leaves_the_others_alone(plug, counted):
    bad = F.replace("float, float", "float, nonsense")
    compiler.compile_together([compiler.Job("cuda", source, "x", "sm_90") for source in (F, bad)])
    assert compiler.compile_cuda(F, name="x", arch="sm_90")[:4] == b"\x7fELF"
    with pytest.raises(compiler.CompileError, match="nonsense"):
        compiler.compile_cuda(bad, name="x", arch="sm_90")


def test_an_unknown_header_in_one_leaves_the_others_together(plug, counted):
    compiler.compile_together([compiler.Job("cuda", source, "x") for source in ('#include "nowhere/x.h"\n', F, D)])
    assert counted["cuda"] == 1 and compiler.compile_cuda(D, name="x", arch="sm_90") and counted["cuda"] == 1


@pytest.mark.parametrize("arch", ["sm_90", "sm_999"])
def test_any_name_makes_a_symbol(plug, counted, arch):
    names = ["", "é ü", "a_b", "a b", "1st", "new\nline", 'q"uote\\', "x" * 300]
    jobs = [compiler.Job("cuda", source, name, arch) for name in names for source in (F, D)]
    compiler.compile_together(jobs)
    for job in jobs:
        assert compiler.cuda_symbol(job.source, job.name).encode() in compiler.compile_job(job)
    assert counted["cuda"] == 1


def test_lines_of_a_users_text_keep_their_numbers(plug):
    with pytest.raises(compiler.CompileError) as caught:
        compiler.compile_cuda('extern "C" __global__ void f() {\n\n nonsense; }\n', name="f", arch="sm_90")
    assert "f.cu(3): error" in caught.value.log


@pytest.mark.parametrize("damage", [b"", b"\x7fELF", None])
def test_a_damaged_entry_is_made_again(plug, counted, damage):
    path = compiler.compile_host(F)
    body = Path(path).read_bytes()
    Path(path).write_bytes(body[:-100] + b"x" + body[-99:] if damage is None else damage)
    assert compiler.compile_host(F) == path and counted["host"] == 2
    x, y = np.ones(3, "f"), np.empty(3, "f")
    call(path, x, y, 2.0)
    np.testing.assert_array_equal(y, 2)


@pytest.mark.parametrize("part", ["prelude.h.gch", "prelude.h"])
def test_a_damaged_prelude_is_made_again(plug, part):
    compiler.compile_host(F)
    for path in compiler.open_cache().folder("prelude").glob("*/" + part):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if part.endswith("gch") else b"{")
        path.with_name("prelude.h.gch").write_bytes(path.with_name("prelude.h.gch").read_bytes()[:5000])
    compiler.compile_host(D)
    compiler.compile_host(F, options=("-DUNUSED=1",))       # finds the prelude whole, or makes it
    for path in compiler.open_cache().folder("prelude").glob("*/prelude.h.gch"):
        assert path.stat().st_size > 5000


def test_threads_share_one_compilation(plug, counted):
    found = []
    threads = [threading.Thread(target=lambda: found.append(compiler.compile_host(F))) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(found)) == 1 and len(found) == 8 and counted["host"] == 1


def _in_process(folder, queue, together):
    compiler.add_include_dir(folder)
    runs = []
    name = "run_nvrtc" if together else "build_host"
    build = getattr(compiler, name)
    setattr(compiler, name, lambda *a, **k: (runs.append(1), build(*a, **k))[1])
    if together:
        compiler.compile_together([compiler.Job("cuda", source, "x") for source in (F, D)])
    queue.put((compiler.compile_cuda(D, name="x", arch="sm_90") if together else compiler.compile_host(F), len(runs)))


@pytest.mark.parametrize("together", [False, True])
def test_processes_share_one_compilation(plug, together):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    workers = [context.Process(target=_in_process, args=(str(plug.parent.parent), queue, together)) for _ in range(3)]
    for w in workers:
        w.start()
    found = [queue.get(timeout=60) for _ in workers]
    for w in workers:
        w.join()
    assert len({path for path, _ in found}) == 1 and sum(runs for _, runs in found) == 1


def test_errors_name_kernel_header_instantiation_and_hold_the_log(plug):
    bad = F.replace("float, float", "float, nonsense")
    for work in (compiler.compile_host, lambda s, **k: compiler.compile_cuda(s, arch="sm_90", **k)):
        with pytest.raises(compiler.CompileError) as caught:
            work(bad, name="scale")
        text = str(caught.value)
        assert "kernel scale" in text and "plug/scale.h" in text and "scale<float, nonsense, int32_t>" in text
        assert "nonsense" in caught.value.log


def test_a_failed_compilation_leaves_no_entry(plug):
    with pytest.raises(compiler.CompileError):
        compiler.compile_host(F.replace("float, float", "float, nonsense"))
    assert not list((plug.parent.parent / "cache").rglob("*.so"))


def test_an_unknown_header_says_how_to_add_its_folder(plug):
    with pytest.raises(compiler.CompileError, match="add_include_dir"):
        compiler.compile_host('#include "nowhere/x.h"\n')
    with pytest.raises(FileNotFoundError):
        compiler.add_include_dir(plug.parent / "nowhere")


def test_no_compiler_names_both_ways_to_get_one(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(compiler.shutil, "which", lambda name: None)
    monkeypatch.setattr(compiler, "find_spec", lambda name: None)
    with pytest.raises(compiler.CompileError) as caught:
        compiler.host_compiler()
    assert "apt install g++" in str(caught.value) and "pip install gpusci[zig]" in str(caught.value)


def test_cxx_may_hold_arguments_and_must_exist(monkeypatch):
    monkeypatch.setenv("CXX", "g++ -DEXTRA")
    assert compiler.host_compiler().command[1:] == ("-DEXTRA",)
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(compiler.CompileError, match="no-such-compiler"):
        compiler.host_compiler()


def test_a_gpu_newer_than_nvrtc_gets_ptx_and_an_older_one_a_sentence(plug):
    ptx = compiler.compile_cuda(F, arch="sm_999")
    assert ptx.startswith(b"//") and b".visible .entry gpusci_kernel_" in ptx and ptx.endswith(b"\0")
    with pytest.raises(compiler.CompileError, match="older GPUs"):
        compiler.compile_cuda(F, arch="sm_10")


def test_cccl_headers_are_found_when_a_kernel_wants_them(plug):
    plug.write_text(HEADER.replace("namespace gpusci {", "#include <cuda/std/cstdint>\nnamespace gpusci {", 1))
    assert compiler.compile_cuda(F, arch="sm_90")[:4] == b"\x7fELF"


def test_many_compile_in_order_and_failures_come_back(plug):
    bad = F.replace("float, float", "float, nonsense")
    jobs = [("host", F, "a"), ("cuda", D, "b", "sm_90"), ("host", bad, "c"), ("cuda", bad, "d", "sm_90"), ("host", D, "e")]
    seen = []
    a, b, c, d, e = compiler.compile_many(jobs, done=lambda job, result: seen.append(job.name))
    assert a.endswith(".so") and e.endswith(".so") and b[:4] == b"\x7fELF"
    assert isinstance(c, compiler.CompileError) and isinstance(d, compiler.CompileError)
    assert sorted(seen) == list("abcde")


def test_many_cuda_kernels_compile_in_worker_processes(plug):
    jobs = [("cuda", SOURCE.format(t), t, "sm_90") for t in ("float", "double", "int", "short", "nonsense")]
    *good, bad = compiler.compile_many(jobs, workers=2)
    assert all(cubin[:4] == b"\x7fELF" for cubin in good) and len(set(good)) == 4
    assert isinstance(bad, compiler.CompileError) and "nonsense" in bad.log


# ---- the cache by itself

def test_folder_is_private_and_others_are_refused(tmp_path):
    root = tmp_path / "cache"
    DiskCache(root)
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    root.chmod(0o770)
    with pytest.raises(CacheError, match="chmod go-w"):
        DiskCache(root)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_refused(tmp_path):
    root = tmp_path / "cache"
    root.mkdir(mode=0o700)
    os.chown(root, 12345, 12345)
    with pytest.raises(CacheError, match="belongs to user id 12345"):
        DiskCache(root)


def test_root_follows_the_environment(monkeypatch):
    monkeypatch.setenv("GPUSCI_CACHE_DIR", "/a/b")
    assert str(compile_cache.cache_root()) == "/a/b"
    monkeypatch.delenv("GPUSCI_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    assert str(compile_cache.cache_root()) == "/c/gpusci"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/x")
    assert str(compile_cache.cache_root()) == "/home/x/.cache/gpusci"


def test_an_impossible_folder_warns_once_and_works(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GPUSCI_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="GPUSCI_CACHE_DIR"):
        cache = compile_cache.open_cache()
    assert compile_cache.open_cache() is cache
    cache.store(cache.path("host", "abcd", ".so"), b"body")
    assert cache.load(cache.path("host", "abcd", ".so")) == b"body"


def test_entries_are_checked(tmp_path):
    cache = DiskCache(tmp_path / "c")
    path = cache.path("cuda", "abcdef", ".cubin")
    assert cache.load(path) is None
    cache.store(path, b"\0" * 1000)
    assert cache.load(path) == b"\0" * 1000
    path.write_bytes(path.read_bytes()[:-1])
    assert cache.load(path) is None and not path.exists()
    assert not list(path.parent.glob(".new-*"))


def test_old_precompiled_headers_are_removed(tmp_path):
    cache = DiskCache(tmp_path / "c")
    old, new = cache.folder("prelude") / "old", cache.folder("prelude") / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "prelude.h.gch").write_bytes(b"x")
    os.utime(old, (0, 0))
    cache.prune("prelude")
    assert [p.name for p in cache.folder("prelude").iterdir()] == ["new"]


def test_digest_does_not_run_parts_together():
    assert compile_cache.digest("ab", "c") != compile_cache.digest("a", "bc")


def test_closure_follows_quotes_brackets_and_cycles(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.h").write_text('#include "b.h"\n#include <lib/c.h>\n#include <vector>\n')
    (tmp_path / "lib" / "b.h").write_text('#include "a.h"\n  #  include "c.h"\n')
    (tmp_path / "lib" / "c.h").write_text("// #include <not/this.h>\n")
    ours, foreign = HeaderIndex().closure('#include "lib/a.h"\n', [tmp_path])
    assert [p.name for p, _ in ours] == ["a.h", "b.h", "c.h"] and foreign == {"vector"}
