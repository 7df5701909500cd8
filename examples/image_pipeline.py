"""Astronomy: the Hubble deep field denoised, its sky removed, galaxies segmented, labelled and measured."""

import types

import numpy as np
import scipy.ndimage
from compare import agreement, run_both, show

import gpusci
from gpusci import ndimage

OURS = types.SimpleNamespace(xp=gpusci, ndimage=ndimage)
SCIPY = types.SimpleNamespace(xp=np, ndimage=scipy.ndimage)


def measure_galaxies(image, lib):
    """Denoised image, labels, and per object: pixels, flux, brightest pixel."""
    clean = lib.ndimage.median_filter(image, 3)
    sky = lib.ndimage.gaussian_filter(clean, 30)
    light = lib.ndimage.gaussian_filter(clean, 1) - sky
    noise = 1.4826 * lib.xp.median(lib.xp.abs(light - lib.xp.median(light)))  # robust standard deviation
    edges = lib.xp.sqrt(lib.ndimage.sobel(clean, 0) ** 2 + lib.ndimage.sobel(clean, 1) ** 2)
    labels, count = lib.ndimage.label(light > 3 * noise)
    index = np.arange(1, int(count) + 1)
    size = lib.ndimage.sum_labels(labels > 0, labels, index)
    flux = lib.ndimage.sum_labels(light, labels, index)
    peak = lib.ndimage.maximum_position(light, labels, index)
    return light, labels, size, flux, peak, edges


def main(progress=print):
    from samples import deep_field

    progress("image: Hubble deep field")
    image = deep_field()
    ours, scipy_result, times = run_both(measure_galaxies, (image,), OURS, SCIPY)
    big = ours[2] >= 12
    report = {
        "image": f"{image.shape[0]} x {image.shape[1]} pixels",
        "objects": f"{len(ours[2])}, {int(big.sum())} of 12 pixels or more",
        "light, difference to SciPy": agreement(ours[0], scipy_result[0]),
        "same labels as SciPy": f"{(ours[1] == scipy_result[1]).mean():.6%} of pixels",
        "fluxes, difference to SciPy": agreement(ours[3], scipy_result[3]) if len(ours[3]) == len(scipy_result[3]) else "other objects",
        **times,
    }
    picture(image, ours, big)
    show("Image pipeline", report)
    return (ours[1] == scipy_result[1]).mean() > 0.999


def picture(image, result, big):
    from compare import figure

    light, labels, _, flux, peak, _ = result
    with figure("galaxies") as plt:
        plt.imshow(image, cmap="gray")
        plt.contour(np.isin(labels, np.flatnonzero(big) + 1), [0.5], colors="tab:cyan", linewidths=0.5)
        for k in np.argsort(flux)[-12:]:
            plt.annotate(f"{flux[k]:.0f}", (peak[k][1], peak[k][0]), color="orange", fontsize=8, textcoords="offset points", xytext=(8, 8))
        plt.title(f"{int(big.sum())} objects; flux of the twelve brightest")


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
