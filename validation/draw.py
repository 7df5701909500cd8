"""Draws: callables `(rng, got) -> value` that give the arguments of a sample."""

import numpy as np

UNSIGNED_HIGH, SIGNED_HIGH = 200, 100          # integers small enough that products and sums do not overflow int16


class Got:
    """What a draw may look at: the arguments drawn so far, the dtype under test, the variant."""

    def __init__(self, rng, dtype, variant, scalar=False, length=256):
        # By kind and size: the character q is "long long", which is not int64 to SciPy where that is "long".
        self.dtype = np.dtype(f"{np.dtype(dtype).kind}{np.dtype(dtype).itemsize}")
        self.rng, self.variant, self.scalar = rng, variant, scalar
        self.length = {"empty": 0, "single": 1}.get(variant, length)
        self.extents = {}
        self._values = {}

    def __getitem__(self, key):
        return self._values[key]

    def __setitem__(self, key, value):
        self._values[key] = value

    def extent(self, name, low=2, high=24):
        """A named extent: the same wherever it is used in this sample."""
        if isinstance(name, (int, np.integer)):
            return int(name)
        if name not in self.extents:
            fixed = {"empty": 0, "single": 1}.get(self.variant)
            self.extents[name] = int(self.rng.integers(low, high)) if fixed is None else fixed
        return self.extents[name]


def draw_args(arguments, got):
    """(positional, keywords) with every draw replaced by a value."""
    positional = []
    for i, item in enumerate(arguments.positional):
        got[i] = item(got.rng, got) if isinstance(item, Draw) else item
        positional.append(got[i])
    keywords = {}
    for key, item in arguments.keywords.items():
        got[key] = keywords[key] = item(got.rng, got) if isinstance(item, Draw) else item
    return tuple(positional), keywords


class Draw:
    """A draw with a name, for reports. Other callables in args(...) are values (a callback of generic_filter)."""

    def __init__(self, function, name=None):
        self.function, self.name = function, name or function.__name__

    def __call__(self, rng, got):
        return self.function(rng, got)

    def __repr__(self):
        return self.name


def drawn(function):
    """Makes a draw of a function `(rng, got) -> value`: for what the draws below do not cover. Also a decorator."""
    return Draw(function)


