"""einsum: parsed once, then contracted pair by pair with diagonals, sums and batched matrix products."""

import numpy as np

from gpusci.core import ufuncs
from gpusci.core._ndarray import wrap
from gpusci.core.linear import _finish, _matmul
from gpusci.core.numpylike import as_arrays, numpy_like

__all__ = ["einsum", "einsum_path"]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@numpy_like
def einsum(*operands, out=None, optimize=False, **kwargs):
    """As `numpy.einsum`. More than two operands are always contracted pairwise, in the greedy order unless `optimize` says so."""
    unknown = set(kwargs) - {"dtype", "order", "casting"}
    if unknown:
        raise TypeError(f"Did not understand the following kwargs: {sorted(unknown)}")
    terms, target, arrays = _parse(operands)
    dtype, casting = kwargs.get("dtype"), kwargs.get("casting", "safe")
    if dtype is not None:
        for x in arrays:
            if not np.can_cast(x.dtype, dtype, casting):
                raise TypeError(f"Cannot cast {x.dtype} to {dtype} by the rule {casting!r}; pass casting='unsafe'")
        arrays = [x.astype(dtype, copy=False) for x in arrays]
    sizes = _sizes(terms, arrays)
    items = [_single(term, x, sizes) for term, x in zip(terms, arrays)]
    for pair in _order(terms, target, arrays, optimize):
        chosen = [items.pop(i) for i in sorted(pair, reverse=True)][::-1]
        while len(chosen) > 1:
            kept = set(target).union(*(term for term, _ in items), *(term for term, _ in chosen[2:]))
            chosen[:2] = [_contract(chosen[0], chosen[1], kept)]
        items.append(chosen[0])
    term, x = items[0]
    term, x = _summed(term, x, set(target))
    for letter in target:                               # a dimension of length 1 that stood for a longer one
        if letter not in term:
            term, x = term + letter, x[..., None]
    shape = tuple(sizes[letter] for letter in target)
    x = x.transpose(*(term.index(letter) for letter in target)) if target else x
    x = x if x.shape == shape else wrap(np.broadcast_to(x._a, shape), x)
    return _finish(x, out, kwargs.get("casting", "same_kind"))


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """As `numpy.einsum_path`: the order of contractions and a printable report, from shapes alone."""
    terms, target, arrays = _parse(operands)
    return np.einsum_path(",".join(terms) + "->" + target, *map(_stand_in, arrays), optimize=optimize, einsum_call=einsum_call)


def _stand_in(x):
    return np.broadcast_to(np.zeros((), x.dtype), x.shape)


def _order(terms, target, arrays, optimize):
    if len(arrays) == 1:
        return []
    if len(arrays) == 2:
        return [(0, 1)]
    path = optimize if isinstance(optimize, (list, tuple, str)) else "greedy"
    found, _ = np.einsum_path(",".join(terms) + "->" + target, *map(_stand_in, arrays), optimize=path)
    return found[1:]


def _parse(operands):
    """Terms without ellipses, the result's term, the arrays."""
    if not operands:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand, or at least one operand and "
                         "its corresponding subscripts list")  # fmt: skip
    if isinstance(operands[0], str):
        text, arrays = operands[0].replace(" ", ""), as_arrays(*operands[1:])
    else:
        text, arrays = _interleaved(operands)
    left, arrow, target = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise ValueError(f"einsum: {len(terms)} subscript terms were given for {len(arrays)} operand(s); the numbers must agree")
    for letter in text.replace("->", "").replace(",", "").replace("...", ""):
        if letter not in LETTERS:
            raise ValueError(f"invalid subscript {letter!r} in einstein sum subscripts string, subscripts must be letters")
    spare = [c for c in LETTERS if c not in text]
    longest = max((x.ndim - len(t.replace("...", "")) for t, x in zip(terms, arrays) if "..." in t), default=0)
    dots = "".join(spare[: max(longest, 0)])
    full = []
    for term, x in zip(terms, arrays):
        missing = x.ndim - len(term.replace("...", ""))
        if missing < 0 or missing and "..." not in term:
            raise ValueError(
                f"einsum: operand of {x.ndim} dimension(s) does not fit the subscripts {term!r}; give one letter per dimension or '...'"
            )
        full.append(term.replace("...", dots[len(dots) - missing :]))
    if arrow:
        if "..." not in target and dots:
            raise ValueError("output has fewer ellipsis dimensions than the operands: add '...' to the output subscripts")
        target = target.replace("...", dots)
    else:
        every = "".join(full)
        target = dots + "".join(sorted(c for c in set(every) - set(dots) if every.count(c) == 1))
    if len(set(target)) != len(target):
        raise ValueError("einstein sum subscripts string includes output subscript multiple times")
    if not set(target) <= set("".join(full)):
        raise ValueError("einstein sum subscripts string included output subscript that never appeared in an input")
    return full, target, arrays


