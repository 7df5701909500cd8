"""Derivative filters: Prewitt, Sobel, Laplace, Gaussian Laplace and gradient magnitude, and their generic forms."""

import functools

import numpy as np

import gpusci as gs
from gpusci.core import args, ndarray, public
from gpusci.ndimage import _kernels
from gpusci.ndimage._arrays import check_axes, empty, fills, get_output, mode_number, overlap, sequence, store
from gpusci.ndimage._filters import correlate_taps, gaussian
from gpusci.ndimage._passes import Pass, run

__all__ = [
    "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude", "generic_laplace", "laplace", "prewitt",
    "sobel",
]  # fmt: skip

@public("input")
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """As `scipy.ndimage.prewitt`: a difference along `axis`, sums of three along the others."""
    return _difference(input, axis, output, mode, cval, (1.0, 1.0, 1.0))


@public("input")
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """As `scipy.ndimage.sobel`: a difference along `axis`, weights 1, 2, 1 along the others."""
    return _difference(input, axis, output, mode, cval, (1.0, 2.0, 1.0))


def _difference(input, axis, output, mode, cval, smooth):
    is_complex, ndim = input.dtype.kind == "c", input.ndim
    axis = args.normalize_axis(axis, ndim)
    output = get_output(output, input, complex_output=is_complex)
    modes = [mode_number(mode) for mode in sequence(mode, ndim)]
    steps = [_three_taps((-1.0, 0.0, 1.0), axis, modes[axis])]
    steps += [_three_taps(smooth, k, modes[k]) for k in range(ndim) if k != axis]
    return run(input, output, steps, fills(cval, is_complex))


@functools.lru_cache(256)
def _three_taps(weights, axis, number):
    """A pass with symmetric or antisymmetric weights."""
    return Pass("correlate1d", axis, 3, 1, number, np.array(weights), 1 if weights[0] == weights[2] else -1)


@public("input")
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """As `scipy.ndimage.laplace`: the sum of second differences 1, -2, 1 along `axes`."""
    is_complex = input.dtype.kind == "c"
    output = get_output(output, input, complex_output=is_complex)
    axes = check_axes(axes, input.ndim)
    modes = sequence(mode, len(axes))
    both = fills(cval, is_complex)
    if len(axes) > 1 and len(set(modes)) == 1 and (output.dtype.kind in "fc" or output.itemsize < 4 and output.dtype.kind != "b"):
        # One pass over all taps: no rounding in between. Wider integers wrap at each axis in SciPy.
        return correlate_taps(input, _laplacian(axes, input.ndim), output, mode_number(modes[0]), [0] * input.ndim, both)

    def term(axis, mode, out):
        return run(input, out, [_three_taps((1.0, -2.0, 1.0), axis, mode_number(mode))], both)

    return _sum(input, output, axes, modes, term)


@functools.lru_cache(64)
def _laplacian(axes, ndim):
    weights = np.zeros((3,) * ndim)
    for axis in axes:
        for offset in (-1, 1):
            weights[tuple(1 + offset * (k == axis) for k in range(ndim))] = 1.0
    weights[(1,) * ndim] = -2.0 * len(axes)
    return weights


@public("input")
def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """As `scipy.ndimage.gaussian_laplace`; `kwargs` go to `gaussian_filter`. sigma in samples."""
    output = get_output(output, input, complex_output=input.dtype.kind == "c")
    axes = check_axes(axes, input.ndim)
    sigmas = [0.0] * input.ndim
    for axis, value in zip(axes, sequence(sigma, len(axes)), strict=True):
        sigmas[axis] = value

    def term(axis, mode, out):
        return gaussian(input, sigmas, _order(2, axis, input.ndim), out, mode, cval, **kwargs)

    return _sum(input, output, axes, sequence(mode, len(axes)), term)


@public("input")
def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """As `scipy.ndimage.gaussian_gradient_magnitude`; `kwargs` go to `gaussian_filter`. sigma in samples."""
    output = get_output(output, input, complex_output=input.dtype.kind == "c")
    axes = check_axes(axes, input.ndim)

    def term(axis, mode, out):
        return gaussian(input, sigma, _order(1, axis, input.ndim), out, mode, cval, **kwargs)

    return _root_of_squares(input, output, axes, sequence(mode, len(axes)), term)


