"""The distributions that `Generator` and `RandomState` share, NumPy's signatures; results are gpusci arrays, 0-d for size=None."""

from math import inf, prod

import numpy as np

import gpusci as gs
from gpusci.core import new, to_array
from gpusci.random._philox import Distribution, draw, fill_real, probe

TABLE = {
    "beta": Distribution("beta_", ("positive", "positive")),
    "binomial": Distribution("binomial", ("nonneg", "share"), "q"),
    "chisquare": Distribution("chisquare", ("positive",)),
    "exponential": Distribution("exponential", ("nonneg",)),
    "f": Distribution("f_", ("positive", "positive")),
    "gamma": Distribution("standard_gamma", ("nonneg", "nonneg")),
    "geometric": Distribution("geometric", ("positive share",), "q"),
    "gumbel": Distribution("gumbel", ("any", "nonneg")),
    "hypergeometric": Distribution("hypergeometric", ("nonneg", "nonneg", "nonneg"), "q"),
    "laplace": Distribution("laplace", ("any", "nonneg")),
    "logistic": Distribution("logistic", ("any", "nonneg")),
    "lognormal": Distribution("lognormal", ("any", "nonneg")),
    "logseries": Distribution("logseries", ("below one",), "q"),
    "negative_binomial": Distribution("negative_binomial", ("positive", "positive share"), "q"),
    "noncentral_chisquare": Distribution("noncentral_chisquare", ("positive", "nonneg")),
    "noncentral_f": Distribution("noncentral_f", ("positive", "positive", "nonneg")),
    "normal": Distribution("normal_", ("any", "nonneg")),
    "pareto": Distribution("pareto", ("positive",)),
    "poisson": Distribution("poisson", ("nonneg",), "q"),
    "power": Distribution("power_", ("positive",)),
    "rayleigh": Distribution("rayleigh", ("nonneg",)),
    "standard_cauchy": Distribution("standard_cauchy", ()),
    "standard_t": Distribution("standard_t", ("positive",)),
    "triangular": Distribution("triangular", ("any", "any", "any")),
    "uniform": Distribution("uniform_", ("any", "any")),
    "vonmises": Distribution("vonmises", ("any", "nonneg")),
    "wald": Distribution("wald", ("positive", "positive")),
    "weibull": Distribution("weibull", ("nonneg",)),
    "zipf": Distribution("zipf", ("above one",), "q"),
}
REAL = np.dtype(np.float64)
LOG_GAMMA = Distribution("log_gamma", ("positive",))
# What one pass of `fill_real` makes: (kind, shift, scale) of the parameters. NumPy takes them all where 0 < scale < inf.
FILLS = {
    "normal": lambda loc, scale: ("normal", loc, scale),
    "uniform": lambda low, high: ("uniform", low, high - low),
    "exponential": lambda scale: ("exponential", 0.0, scale),
}
PLAIN = frozenset((float, int))


def shape_of(size):
    """NumPy's `size` as a tuple."""
    return () if size is None else (int(size),) if hasattr(size, "__index__") else tuple(int(n) for n in size)


def result_shape(size, *params):
    """The shape of a draw. Raises ValueError where the parameters do not broadcast to `size`."""
    batch = np.broadcast_shapes(*(np.shape(p) if not hasattr(p, "device") else p.shape for p in params))
    if size is None:
        return batch
    shape = shape_of(size)
    fits = len(batch) <= len(shape) and all(b in (1, n) for b, n in zip(batch[::-1], shape[::-1]))
    if not fits:
        raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {batch}.")
    return shape


def host_value(value):
    """An argument for NumPy's generators."""
    return gs.asnumpy(value) if isinstance(value, gs.ndarray) else value


def is_scalar(value):
    return isinstance(value, (int, float, np.generic)) or isinstance(value, np.ndarray) and value.ndim == 0