def _interleaved(operands):
    """The string form of `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    odd = len(operands) % 2
    arrays = as_arrays(*operands[: len(operands) - odd : 2])
    lists = list(operands[1 : len(operands) - odd : 2]) + ([operands[-1]] if odd else [])
    labels = sorted({v for sub in lists for v in sub if v is not Ellipsis})
    names = dict(zip(labels, LETTERS))
    words = ["".join("..." if v is Ellipsis else names[v] for v in sub) for sub in lists]
    text = ",".join(words[: len(arrays)])
    return (text + "->" + words[-1] if odd else text), arrays


def _sizes(terms, arrays):
    sizes = {}
    for term, x in zip(terms, arrays):
        for letter, n in zip(term, x.shape):
            known = sizes.setdefault(letter, n)
            if known == 1:
                sizes[letter] = n
            elif n not in (1, known):
                raise ValueError(
                    f"operands could not be broadcast together: index {letter!r} has the lengths {known} and {n}"
                )
    return sizes


def _single(term, x, sizes):
    """One operand without repeated letters (their diagonal is a view) and without dimensions that only broadcast."""
    for letter in dict.fromkeys(term):
        places = [i for i, c in enumerate(term) if c == letter]
        while len(places) > 1:
            i, j = places[0], places[1]
            a = x._a
            if a.shape[i] != a.shape[j]:
                raise ValueError(f"einsum: index {letter!r} stands for the lengths {a.shape[i]} and {a.shape[j]} of one operand")
            line = np.diagonal(a, 0, i, j)
            if a.flags.writeable:
                line.flags.writeable = True             # as NumPy's einsum, unlike its diagonal
            x = wrap(np.moveaxis(line, -1, i), x)
            term = term[:j] + term[j + 1 :]
            places = [k for k, c in enumerate(term) if c == letter]
    for d in range(x.ndim - 1, -1, -1):
        if x.shape[d] == 1 and sizes[term[d]] != 1:
            x, term = x[(slice(None),) * d + (0,)], term[:d] + term[d + 1 :]
    return term, x


def _summed(term, x, kept):
    """Sum over the letters that nobody else needs."""
    from gpusci.core.reduce import sum

    axes = tuple(d for d, letter in enumerate(term) if letter not in kept)
    if not axes:
        return term, x
    term = "".join(letter for letter in term if letter in kept)
    return term, sum(x, axis=axes, dtype=x.dtype)


def _contract(left, right, kept):
    """The product of two operands, summed over the letters that are not kept."""
    (s, a), (t, b) = left, right
    s, a = _summed(s, a, kept | set(t))
    t, b = _summed(t, b, kept | set(s))
    both = [c for c in s if c in t]
    batch, inner = [c for c in both if c in kept], [c for c in both if c not in kept]
    rows, columns = [c for c in s if c not in both], [c for c in t if c not in both]
    dtype = np.result_type(a.dtype, b.dtype)
    a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    out = "".join(batch + rows + columns)
    if not inner:
        a = a.transpose(*map(s.index, batch + rows)) if s else a
        b = b.transpose(*map(t.index, batch + columns)) if t else b
        a = a[(...,) + (None,) * len(columns)]
        b = b[(slice(None),) * len(batch) + (None,) * len(rows) + (...,)]
        return out, ufuncs.multiply(a, b)
    size = dict(zip(s + t, a.shape + b.shape))
    number = {name: int(np.prod([size[c] for c in group])) for name, group in (("r", rows), ("k", inner), ("c", columns))}
    lead = [size[c] for c in batch]
    a = a.transpose(*map(s.index, batch + rows + inner)).reshape(*lead, number["r"], number["k"])
    b = b.transpose(*map(t.index, batch + inner + columns)).reshape(*lead, number["k"], number["c"])
    return out, _matmul(a, b).reshape([size[c] for c in out])
