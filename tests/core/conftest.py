"""Makes the helper modules of this folder importable by its tests; leaves tests that choose kernels themselves to the first pass."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))


def pytest_collection_modifyitems(config, items):
    """With GPUSCI_HOST_KERNELS, the second pass of `make test`: only what has not run on the kernels in the first one."""
    if os.environ.get("GPUSCI_HOST_KERNELS", "0") in ("", "0"):
        return
    done = [item for item in items if {"way", "kernels"} & set(item.fixturenames)]
    config.hook.pytest_deselected(items=done)
    items[:] = [item for item in items if item not in set(done)]
