"""Makes the helper modules of this folder importable by its tests; leaves tests that choose kernels themselves to the first pass."""

import os
import pathlib
import sys

import pytest

from gpusci.core import cuda

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.fixture(scope="module")
def gpu(request, tmp_path_factory):
    """The pretended GPU, for files whose tests are run by `pretend_gpu.run_alone`."""
    import pretend_gpu

    if not pretend_gpu.is_alone(request.module.__file__):
        pytest.skip("test_in_a_process_of_their_own runs it")
    if cuda.why_not() is None:
        pytest.skip("there is a real GPU, whose driver the pretended one's would replace")
    return pretend_gpu.PretendGpu(tmp_path_factory.mktemp("gpu"), False)


def pytest_collection_modifyitems(config, items):
    """With GPUSCI_HOST_KERNELS, the second pass of `make test`: only what has not run on the kernels in the first one."""
    if os.environ.get("GPUSCI_HOST_KERNELS", "0") in ("", "0"):
        return
    done = [item for item in items if {"way", "kernels"} & set(item.fixturenames)]
    config.hook.pytest_deselected(items=done)
    items[:] = [item for item in items if item not in set(done)]
