"""`Continuous`: what `scipy.stats` distributions have in common; one table row makes a distribution (`_continuous.py`)."""

import importlib

import numpy as np

import gpusci as gs
from gpusci import random
from gpusci.core import dispatch, foreign, ndarray
from gpusci.stats import _kernels

PYTHON = (int, float)


def _function(method, text):
    """A method of x (or of q), the shapes, loc and scale: one launch of its kernel row."""

    def call(self, x, *args, **kwds):
        return self._launch(self._rows[method], x, self._arguments(args, kwds))

    call.__name__ = method
    call.__qualname__ = f"Continuous.{method}"
    call.__doc__ = f"As `scipy.stats.rv_continuous.{method}`: {text}. float32 arguments give float32."
    return call


def _on_host(method, text):
    """A method of few numbers, or one that calls back into Python: SciPy's, on the host, so it waits for the GPU."""

    def call(self, *args, **kwds):
        return dispatch.on_host(getattr(self._scipy, method), args, kwds)

    call.__name__ = method
    call.__qualname__ = f"Continuous.{method}"
    call.__doc__ = f"As `scipy.stats.rv_continuous.{method}`: {text}. Computed on the host."
    return call


class Continuous:
    """A continuous distribution, as an instance of `scipy.stats.rv_continuous`.

    The eight functions are one kernel launch each, with loc and scale inside; invalid shapes, scale <= 0 and NaN give NaN.
    Results are float64, or float32 when arrays of that type or float16 come in and nothing wider.
    """

    def __init__(self, name, shapes="", draw=None, fit=None):
        self.name, self.shapes = name, shapes or None
        self.__module__, self.__name__ = "gpusci.stats", name
        self._names = tuple(s.strip() for s in shapes.split(",") if s.strip())
        self._rows, self._draw, self._fit, self._random_state = _kernels.DISTRIBUTIONS[name], draw, fit, None
        self.numargs = len(self._names)
        self.__doc__ = f"As `scipy.stats.{name}`: a continuous distribution" + (f" with shapes {shapes}." if shapes else ".")
        self.gpusci_status = "native"

    def __repr__(self):
        return f"<gpusci.stats.{self.name}>"

    def __reduce__(self):
        return named, (self.name,)

    @property
    def _scipy(self):
        return getattr(importlib.import_module("scipy.stats"), self.name)

    @property
    def a(self):
        """Lower end of the standard form's support."""
        return self._scipy.a

    @property
    def b(self):
        """Upper end of the standard form's support."""
        return self._scipy.b

    @property
    def badvalue(self):
        """What invalid arguments give."""
        return np.nan

    @property
    def random_state(self):
        """The generator of `rvs` when none is given there: None stands for NumPy's global one."""
        return np.random.mtrand._rand if self._random_state is None else self._random_state

    @random_state.setter
    def random_state(self, seed):
        self._random_state = None if seed is None else generator(seed)

    # ---- arguments
    def _arguments(self, args, kwds, extra=()):
        """Values of the shapes, loc and scale (and `extra`, which default to None), in order. TypeErrors as SciPy's."""
        names = (*self._names, "loc", "scale", *extra)
        if len(args) > len(names):
            least, most = self.numargs + 1, len(names) + 1
            raise TypeError(f"{self.name} takes from {least} to {most} positional arguments but {len(args) + 1} were given")
        values = dict(zip(names, args))
        for key, value in kwds.items():
            if key not in names:
                raise TypeError(f"{self.name} got an unexpected keyword argument {key!r}; it takes {', '.join(names)}")
            if key in values:
                raise TypeError(f"{self.name} got multiple values for argument {key!r}")
            values[key] = value
        missing = [n for n in self._names if n not in values]
        if missing:
            raise TypeError(f"{self.name} missing {len(missing)} required positional argument(s): {', '.join(missing)}")
        defaults = {"loc": 0.0, "scale": 1.0}
        return [values[n] if n in values else defaults.get(n) for n in names]

    @staticmethod
    def _launch(row, x, parameters):
        values = [v if hasattr(v, "dtype") or type(v) in PYTHON else _plain(v) for v in (x, *parameters)]
        chars = {v.dtype.char if isinstance(v.dtype, np.dtype) else "?" for v in values if hasattr(v, "dtype")}
        if chars and chars <= {"e", "f"} or "d" in chars:
            return row(*values)
        return row(*values, dtype=np.float64) if not _foreign(values) else row(*values)

    pdf = _function("pdf", "density")
    logpdf = _function("logpdf", "logarithm of the density")
    cdf = _function("cdf", "distribution function")
    sf = _function("sf", "1 - cdf, accurate in its tail")
    logcdf = _function("logcdf", "logarithm of cdf, accurate in both tails")
    logsf = _function("logsf", "logarithm of sf, accurate in both tails")
    ppf = _function("ppf", "quantile, the inverse of cdf")
    isf = _function("isf", "inverse of sf")

    stats = _on_host("stats", "mean, variance, skewness, excess kurtosis")
    mean = _on_host("mean", "expectation")
    var = _on_host("var", "variance")
    std = _on_host("std", "standard deviation")
    moment = _on_host("moment", "raw moment of an order")
    entropy = _on_host("entropy", "differential entropy")
    expect = _on_host("expect", "expectation of a function by quadrature")
    support = _on_host("support", "ends of the support")
    nnlf = _on_host("nnlf", "negative log-likelihood")
    fit_loc_scale = _on_host("fit_loc_scale", "loc and scale from mean and variance of data")

    def median(self, *args, **kwds):
        """As `scipy.stats.rv_continuous.median`."""
        return self.ppf(0.5, *args, **kwds)

    def interval(self, confidence, *args, **kwds):
        """As `scipy.stats.rv_continuous.interval`: the central interval of a probability."""
        alpha = gs.asnumpy(confidence) if isinstance(confidence, ndarray) else np.asarray(confidence)
        if np.any((alpha > 1) | (alpha < 0)):
            raise ValueError("alpha must be between 0 and 1 inclusive: `confidence` is the probability inside the interval")
        low, high = (1.0 - alpha) / 2, (1.0 + alpha) / 2
        return self.ppf(low[()], *args, **kwds), self.ppf(high[()], *args, **kwds)

    def fit(self, data, *args, **kwds):
        """As `scipy.stats.rv_continuous.fit`; by formula where there is one, else SciPy's search on the host."""
        found = None if self._fit is None or args else self._fit(data, dict(kwds))
        if found is not None:
            return found
        return self._scipy.fit(dispatch.to_host(data), *args, **kwds)

    def freeze(self, *args, **kwds):
        """The distribution with these shapes, loc and scale, as `scipy.stats` does by a call."""
        return Frozen(self, *args, **kwds)

    __call__ = freeze

    # ---- random numbers
    def rvs(self, *args, **kwds):
        """As `scipy.stats.rv_continuous.rvs`; NumPy's numbers on the host, for the same seed those of SciPy.

        random_state may also be a `gpusci.random.Generator`: then, or when a parameter is an array on a GPU, the result is
        drawn there.
        """
        state = kwds.pop("random_state", None)
        *shapes, loc, scale, size = self._arguments(args, kwds, ("size",))
        kind, device = dispatch.kind_of([*shapes, loc, scale])
        ours = isinstance(state, random.Generator)
        if ours or (kind is not None and not device.uses_numpy):
            g = state if ours else random.default_rng(state, device=device)
            to = g._source()[2] if ours else device
            parameters = [gs.asarray(_plain(v) if kind is None else v, device=to) for v in (*shapes, loc, scale)]
            return dispatch.as_kind(self._random(g, parameters, size), ndarray if kind is None else kind)
        g = self.random_state if state is None else generator(state)
        parameters = [np.asarray(dispatch.to_host(v)) for v in (*shapes, loc, scale)]
        result = self._random(g, parameters, size)
        return result if kind is None else dispatch.as_kind(dispatch.from_host(np.asarray(result), device), kind)

    def _random(self, g, parameters, size):
        *shapes, loc, scale = parameters
        size = _sample_shape(parameters, size)
        if bool((scale < 0).any()) or any(bool((~(s > 0)).any()) for s in shapes):
            raise ValueError(
                f"Domain error in arguments. {self.name} needs scale >= 0"
                + (f" and positive shapes {self.shapes}." if shapes else ".")
            )
        if bool((scale == 0).all()):
            return loc * np.ones(size)
        if self._draw is not None:
            values = self._draw(g, size, *(s if s.ndim else s[()] for s in shapes))
        else:
            values = self.ppf(g.uniform(size=size), *shapes)
        return values * (scale if scale.ndim else scale[()]) + (loc if loc.ndim else loc[()])


