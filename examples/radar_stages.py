"""The radar pipeline on a GPU stage by stage: gpusci's time, CuPy's where it is installed, and the time that moving the bytes takes.

All times are by device events around a stage whose input is ready; "end to end" is one call of the whole pipeline.
"""

import types
from statistics import median

import numpy as np
import radar_pipeline as radar
from compare import agreement, show
from reference_radar import Radar

import gpusci
from gpusci.core.cuda import call

# Least bytes a cell: what a stage has to read and write in device memory, however it is programmed.
LEAST = {
    "clutter and compression": 8 + 8 + 8,  # complex64 read for the mean and again to be filtered, written
    "Doppler and power": 8 + 4,  # complex64 read, float32 written
    "CFAR": 4 + 4 + 1,  # power read, threshold and detections written
    "clusters": 1 + 4 + 4 + 4,  # detections read, labels written; labels and power read
}


def event_timer(repeats=20, warm=3):
    """timer(function): median time in ms of its work on the default stream, after calls that are not counted."""
    gpusci.current_device().use()
    start, stop = (call("cuEventCreate", 0) for _ in range(2))

    def timer(function):
        times = []
        for _ in range(warm + repeats):
            call("cuEventRecord", start, 0)
            function()
            call("cuEventRecord", stop, 0)
            call("cuEventSynchronize", stop)
            times.append(call("cuEventElapsedTime", start, stop))
        return median(times[warm:])

    return timer


def copy_rate(timer, size=1 << 30):
    """Bytes a second, read and written, of a copy within device memory."""
    a, b = (gpusci.empty(size, np.uint8) for _ in range(2))
    return 2 * size / timer(lambda: call("cuMemcpyDtoDAsync", b.ptr, a.ptr, size, 0)) * 1e3


def stage_times(echoes, chirp, lib, timer):
    """Milliseconds of each stage and of the whole, and the pipeline's power map and detections as NumPy arrays."""
    echoes, chirp = lib.xp.asarray(echoes), lib.xp.asarray(chirp)
    compressed = radar.compress(echoes, chirp, lib)
    power = radar.doppler_power(compressed, lib)
    hits = radar.cfar(power, lib)
    stages = (
        lambda: radar.compress(echoes, chirp, lib),
        lambda: radar.doppler_power(compressed, lib),
        lambda: radar.cfar(power, lib),
        lambda: radar.clusters(power, hits, lib),
        lambda: radar.detect(echoes, chirp, lib),
    )
    return [timer(stage) for stage in stages], lib.xp.asnumpy(power), lib.xp.asnumpy(hits)


def cupy_library():
    """CuPy's modules as a library of the pipeline, or None where it is not installed."""
    try:
        import cupy
        import cupyx.scipy.fft
        import cupyx.scipy.ndimage
    except ImportError:
        return None
    fft, ndimage = cupyx.scipy.fft, cupyx.scipy.ndimage
    return types.SimpleNamespace(xp=cupy, ndimage=ndimage, radar=Radar(cupy, fft, ndimage), numbers=cupy.arange)


def show_stages(echoes, chirp):
    timer = event_timer()
    rate = copy_rate(timer)
    floor = [each * echoes.size / rate * 1e3 for each in LEAST.values()]
    ours, power, hits = stage_times(echoes, chirp, radar.OURS, timer)
    columns = {"gpusci, ms": ours, "floor, ms": [*floor, sum(floor)]}
    cupy = cupy_library()
    if cupy is not None:
        columns["CuPy, ms"], their_power, their_hits = stage_times(echoes, chirp, cupy, timer)
    names = (*LEAST, "end to end")
    rows = {name: [f"{times[i]:.4f}" for times in columns.values()] for i, name in enumerate(names)}
    show(f"Radar by stages (floor: least bytes at {rate / 1e12:.2f} TB/s, a copy here)", rows, ("", *columns))
    if cupy is not None:
        same = {"power map, difference to CuPy": agreement(power, their_power),
                "same detections as CuPy": f"{(hits == their_hits).mean():.6%} of cells"}  # fmt: skip
        show("The same result", same)