def _order(order, axis, ndim):
    return [order if k == axis else 0 for k in range(ndim)]


def _sum(input, output, axes, modes, term):
    """output = sum over axes of term(axis, mode, out), each in output's dtype."""
    if not axes:
        output[...] = input
        return output
    total = empty(output, output.dtype) if overlap(input, output) else output
    term(axes[0], modes[0], total)
    part = empty(output, output.dtype) if len(axes) > 1 else None
    for axis, mode in zip(axes[1:], modes[1:], strict=True):
        gs.add(total, term(axis, mode, part), out=total)
    return store(total, output)


def _root_of_squares(input, output, axes, modes, term):
    """output = sqrt of the sum over axes of term(axis, mode, out)^2, in output's dtype."""
    if not axes:
        output[...] = input
        return output
    usable = output.flags.c_contiguous and not overlap(input, output)
    total = output if usable else empty(output, output.dtype)
    term(axes[0], modes[0], total)
    fused = total.dtype.kind == "f" and len(axes) > 1
    if not fused:
        gs.multiply(total, total, out=total)
    part = empty(output, output.dtype) if len(axes) > 1 else None
    for number, (axis, mode) in enumerate(zip(axes[1:], modes[1:], strict=True), 2):
        term(axis, mode, part)
        if fused:
            _kernels.add_square(total.size, (total.dtype,), total, part, number == 2, number == len(axes))
        else:
            gs.multiply(part, part, out=part)
            gs.add(total, part, out=total)
    if not fused:
        gs.sqrt(total, out=total, casting="unsafe")
    return store(total, output)


# ---- with the caller's own derivative
def generic_laplace(
    input, derivative2, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None
):
    """As `scipy.ndimage.generic_laplace`. `derivative2` is given arrays of the caller's kind (NumPy, or gpusci's for others)."""
    call = _caller(derivative2, cval, extra_arguments, extra_keywords)

    def combine(xp, input, output, axes, modes):
        call(input, axes[0], output, modes[0])
        for axis, mode in zip(axes[1:], modes[1:], strict=True):
            xp.add(output, call(input, axis, output.dtype, mode), out=output)

    return _generic(input, output, mode, axes, combine)


def generic_gradient_magnitude(
    input, derivative, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None
):
    """As `scipy.ndimage.generic_gradient_magnitude`. `derivative` is given arrays as in `generic_laplace`."""
    call = _caller(derivative, cval, extra_arguments, extra_keywords)

    def combine(xp, input, output, axes, modes):
        call(input, axes[0], output, modes[0])
        xp.multiply(output, output, out=output)
        for axis, mode in zip(axes[1:], modes[1:], strict=True):
            part = call(input, axis, output.dtype, mode)
            xp.multiply(part, part, out=part)
            xp.add(output, part, out=output)
        xp.sqrt(output, out=output, casting="unsafe")

    return _generic(input, output, mode, axes, combine)


def _caller(function, cval, extra_arguments, extra_keywords):
    extra_keywords = extra_keywords or {}

    def call(input, axis, output, mode):
        return function(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)

    return call


def _generic(input, output, mode, axes, combine):
    """Run `combine(xp, input, output, axes, modes)` on NumPy arrays for a NumPy caller, else on gpusci's."""

    def work(xp, input, output):
        chosen = check_axes(axes, input.ndim)
        modes = sequence(mode, len(chosen))
        if chosen:
            combine(xp, input, output, chosen, modes)
        else:
            output[...] = input
        return output

    @public("input")
    def on_device(input, output=None):
        return work(gs, input, get_output(output, input, complex_output=input.dtype.kind == "c"))

    if isinstance(input, ndarray) or hasattr(input, "__dlpack__") and not isinstance(input, (np.ndarray, np.generic)):
        return on_device(input, output)
    input = np.asarray(input)
    if not isinstance(output, np.ndarray):
        output = get_output(output, gs.asarray(input, device="host"), complex_output=input.dtype.kind == "c").numpy()
    elif output.shape != input.shape:
        raise RuntimeError("output shape not correct")
    return work(np, input, output)
