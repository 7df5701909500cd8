"""Random numbers, as `numpy.random`: `default_rng` and `Generator`, `RandomState`, and its module-level functions.

Results are gpusci arrays on the generator's device. The host draws NumPy's own numbers; a GPU draws those of a counter-based
generator, `Philox4x32`, at memory speed and the same on every device.
"""

from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence

from gpusci.core import check
from gpusci.random._generator import Generator, default_rng
from gpusci.random._philox import Philox4x32
from gpusci.random._random_state import RandomState

__version__ = "0.1.0"
CORE = ">=0.1,<0.2"
SCIPY = "1.17"
REQUIRES = ()
MIRRORS = "numpy.random"

_shared = RandomState()

beta = _shared.beta
binomial = _shared.binomial
bytes = _shared.bytes
chisquare = _shared.chisquare
choice = _shared.choice
dirichlet = _shared.dirichlet
exponential = _shared.exponential
f = _shared.f
gamma = _shared.gamma
geometric = _shared.geometric
get_state = _shared.get_state
gumbel = _shared.gumbel
hypergeometric = _shared.hypergeometric
laplace = _shared.laplace
logistic = _shared.logistic
lognormal = _shared.lognormal
logseries = _shared.logseries
multinomial = _shared.multinomial
multivariate_normal = _shared.multivariate_normal
negative_binomial = _shared.negative_binomial
noncentral_chisquare = _shared.noncentral_chisquare
noncentral_f = _shared.noncentral_f
normal = _shared.normal
pareto = _shared.pareto
permutation = _shared.permutation
poisson = _shared.poisson
power = _shared.power
rand = _shared.rand
randint = _shared.randint
randn = _shared.randn
random = _shared.random
random_integers = _shared.random_integers
random_sample = ranf = sample = _shared.random_sample
rayleigh = _shared.rayleigh
seed = _shared.seed
set_state = _shared.set_state
shuffle = _shared.shuffle
standard_cauchy = _shared.standard_cauchy
standard_exponential = _shared.standard_exponential
standard_gamma = _shared.standard_gamma
standard_normal = _shared.standard_normal
standard_t = _shared.standard_t
triangular = _shared.triangular
uniform = _shared.uniform
vonmises = _shared.vonmises
wald = _shared.wald
weibull = _shared.weibull
zipf = _shared.zipf

__all__ = [
    "BitGenerator", "Generator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "Philox4x32", "RandomState", "SFC64",
    "SeedSequence", "beta", "binomial", "bytes", "chisquare", "choice", "default_rng", "dirichlet", "exponential", "f",
    "gamma", "geometric", "get_state", "gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries",
    "multinomial", "multivariate_normal", "negative_binomial", "noncentral_chisquare", "noncentral_f", "normal", "pareto",
    "permutation", "poisson", "power", "rand", "randint", "randn", "random", "random_integers", "random_sample", "ranf",
    "rayleigh", "sample", "seed", "set_state", "shuffle", "standard_cauchy", "standard_exponential", "standard_gamma",
    "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald", "weibull", "zipf",
]  # fmt: skip

check(__name__)