def named(name):
    """The distribution of a name, for pickles."""
    return getattr(importlib.import_module("gpusci.stats"), name)


def freeze(name, args, kwds):
    """A frozen distribution, for pickles."""
    return Frozen(named(name), *args, **kwds)


def _plain(value):
    """A list, a tuple, a bool ... as an array."""
    return value if isinstance(value, ndarray) or foreign.is_foreign(value) else np.asarray(value)


def _foreign(values):
    return any(foreign.is_foreign(v) for v in values)


def _sample_shape(parameters, size):
    """Shape of a sample; ValueError where `size` does not hold the parameters' shape, as SciPy."""
    full = np.broadcast_shapes(*(p.shape for p in parameters))
    if size is None:
        return full
    size = (int(size),) if np.ndim(size) == 0 else tuple(int(n) for n in size)
    padded = (1,) * (len(size) - len(full)) + full
    if len(padded) != len(size) or any(n not in (1, m) for n, m in zip(padded, size)):
        raise ValueError(f"size does not match the broadcast shape of the parameters: {size}, {full}")
    return size


def generator(seed):
    """A NumPy generator from what SciPy takes as `random_state`."""
    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    if isinstance(seed, (int, np.integer)):
        return np.random.RandomState(seed)
    if isinstance(seed, (np.random.RandomState, np.random.Generator)):
        return seed
    raise ValueError(f"{seed!r} cannot be used to seed a numpy.random.RandomState instance: give an int or a generator")