class Distributions:
    """Needs `_source()`: (NumPy's generator or None, the Philox4x32, the device)."""

    def _numbers(self, name, size, *params):
        numpy, bits, device = self._source()
        if numpy is not None:
            return to_array(np.asarray(getattr(numpy, name)(*map(host_value, params), size=size)))
        fill = FILLS.get(name)
        plain = fill is not None and PLAIN.issuperset(map(type, params)) and 0 < fill(*params)[2] < inf
        if plain or all(map(is_scalar, params)):
            if not plain:
                getattr(probe(), name)(*params)  # NumPy's own errors for bad parameters
                params = [float(p) for p in params]
            if fill is None:
                return draw(bits, TABLE[name], shape_of(size), params)
            how, shift, scale = fill(*params)
            return fill_real(bits, how, new(shape_of(size), REAL, device), shift, scale)
        shape = result_shape(size, *params)
        params = [float(p) if is_scalar(p) else _spread(p, shape, device) for p in params]
        return draw(bits, TABLE[name], shape, params)

    def beta(self, a, b, size=None):
        """As `numpy.random.Generator.beta`: from two gamma variates by their logarithms."""
        return self._numbers("beta", size, a, b)

    def binomial(self, n, p, size=None):
        """As `numpy.random.Generator.binomial`: BTRS, by inversion for small means."""
        return self._numbers("binomial", size, n, p)

    def chisquare(self, df, size=None):
        """As `numpy.random.Generator.chisquare`."""
        return self._numbers("chisquare", size, df)

    def exponential(self, scale=1.0, size=None):
        """As `numpy.random.Generator.exponential`."""
        return self._numbers("exponential", size, scale)

    def f(self, dfnum, dfden, size=None):
        """As `numpy.random.Generator.f`."""
        return self._numbers("f", size, dfnum, dfden)

    def gamma(self, shape, scale=1.0, size=None):
        """As `numpy.random.Generator.gamma`: Marsaglia and Tsang's method."""
        return self._numbers("gamma", size, shape, scale)

    def geometric(self, p, size=None):
        """As `numpy.random.Generator.geometric`."""
        return self._numbers("geometric", size, p)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """As `numpy.random.Generator.gumbel`."""
        return self._numbers("gumbel", size, loc, scale)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """As `numpy.random.Generator.hypergeometric`: HRUA, an urn for few draws."""
        return self._numbers("hypergeometric", size, ngood, nbad, nsample)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """As `numpy.random.Generator.laplace`."""
        return self._numbers("laplace", size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """As `numpy.random.Generator.logistic`."""
        return self._numbers("logistic", size, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """As `numpy.random.Generator.lognormal`."""
        return self._numbers("lognormal", size, mean, sigma)

    def logseries(self, p, size=None):
        """As `numpy.random.Generator.logseries`: Kemp's method."""
        return self._numbers("logseries", size, p)

    def negative_binomial(self, n, p, size=None):
        """As `numpy.random.Generator.negative_binomial`."""
        return self._numbers("negative_binomial", size, n, p)

    def noncentral_chisquare(self, df, nonc, size=None):
        """As `numpy.random.Generator.noncentral_chisquare`."""
        return self._numbers("noncentral_chisquare", size, df, nonc)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        """As `numpy.random.Generator.noncentral_f`."""
        return self._numbers("noncentral_f", size, dfnum, dfden, nonc)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """As `numpy.random.Generator.normal`: Box and Muller's method."""
        return self._numbers("normal", size, loc, scale)

    def pareto(self, a, size=None):
        """As `numpy.random.Generator.pareto`."""
        return self._numbers("pareto", size, a)

    def poisson(self, lam=1.0, size=None):
        """As `numpy.random.Generator.poisson`: PTRS, by inversion for small means."""
        return self._numbers("poisson", size, lam)

    def power(self, a, size=None):
        """As `numpy.random.Generator.power`."""
        return self._numbers("power", size, a)

    def rayleigh(self, scale=1.0, size=None):
        """As `numpy.random.Generator.rayleigh`."""
        return self._numbers("rayleigh", size, scale)

    def standard_cauchy(self, size=None):
        """As `numpy.random.Generator.standard_cauchy`."""
        return self._numbers("standard_cauchy", size)

    def standard_t(self, df, size=None):
        """As `numpy.random.Generator.standard_t`."""
        return self._numbers("standard_t", size, df)

    def triangular(self, left, mode, right, size=None):
        """As `numpy.random.Generator.triangular`."""
        return self._numbers("triangular", size, left, mode, right)

    def uniform(self, low=0.0, high=1.0, size=None):
        """As `numpy.random.Generator.uniform`: [low, high)."""
        return self._numbers("uniform", size, low, high)

    def vonmises(self, mu, kappa, size=None):
        """As `numpy.random.Generator.vonmises`: Best and Fisher's method."""
        return self._numbers("vonmises", size, mu, kappa)

    def wald(self, mean, scale, size=None):
        """As `numpy.random.Generator.wald`: Michael, Schucany and Haas' method."""
        return self._numbers("wald", size, mean, scale)

    def weibull(self, a, size=None):
        """As `numpy.random.Generator.weibull`."""
        return self._numbers("weibull", size, a)

    def zipf(self, a, size=None):
        """As `numpy.random.Generator.zipf`: Devroye's rejection."""
        return self._numbers("zipf", size, a)

    # ---- vectors
    def dirichlet(self, alpha, size=None):
        """Shares that add up to 1, from gamma variates by their logarithms: small alphas do not underflow."""
        numpy, bits, device = self._source()
        alpha = np.asarray(host_value(alpha), np.float64)
        if numpy is not None:
            return to_array(numpy.dirichlet(alpha, size))
        probe().dirichlet(alpha)
        shape = (*shape_of(size), alpha.size)
        if not prod(shape):
            return gs.empty(shape, np.float64, device=device)
        logs = draw(bits, LOG_GAMMA, shape, [_spread(np.where(alpha == 0, 1.0, alpha), shape, device)])
        if (alpha == 0).any():                          # no share, as NumPy
            logs = gs.where(gs.asarray(alpha == 0, device=device), -np.inf, logs)
        shares = gs.exp(logs - gs.max(logs, axis=-1, keepdims=True))
        return shares / gs.sum(shares, axis=-1, keepdims=True)

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        """The covariance is factored on the host by NumPy; the numbers are made and mixed on the device."""
        numpy, _, device = self._source()
        mean, cov = np.asarray(host_value(mean)), np.asarray(host_value(cov))
        if numpy is not None:
            kw = {} if isinstance(numpy, np.random.RandomState) else {"method": method}
            return to_array(numpy.multivariate_normal(mean, cov, size, check_valid, tol, **kw))
        probe().multivariate_normal(mean, cov, None, check_valid, tol, method=method)
        z = self._numbers("normal", (*shape_of(size), mean.size), 0.0, 1.0)
        return z @ gs.asarray(_root(cov, method), device=device) + gs.asarray(mean, dtype=np.float64, device=device)


def _root(cov, method):
    """A with A^T A = cov."""
    if method == "cholesky":
        return np.linalg.cholesky(cov).T
    if method == "eigh":
        w, v = np.linalg.eigh(cov)
        return (v * np.sqrt(np.maximum(w, 0))).T
    _, s, vh = np.linalg.svd(cov)
    return np.sqrt(s)[:, None] * vh


def _spread(value, shape, device):
    """A parameter as a contiguous float64 array of the result's shape."""
    value = to_array(value, device)
    if value.dtype.kind == "c":
        raise TypeError("a parameter of a random distribution is complex; pass its real part")
    value = gs.asarray(value, dtype=np.float64)
    return gs.broadcast_to(value, shape).copy() if value.shape != shape else gs.ascontiguousarray(value).reshape(shape)
