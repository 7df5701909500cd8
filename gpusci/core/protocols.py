"""NumPy's own dispatch on gpusci arrays: `np.add(x, y)` and `np.mean(x)` run here."""

__all__ = ["array_function", "array_ufunc"]


def array_ufunc(ufunc, method, inputs, kwargs):
    """`np.add(x, y)` and `np.add.reduce(x)` with a gpusci array run the namespace's ufunc of that name."""
    import gpusci

    ours = getattr(gpusci, ufunc.__name__, None)
    if ours is None:
        from gpusci.core.subpackage import loaded_attribute

        ours = loaded_attribute("special", ufunc.__name__)
    if ours is None:
        return NotImplemented
    out = kwargs.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        kwargs["out"] = out[0]
    return (ours if method == "__call__" else getattr(ours, method))(*inputs, **kwargs)


def array_function(func, args, kwargs):
    """`np.mean(x)`, `np.fft.fft(x)`, `np.linalg.norm(x)` ... with a gpusci array run the function of that name here."""
    import gpusci

    namespace = gpusci
    for part in (func.__module__ or "").split(".")[1:]:
        if part in ("fft", "linalg", "random"):
            namespace = getattr(gpusci, part)
    ours = getattr(namespace, func.__name__, None)
    if ours is None:
        raise TypeError(f"gpusci has no {func.__module__}.{func.__name__}; convert with x.numpy() to use NumPy's")
    return ours(*args, **kwargs)