def values(rng, shape, dtype, low=None, high=None):
    """Uniform values of any dtype."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        low = (-SIGNED_HIGH if dtype.kind == "i" else 0) if low is None else low
        high = (SIGNED_HIGH if dtype.kind == "i" else UNSIGNED_HIGH) if high is None else high
        return rng.integers(int(low), int(high) + 1, shape).astype(dtype)
    low, high = -1.0 if low is None else low, 1.0 if high is None else high
    out = rng.uniform(low, high, shape)
    if dtype.kind == "c":
        out = out + 1j * rng.uniform(low, high, shape)
    return np.asarray(out).astype(dtype)


def sprinkle(rng, a, share):
    """Replace a share of the elements by special values."""
    if a.dtype.kind not in "fc" or not a.size:
        return a
    info = np.finfo(a.dtype)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, info.tiny, info.max], a.real.dtype)
    where = rng.random(a.shape) < share
    a[where] = rng.choice(special, int(where.sum()))
    return a


def array(dtype=None, *, ndim=(1, 3), size=2000, low=None, high=None, special=0.0, shape=None):
    """An n-d array of the dtype under test (or `dtype`)."""
    def draw(rng, got):
        a = values(rng, _shape(rng, got, ndim, size, shape), dtype or got.dtype, low, high)
        return sprinkle(rng, a, special) if special else a
    return Draw(draw, f"array(ndim={ndim})" if shape is None else f"array(shape={shape})")


def _shape(rng, got, ndim, size, shape):
    if callable(shape):
        return shape(rng, got)
    if shape is not None:
        return tuple(got.extent(n) for n in shape)
    low, high = (ndim, ndim) if isinstance(ndim, int) else ndim
    rank = int(rng.integers(low, high + 1))
    if got.variant == "single":
        return (1,) * rank
    longest = max(2, int(round(size ** (1 / max(rank, 1)))))
    out = rng.integers(2 if longest > 2 else 1, longest + 1, rank)
    if got.variant == "empty" and rank:
        out[rng.integers(rank)] = 0
    return tuple(int(n) for n in out)


def like(of=0, *, dtype=None, low=None, high=None):
    """An array of the same shape as an earlier argument."""
    def draw(rng, got):
        return values(rng, np.shape(got[of]), dtype or got.dtype, low, high)
    return Draw(draw, f"like({of!r})")


def _vector(name, make, dtype=None):
    def draw(rng, got):
        kind = np.dtype(dtype or got.dtype)
        shape = () if got.scalar else (got.length,)
        out = make(rng, shape)
        if kind.kind == "c":
            out = out + 1j * make(rng, shape)
        return np.asarray(out).astype(kind)[()]
    return Draw(draw, name)


def real(low, high, dtype=None):
    """A vector of uniform values."""
    return _vector(f"real({low}, {high})", lambda rng, shape: rng.uniform(low, high, shape), dtype)


def log(low, high, dtype=None):
    """A vector of log-uniform values, 0 < low < high."""
    def make(rng, shape):
        return np.exp(rng.uniform(np.log(low), np.log(high), shape))
    return _vector(f"log({low}, {high})", make, dtype)


def slog(low, high, dtype=None):
    """A vector of values log-uniform in size, with random signs."""
    def make(rng, shape):
        return np.exp(rng.uniform(np.log(low), np.log(high), shape)) * rng.choice([-1.0, 1.0], shape)
    return _vector(f"slog({low}, {high})", make, dtype)


def integers(low, high, dtype=None):
    """A vector of whole numbers, both ends included."""
    return _vector(f"integers({low}, {high})", lambda rng, shape: rng.integers(low, high + 1, shape), dtype)


def uniform(low, high):
    """A Python float."""
    return Draw(lambda rng, got: float(rng.uniform(low, high)), f"uniform({low}, {high})")


def whole(low, high):
    """A Python int, both ends included."""
    return Draw(lambda rng, got: int(rng.integers(low, high + 1)), f"whole({low}, {high})")


def choice(*options):
    """One of the values."""
    return Draw(lambda rng, got: options[int(rng.integers(len(options)))], f"choice{options!r}")


def maybe(item, otherwise=None):
    """The draw or `otherwise`, by coin."""
    def draw(rng, got):
        if rng.random() < 0.5:
            return otherwise
        return item(rng, got) if isinstance(item, Draw) else item
    return Draw(draw, f"maybe({item!r})")


def axis(of=0):
    """A valid axis of an earlier argument, negative ones too."""
    def draw(rng, got):
        rank = np.ndim(got[of])
        return int(rng.integers(-rank, rank)) if rank else 0
    return Draw(draw, f"axis({of!r})")


def axes(of=0):
    """None or a tuple of distinct axes of an earlier argument."""
    def draw(rng, got):
        rank = np.ndim(got[of])
        if not rank or rng.random() < 0.3:
            return None
        chosen = rng.permutation(rank)[: rng.integers(1, rank + 1)]
        return tuple(int(a) - rank * int(rng.random() < 0.3) for a in chosen)
    return Draw(draw, f"axes({of!r})")


def per_axis(item, of=0):
    """A scalar, or a list with one value per axis of an earlier argument."""
    def draw(rng, got):
        rank = np.ndim(got[of])
        return item(rng, got) if rng.random() < 0.5 else [item(rng, got) for _ in range(rank)]
    return Draw(draw, f"per_axis({item!r})")


def matrix(rows="n", cols="n", kind="general", dtype=None):
    """A matrix: "general", "wellconditioned" (diagonally dominant), "symmetric" (Hermitian), "spd", "triangular"."""
    if kind not in ("general", "wellconditioned", "symmetric", "spd", "triangular"):
        raise ValueError(f"matrix: unknown kind {kind!r}")

    def draw(rng, got):
        m, n = got.extent(rows), got.extent(cols)
        a = values(rng, (m, n), dtype or got.dtype)
        if kind == "symmetric":
            a = (a + a.conj().T) / 2
        elif kind == "spd":
            a = a @ a.conj().T + n * np.eye(n)
        elif kind == "triangular":
            a = np.triu(a) + n * np.eye(m, n)
        elif kind == "wellconditioned":
            a = a + n * np.eye(m, n)
        return a.astype(dtype or got.dtype)
    return Draw(draw, f"matrix({rows!r}, {cols!r}, {kind})")


def increasing(n="n", low=0.0, high=1.0, dtype=None):
    """Distinct ascending values between low and high: knots, sample times."""
    def draw(rng, got):
        steps = rng.uniform(0.2, 1, got.extent(n) + 1)
        return (low + (high - low) * np.cumsum(steps)[:-1] / steps.sum()).astype(dtype or got.dtype)
    return Draw(draw, f"increasing({n!r})")
