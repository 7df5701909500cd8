"""Derives every coefficient of the special functions with mpmath and writes the *_coefficients.h files.

    python gpusci/special/kernels/derive.py [family ...] [--check]

Polynomials are truncated Chebyshev series of the stated function on the stated interval, summed at 60 digits, turned
into powers of the variable and rounded to the type; the error printed beside each is measured after that rounding.
"""
import argparse
import sys
from pathlib import Path

import mpmath as mp

mp.mp.dps = 60
HERE = Path(__file__).parent
BITS = {"double": 53, "float": 24}
FAMILIES = {}


def family(function):
    """Registers the generator of one header's entries under its name."""
    FAMILIES[function.__name__] = function
    return function


def rounded(value, ctype, bits=None):
    """The mpf nearest to value in ctype (with `bits` bits when given)."""
    value = mp.mpf(value)
    if value == 0:
        return value
    with mp.workprec(bits or BITS[ctype]):
        return +value


def literal(value, ctype):
    """A C++ literal of ctype, exact: hexadecimal for double, and for float."""
    value = float(rounded(value, ctype))
    if value == int(value) and abs(value) < 1e6:
        text = repr(value)
    else:
        text = value.hex()
        head, exponent = text.split("p")
        text = (head.rstrip("0").rstrip(".") if "." in head else head) + "p" + exponent
    return text + ("f" if ctype == "float" else "")


def constants(name, doc, **values):
    """struct {name}<T>; a value is an mpf, or (mpf, bits_double, bits_float) for a pair x_hi, x_lo."""
    lines = [f"// {doc}", f"template <class T> struct {name};"]
    for ctype in ("double", "float"):
        fields = []
        for key, value in values.items():
            if isinstance(value, tuple):
                high = rounded(value[0], ctype, value[1 if ctype == "double" else 2])
                fields += [(key + "_hi", high), (key + "_lo", value[0] - high)]
            else:
                fields.append((key, value))
        text = [f"{key} = {literal(value, ctype)}" for key, value in fields]
        lines.append(f"template <> struct {name}<{ctype}> {{")
        lines += wrap(text, f"    static constexpr {ctype} ", ";", 8)
        lines.append("};")
    return lines


def wrap(items, head, tail, indent):
    """Comma-joined items broken into lines of at most 118 characters."""
    lines, line = [], head
    for i, item in enumerate(items):
        piece = item + (tail if i == len(items) - 1 else ",")
        if len(line) + len(piece) + 1 > 118 and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += piece + " "
    return [*lines, line.rstrip()]


def chebyshev(f, a, b, count=56):
    """Coefficients of f on [a, b] from `count` Chebyshev nodes."""
    a, b = mp.mpf(a), mp.mpf(b)
    angles = [mp.pi * (2 * k + 1) / (2 * count) for k in range(count)]
    values = [f((a + b) / 2 + (b - a) / 2 * mp.cos(t)) for t in angles]
    c = [2 * mp.fsum(v * mp.cos(j * t) for v, t in zip(values, angles)) / count for j in range(count)]
    c[0] /= 2
    return c


def powers(c, a, b):
    """Powers of x of the Chebyshev series c on [a, b]."""
    a, b = mp.mpf(a), mp.mpf(b)
    slope, shift = 2 / (b - a), -(a + b) / (b - a)
    previous, current = [mp.mpf(1)], [shift, slope]
    total = [c[0]] + [mp.mpf(0)] * (len(c) - 1)
    for j in range(1, len(c)):
        for i, v in enumerate(current):
            total[i] += c[j] * v
        following = [mp.mpf(0)] * (len(current) + 1)
        for i, v in enumerate(current):
            following[i] += 2 * shift * v
            following[i + 1] += 2 * slope * v
        for i, v in enumerate(previous):
            following[i] -= v
        previous, current = current, following
    return total


def fit(name, doc, f, a, b, *, slack=1.0, var="x", floor=None, single=True, double=True, count=56):
    """HD overloads {name}(double), {name}(float): error at most slack * eps / 32 of the smallest |f| (or of floor)."""
    lines = []
    series = chebyshev(f, a, b, count)
    a, b = mp.mpf(a), mp.mpf(b)
    grid = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * k / 200) for k in range(201)]
    exact = [f(x) for x in grid]
    small = mp.mpf(floor) if floor is not None else min(abs(v) for v in exact)
    for ctype in (["double"] * double + ["float"] * single):
        bound = small * mp.mpf(2) ** (1 - BITS[ctype] - 5) * slack
        n = len(series)
        while n > 1 and mp.fsum(abs(v) for v in series[n - 1:]) < bound:
            n -= 1
        if n > count - 8:
            raise SystemExit(f"{name}: the series does not converge on [{a}, {b}]")
        c = [rounded(v, ctype) for v in powers(series[:n], a, b)]
        error = max(abs(mp.polyval(c[::-1], x) - v) for x, v in zip(grid, exact)) / small
        lines.append(f"// {doc}, {var} in [{mp.nstr(a, 6)}, {mp.nstr(b, 6)}]: error {mp.nstr(error, 2)}")
        lines.append(f"HDI {ctype} {name}({ctype} {var}) {{")
        lines += wrap([literal(v, ctype) for v in c], f"    return poly({var}, ", ");", 8)
        lines.append("}")
    return lines


# ---------------------------------------------------------------- families
@family
def real():
    yield constants("real_constants", "third and ln2 as sums; k ln2_hi is exact for |k| < 2^11 (2^9 in float)",
                    log2e=1 / mp.log(2), ln2=(mp.log(2), 42, 15), third=(mp.mpf(1) / 3, 53, 24),
                    pi=(mp.pi, 53, 24), pi_2=(mp.pi / 2, 53, 24), inv_sqrt_pi=(1 / mp.sqrt(mp.pi), 53, 24),
                    half_log_2pi=(mp.log(2 * mp.pi) / 2, 53, 24), euler=(mp.euler, 53, 24))
    half = mp.log(2) / 2 * mp.mpf("1.001")
    yield fit("exp_tail", "(exp(r) - 1 - r) / r^2", lambda r: _exp_tail(r), -half, half, var="r", slack=8)
    top = (mp.sqrt(2) - 1) ** 2 / (mp.sqrt(2) + 1) ** 2
    yield fit("log_tail", "(atanh(z) - z - z^3 / 3) / z^5, w = z^2", _log_tail, 0, top * mp.mpf("1.001"), var="w", slack=64)


def _exp_tail(r):
    if abs(r) < mp.mpf("1e-12"):
        return mp.fsum(r**k / mp.factorial(k + 2) for k in range(8))
    return (mp.expm1(r) - r) / r**2


def _log_tail(w):
    if w < mp.mpf("1e-6"):
        return mp.fsum(w**k / (2 * k + 5) for k in range(12))
    z = mp.sqrt(w)
    return (mp.atanh(z) - z - z**3 / 3) / z**5


def render(name):
    """Text of {name}_coefficients.h."""
    lines = ["// Written by derive.py: do not edit. Included inside namespace gpusci::sf, after poly()."]
    for block in FAMILIES[name]():
        lines += block
    return "\n".join(lines) + "\n"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="*", default=[], help=", ".join(FAMILIES))
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    options = parser.parse_args(argv)
    stale = []
    for name in options.family or FAMILIES:
        path, text = HERE / f"{name}_coefficients.h", render(name)
        if options.check:
            stale += [path.name] * (not path.exists() or path.read_text() != text)
        else:
            path.write_text(text)
            print(path.name, text.count("\n"), "lines")
    if stale:
        sys.exit("differ from derive.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