class Frozen:
    """A distribution with its parameters fixed, as `scipy.stats` makes it by a call such as `norm(loc, scale)`."""

    def __init__(self, dist, *args, **kwds):
        dist._arguments(args, kwds)
        self.dist, self.args, self.kwds = Continuous(dist.name, dist.shapes or "", dist._draw, dist._fit), args, kwds
        self.dist._random_state = dist._random_state

    def __reduce__(self):
        return freeze, (self.dist.name, self.args, self.kwds)

    def __repr__(self):
        return f"<gpusci.stats.{self.dist.name} frozen: {self.args}, {self.kwds}>"

    @property
    def a(self):
        """Lower end of the standard form's support."""
        return self.dist.a

    @property
    def b(self):
        """Upper end of the standard form's support."""
        return self.dist.b

    @property
    def random_state(self):
        """The generator of `rvs`."""
        return self.dist.random_state

    @random_state.setter
    def random_state(self, seed):
        self.dist.random_state = seed

    def rvs(self, size=None, random_state=None):
        """As `rv_frozen.rvs`."""
        return self.dist.rvs(*self.args, **self.kwds, size=size, random_state=random_state)

    def stats(self, moments="mv"):
        """As `rv_frozen.stats`."""
        return self.dist.stats(*self.args, **self.kwds, moments=moments)

    def moment(self, order=None):
        """As `rv_frozen.moment`."""
        return self.dist.moment(order, *self.args, **self.kwds)

    def interval(self, confidence=None):
        """As `rv_frozen.interval`."""
        return self.dist.interval(confidence, *self.args, **self.kwds)

    def expect(self, func=None, lb=None, ub=None, conditional=False, **kwds):
        """As `rv_frozen.expect`."""
        *shapes, loc, scale = self.dist._arguments(self.args, self.kwds)
        return self.dist.expect(func, tuple(shapes), loc, scale, lb, ub, conditional, **kwds)


def _frozen(method, takes_x):
    def with_x(self, x):
        return getattr(self.dist, method)(x, *self.args, **self.kwds)

    def without(self):
        return getattr(self.dist, method)(*self.args, **self.kwds)

    call = with_x if takes_x else without
    call.__name__, call.__qualname__ = method, f"Frozen.{method}"
    call.__doc__ = f"As `rv_frozen.{method}`."
    return call


for _name in _kernels.METHODS:
    setattr(Frozen, _name, _frozen(_name, True))
for _name in ("median", "mean", "var", "std", "entropy", "support"):
    setattr(Frozen, _name, _frozen(_name, False))
