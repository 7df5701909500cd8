"""Pulse-Doppler radar: simulated echoes with known targets, then a real cloud-radar scan.

The functions take any array that NumPy's functions accept: NumPy arrays with SciPy's modules, or gpusci arrays (on the GPU
or the host) with gpusci's.
"""

import types

import numpy as np
import scipy.ndimage
from compare import agreement, run_both, show
from reference_radar import Radar

import gpusci
from gpusci import ndimage, radar

PULSES, SAMPLES, CHIRP = 128, 4096, 256
GUARD, REFERENCE, PFA = (3, 4), (6, 12), 1e-6
# range bin, Doppler bin, signal-to-noise ratio of one sample in dB (compression and Doppler add 45 dB)
TARGETS = [(400, 20, -28), (900, 100, -25), (905, 64, -24), (1500, 40, -30), (2200, 90, -26), (3100, 25, -29), (3500, 110, -22)]

OURS = types.SimpleNamespace(xp=gpusci, ndimage=ndimage, radar=radar, numbers=range)
SCIPY = types.SimpleNamespace(xp=np, ndimage=scipy.ndimage, radar=Radar(workers=-1), numbers=range)


def simulate(seed=7):
    """Received samples (pulses, fast time) as complex64, and the transmitted chirp."""
    rng = np.random.default_rng(seed)
    t = np.arange(CHIRP)
    chirp = np.exp(1j * np.pi * 0.8 / CHIRP * (t - CHIRP / 2) ** 2)  # linear sweep over 0.8 of the band
    pulse = np.arange(PULSES)
    echoes = (rng.normal(size=(PULSES, SAMPLES)) + 1j * rng.normal(size=(PULSES, SAMPLES))) / np.sqrt(2)
    for cell, doppler, snr in TARGETS:
        echoes[:, cell : cell + CHIRP] += 10 ** (snr / 20) * np.exp(2j * np.pi * doppler / PULSES * pulse)[:, None] * chirp
    # Ground clutter: strong near the radar, standing still but for a slow drift of its amplitude.
    ground = (rng.normal(size=SAMPLES) + 1j * rng.normal(size=SAMPLES)) * 8 * np.exp(-np.arange(SAMPLES) / 500)
    echoes += ground * (1 + 0.001 * rng.normal(size=PULSES))[:, None]
    return echoes.astype(np.complex64), chirp.astype(np.complex64)


def compress(echoes, chirp, lib):
    """Echoes of moving targets (what does not move is clutter), each drawn together into its range bin."""
    return lib.radar.pulse_compression(echoes - echoes.mean(axis=0), chirp)


def doppler_power(compressed, lib):
    """Power map (Doppler, range)."""
    return lib.xp.abs(lib.radar.pulse_doppler(compressed, window="hamming")) ** 2


def cfar(power, lib):
    """Cells above the noise around them."""
    return lib.radar.ca_cfar(power, GUARD, REFERENCE, PFA)[1]


def clusters(power, hits, lib):
    """The strongest cell of each cluster of detections."""
    labels, count = lib.ndimage.label(hits, structure=np.ones((3, 3)))
    return lib.ndimage.maximum_position(power, labels, lib.numbers(1, int(count) + 1))


def detect(echoes, chirp, lib):
    """Power map, detections, and the strongest cell of each cluster."""
    power = doppler_power(compress(echoes, chirp, lib), lib)
    hits = cfar(power, lib)
    return power, hits, clusters(power, hits, lib)


def check_truth(cells):
    """How many targets were found (within one cell), and what was found elsewhere: guard cells around a target are its own."""
    found = [(int(r), int(d)) for d, r in cells]
    hit = [any(abs(r - cell) <= 1 and abs(d - doppler) <= 1 for r, d in found) for cell, doppler, _ in TARGETS]
    extra = [(r, d) for r, d in found if not any(abs(r - c) <= GUARD[1] and abs(d - dop) <= GUARD[0] for c, dop, _ in TARGETS)]
    return sum(hit), extra


def segment_weather(snr, lib):
    """Despeckled signal-to-noise ratio, echo regions (labels), their sizes and mean levels; gates under 3 dB are clear air."""
    smooth = lib.ndimage.median_filter(snr, size=(5, 3), mode="nearest")
    smooth = lib.ndimage.gaussian_filter(smooth, (2.0, 0.7), mode="nearest")
    labels, count = lib.ndimage.label(smooth > 3.0)
    index = np.arange(1, int(count) + 1)
    size = lib.ndimage.sum_labels(labels > 0, labels, index)
    level = lib.ndimage.sum_labels(smooth, labels, index) / size
    return smooth, labels, size, level


def main(progress=print):
    progress("radar: simulating echoes")
    echoes, chirp = simulate()
    progress("radar: compression, Doppler, CFAR")
    ours, scipy_result, times = run_both(detect, (echoes, chirp), OURS, SCIPY)
    found, extra = check_truth(ours[2])
    report = {
        "targets found": f"{found} of {len(TARGETS)}",
        "false alarms": f"{len(extra)} (expected {PFA * ours[1].size:.1f})",
        "power map, difference to SciPy": agreement(ours[0], scipy_result[0]),
        "same detections as SciPy": f"{(ours[1] == scipy_result[1]).mean():.6%} of cells",
        **times,
    }
    picture(ours, "radar")
    show("Radar pipeline", report)
    if gpusci.current_device().kind == "cuda":
        from radar_stages import show_stages

        show_stages(echoes, chirp)

    from samples import weather_sweeps

    progress("radar: real cloud-radar scan")
    snr = weather_sweeps()
    ours, scipy_result, times = run_both(segment_weather, (snr,), OURS, SCIPY)
    large = int((ours[2] >= 50).sum())
    report_weather = {
        "scan": f"{snr.shape[0]} rays x {snr.shape[1]} gates",
        "echo regions": f"{len(ours[2])}, {large} of 50 cells or more",
        "despeckled, difference to SciPy": agreement(ours[0], scipy_result[0]),
        "same labels as SciPy": f"{(ours[1] == scipy_result[1]).mean():.6%} of cells",
        **times,
    }
    weather_picture(snr, ours)
    show("Weather radar", report_weather)
    return found == len(TARGETS)


def picture(result, name):
    from compare import figure

    power, _, cells = result
    with figure(name) as plt:
        plt.imshow(10 * np.log10(power + 1e-3), aspect="auto", origin="lower", vmin=20, cmap="magma")
        plt.colorbar(label="power (dB)")
        plt.plot([r for _, r in cells], [d for d, _ in cells], "o", mfc="none", mec="cyan", label="detected")
        plt.plot([t[0] for t in TARGETS], [t[1] for t in TARGETS], "w+", label="truth")
        plt.xlabel("range bin")
        plt.ylabel("Doppler bin")
        plt.legend(loc="upper right")


def weather_picture(snr, result):
    from compare import figure

    with figure("weather", rows=3) as plt:
        regions = np.ma.masked_equal(result[1], 0) % 20         # neighbours mostly differ in colour; none outside of regions
        for k, (title, image) in enumerate((("measured (dB)", snr), ("despeckled (dB)", result[0]), ("regions", regions)), 1):
            plt.subplot(3, 1, k)
            plt.imshow(image.T, aspect="auto", origin="lower", cmap="tab20" if k == 3 else "viridis", interpolation="nearest")
            plt.title(title)
            plt.ylabel("gate")
        plt.xlabel("ray")


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
