"""`gpusci.info()`: devices, libraries, subpackages, in one page."""

from gpusci.core._version import __version__

__all__ = ["info"]

LIBRARIES = ("numpy", "scipy", "cuda-bindings", "cuda-core", "nvmath-python", "cuda-cccl", "nvidia-cuda-nvrtc")


class Info(dict):
    """A dict that prints as a page."""

    def __repr__(self):
        lines = [f"gpusci {self['version']}", "", "devices"]
        lines += [f"  {name}: {text}" for name, text in self["devices"].items()]
        if self["why_no_gpu"]:
            lines.append(f"  no GPU: {self['why_no_gpu']}")
        lines += ["", "libraries"] + [f"  {name} {version or 'not installed'}" for name, version in self["libraries"].items()]
        lines += ["", "subpackages"]
        for name, row in self["subpackages"].items():
            counts = ", ".join(f"{number} {status}" for status, number in row["names"].items())
            lines.append(f"  {name} {row['version']} (SciPy {row['scipy']}): {counts}")
        return "\n".join(lines)


def info():
    """Devices, the reason why no GPU is used (if so), versions of libraries and subpackages, counts of public names."""
    from gpusci.core import cuda, subpackage
    from gpusci.core._launch import thread_count

    found = {"host": f"{thread_count()} threads"}
    reason = cuda.why_not()
    if reason is None:
        for index in range(cuda.count()):
            gpu = cuda.gpu(index)
            found[gpu.name] = f"{gpu.title}, {gpu.arch}, {gpu.total_memory / 2**30:.0f} GiB"
    packages = {}
    for name in subpackage.names():
        module, counts = subpackage.load(name), {}
        for status in subpackage.api(name).values():
            counts[status] = counts.get(status, 0) + 1
        packages[name] = {"version": module.__version__, "scipy": getattr(module, "SCIPY", None), "names": counts}
    return Info(version=__version__, devices=found, why_no_gpu=reason, libraries={n: _version(n) for n in LIBRARIES},
                subpackages=packages)  # fmt: skip


def _version(name):
    from importlib import metadata  # not at the top: it is a quarter of the time that importing gpusci takes

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
