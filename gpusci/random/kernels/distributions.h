// Random numbers of the named distributions, one work item a number, in double. Each struct's `sample(stream, a, b, c)` has
// NumPy's parameters in NumPy's order. Methods: L. Devroye, Non-Uniform Random Variate Generation (1986), unless named.
#pragma once
#include "philox.h"

namespace gpusci {

constexpr double PI = 3.14159265358979323846;
constexpr double LARGEST = 9223372036854774784.0;       // the largest double below 2^63

HD double clamp_integer(double x) { return x < LARGEST ? x : LARGEST; }

// log k! minus Stirling's approximation of it (k + 1/2) log(k+1) - (k+1) + log(2 pi)/2: DLMF 5.11.1.
HD double stirling_rest(double k) {
    if (k < 10) return lgamma(k + 1) - ((k + 0.5) * log(k + 1) - (k + 1) + 0.91893853320467274178);
    const double r = 1 / (k + 1), s = r * r;
    return (1.0 / 12 - (1.0 / 360 - s / 1260) * s) * r;
}

struct any_parameters { HD static bool fit(double, double, double) { return true; } };    // together; each alone: `allowed`

struct uniform_ : any_parameters {
    HD static double sample(Stream& r, double low, double high, double) { return low + (high - low) * r.uniform(); }
};
struct normal_ : any_parameters {
    HD static double sample(Stream& r, double loc, double scale, double) { return loc + scale * r.normal(); }
};
struct lognormal : any_parameters {
    HD static double sample(Stream& r, double m, double s, double) { return exp(m + s * r.normal()); }
};
struct exponential : any_parameters {
    HD static double sample(Stream& r, double scale, double, double) { return scale * r.exponential(); }
};
struct laplace : any_parameters {
    HD static double sample(Stream& r, double loc, double scale, double) {
        const double e = r.exponential();
        return r.word() & 1 ? loc + scale * e : loc - scale * e;
    }
};
struct logistic : any_parameters {
    HD static double sample(Stream& r, double loc, double scale, double) {
        const double u = r.positive();
        return loc + scale * (log(u) - log1p(-u));
    }
};
struct gumbel : any_parameters {
    HD static double sample(Stream& r, double loc, double scale, double) { return loc - scale * log(r.exponential()); }
};
struct rayleigh : any_parameters {
    HD static double sample(Stream& r, double scale, double, double) { return scale * sqrt(2 * r.exponential()); }
};
struct pareto : any_parameters {
    HD static double sample(Stream& r, double a, double, double) { return expm1(r.exponential() / a); }
};
struct weibull : any_parameters {
    HD static double sample(Stream& r, double a, double, double) { return a == 0 ? 0 : pow(r.exponential(), 1 / a); }
};
struct power_ : any_parameters {
    HD static double sample(Stream& r, double a, double, double) { return pow(-expm1(-r.exponential()), 1 / a); }
};
struct standard_cauchy : any_parameters {
    HD static double sample(Stream& r, double, double, double) {
        const double x = r.normal();
        return x / r.normal();
    }
};
struct triangular {
    HD static bool fit(double left, double mode, double right) { return left <= mode && mode <= right && left < right; }
    HD static double sample(Stream& r, double left, double mode, double right) {
        const double u = r.uniform(), base = right - left, m = (mode - left) / base;
        return u <= m ? left + sqrt(u * (mode - left) * base) : right - sqrt((1 - u) * (right - mode) * base);
    }
};

// ---- the gamma family. G. Marsaglia, W. Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000) 363.
HD double gamma_from_one(Stream& r, double a) {             // a >= 1
    const double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = r.normal(), t = 1 + c * x, v = t * t * t;
        if (t <= 0) continue;
        const double u = r.positive(), xx = x * x;
        if (u < 1 - 0.0331 * xx * xx || log(u) < 0.5 * xx + d * (1 - v + log(v))) return d * v;
    }
}
HD double gamma_of(Stream& r, double a) {
    if (a >= 1) return gamma_from_one(r, a);
    if (a == 0) return 0;
    const double g = gamma_from_one(r, a + 1);
    return g * exp(-r.exponential() / a);
}
HD double log_gamma_of(Stream& r, double a) {               // its logarithm, which does not underflow for small a
    if (a >= 1) return log(gamma_from_one(r, a));
    const double g = log(gamma_from_one(r, a + 1));
    return g - r.exponential() / a;
}
struct standard_gamma : any_parameters {
    HD static double sample(Stream& r, double a, double scale, double) { return scale * gamma_of(r, a); }
};
struct log_gamma : any_parameters {
    HD static double sample(Stream& r, double a, double, double) { return log_gamma_of(r, a); }
};
struct chisquare : any_parameters {
    HD static double sample(Stream& r, double df, double, double) { return 2 * gamma_of(r, df / 2); }
};
struct beta_ : any_parameters {
    HD static double sample(Stream& r, double a, double b, double) {
        const double x = log_gamma_of(r, a), y = log_gamma_of(r, b);
        return 1 / (1 + exp(y - x));
    }
};
struct f_ : any_parameters {
    HD static double sample(Stream& r, double m, double n, double) {
        const double x = gamma_of(r, m / 2) / m;
        return x / (gamma_of(r, n / 2) / n);
    }
};
struct standard_t : any_parameters {
    HD static double sample(Stream& r, double df, double, double) {
        const double x = r.normal();
        return x * sqrt(df / 2 / gamma_of(r, df / 2));
    }
};

// ---- counts. W. Hoermann, The transformed rejection method for generating Poisson random variables, Insurance: Mathematics
// and Economics 12 (1993) 39 (PTRS); inversion below a mean of 10.
HD double poisson_of(Stream& r, double mean) {
    if (mean == 0) return 0;
    if (mean < 10) {
        double p = exp(-mean), u = r.uniform(), k = 0;
        while (u >= p && k < 1000) {
            u -= p;
            ++k;
            p *= mean / k;
        }
        return k;
    }
    const double root = sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = r.uniform() - 0.5, v = r.positive(), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= vr) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        // k log(mean) - mean - log k!, arranged so that large means do not cancel
        const double n = k + 1, x = (mean - n) / n;
        const double logp = n * (log1p(x) - x) - 0.5 * log(n) - log(mean / n) - 0.91893853320467274178 - stirling_rest(k);
        if (log(v * inverse_alpha / (a / (us * us) + b)) <= logp) return k;
    }
}
struct poisson : any_parameters {
    HD static double sample(Stream& r, double mean, double, double) { return clamp_integer(poisson_of(r, mean)); }
};

// W. Hoermann, The generation of binomial random variates, J. Stat. Comput. Simul. 46 (1993) 101 (BTRS); inversion below a
// mean of 10.
HD double binomial_half(Stream& r, double n, double p) {    // p <= 1/2
    const double q = 1 - p;
    if (n * p < 10) {
        const double s = p / q, top = n < 110 ? n : 110;    // P(X > 110 | mean < 10) < 1e-75
        for (;;) {
            double f = exp(n * log1p(-p)), u = r.uniform(), k = 0;
            while (u >= f && k <= top) {
                u -= f;
                ++k;
                f *= s * (n - k + 1) / k;
            }
            if (k <= n && k <= top) return k;
        }
    }
    const double spq = sqrt(n * p * q), b = 1.15 + 2.53 * spq, a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5;
    const double alpha = (2.83 + 5.1 / b) * spq, vr = 0.92 - 4.2 / b, m = floor((n + 1) * p);
    const double nm = n - m + 1, slope = log(p / q * nm / (m + 1)), h = stirling_rest(m) + stirling_rest(n - m);
    for (;;) {
        const double u = r.uniform() - 0.5, v = r.positive(), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + c);
        if (us >= 0.07 && v <= vr) return k;
        if (k < 0 || k > n) continue;
        // log of P(k) / P(m), in differences from the mode m so that large n do not cancel
        const double d = k - m;
        const double logp = d * slope - (k + 0.5) * log1p(d / (m + 1)) - (n - k + 0.5) * log1p(-d / nm)
            + h - stirling_rest(k) - stirling_rest(n - k);
        if (log(v * alpha / (a / (us * us) + b)) <= logp) return k;
    }
}
HD double binomial_of(Stream& r, double n, double p) {
    if (n == 0 || p == 0) return 0;
    if (p == 1) return n;
    return p <= 0.5 ? binomial_half(r, n, p) : n - binomial_half(r, n, 1 - p);
}
struct binomial : any_parameters {
    HD static double sample(Stream& r, double n, double p, double) { return binomial_of(r, n, p); }
};
struct negative_binomial : any_parameters {
    HD static double sample(Stream& r, double n, double p, double) {
        return clamp_integer(poisson_of(r, gamma_of(r, n) * ((1 - p) / p)));
    }
};
struct geometric : any_parameters {
    HD static double sample(Stream& r, double p, double, double) {
        return p == 1 ? 1 : clamp_integer(fmax(ceil(r.exponential() / -log1p(-p)), 1.0));
    }
};

// A. Kemp, Efficient generation of logarithmically distributed pseudo-random variables, Appl. Stat. 30 (1981) 249.
struct logseries : any_parameters {
    HD static double sample(Stream& r, double p, double, double) {
        const double h = log1p(-p);
        for (;;) {
            const double v = r.uniform();
            if (v >= p) return 1;
            const double q = -expm1(h * r.uniform());
            if (v <= q * q) {
                if (v == 0) continue;
                const double k = floor(1 + log(v) / log(q));
                if (k >= 1) return clamp_integer(k);
                continue;
            }
            return v >= q ? 1 : 2;
        }
    }
};
struct zipf : any_parameters {
    HD static double sample(Stream& r, double a, double, double) {
        if (a > 1024) return 1;                             // 2^-a underflows: nothing but 1 has a chance
        const double e = a - 1, b = pow(2.0, e);
        for (;;) {
            const double x = floor(pow(r.positive(), -1 / e)), v = r.uniform();
            if (!(x >= 1 && x <= LARGEST)) continue;
            const double t = pow(1 + 1 / x, e);
            if (v * x * (t - 1) / (b - 1) <= t / b) return x;
        }
    }
};

// E. Stadlober, The ratio of uniforms approach for generating discrete random variates, J. Comput. Appl. Math. 31 (1990) 181
// (HRUA); urn model for few draws.
HD double log_ways(double k, double few, double many, double draws) {
    return lgamma(k + 1) + lgamma(few - k + 1) + lgamma(draws - k + 1) + lgamma(many - draws + k + 1);
}
HD double hypergeometric_of(Stream& r, double good, double bad, double sample) {
    const double total = good + bad, draws = fmin(sample, total - sample);
    double k = 0;
    if (draws < 10) {
        double left = good, rest = total;
        for (double i = 0; i < draws; ++i, --rest)
            if (r.uniform() * rest < left) { ++k; --left; }
    } else {
        const double few = fmin(good, bad), many = fmax(good, bad), share = few / total;
        const double centre = draws * share + 0.5;
        const double width = sqrt((total - draws) * sample * share * (1 - share) / (total - 1) + 0.5);
        const double h = 1.7155277699214135 * width + 0.8989161620588988;       // 2 sqrt(2/e), 3 - 2 sqrt(3/e)
        const double mode = floor((draws + 1) * (few + 1) / (total + 2)), peak = log_ways(mode, few, many, draws);
        const double top = fmin(fmin(draws, few) + 1, floor(centre + 16 * width));
        for (;;) {
            const double x = r.positive(), w = centre + h * (r.uniform() - 0.5) / x;
            if (w < 0 || w >= top) continue;
            k = floor(w);
            const double t = peak - log_ways(k, few, many, draws);
            if (x * (4 - x) - 3 <= t) break;
            if (x * (x - t) >= 1) continue;
            if (2 * log(x) <= t) break;
        }
        if (good > bad) k = draws - k;
    }
    return draws < sample ? good - k : k;
}
struct hypergeometric {
    HD static bool fit(double good, double bad, double n) { return n <= good + bad; }
    HD static double sample(Stream& r, double good, double bad, double n) { return hypergeometric_of(r, good, bad, n); }
};

// ---- noncentral ones
HD double noncentral_chisquare_of(Stream& r, double df, double nonc) {
    if (nonc == 0) return 2 * gamma_of(r, df / 2);
    if (df > 1) {
        const double x = r.normal() + sqrt(nonc);
        return 2 * gamma_of(r, (df - 1) / 2) + x * x;
    }
    return 2 * gamma_of(r, df / 2 + poisson_of(r, nonc / 2));
}
struct noncentral_chisquare : any_parameters {
    HD static double sample(Stream& r, double df, double nonc, double) { return noncentral_chisquare_of(r, df, nonc); }
};
struct noncentral_f : any_parameters {
    HD static double sample(Stream& r, double m, double n, double nonc) {
        const double x = noncentral_chisquare_of(r, m, nonc) / m;
        return x / (2 * gamma_of(r, n / 2) / n);
    }
};

// J. Michael, W. Schucany, R. Haas, Generating random variates using transformations with multiple roots, Amer. Stat. 30
// (1976) 88; the smaller root without cancellation.
struct wald : any_parameters {
    HD static double sample(Stream& r, double mean, double scale, double) {
        const double z = r.normal(), y = mean * z * z, root = sqrt(4 * scale * y + y * y);
        const double x = y == 0 ? mean : mean - 2 * mean * y / (y + root);
        return r.uniform() <= mean / (mean + x) ? x : mean * mean / x;
    }
};

// D. Best, N. Fisher, Efficient simulation of the von Mises distribution, Appl. Stat. 28 (1979) 152.
struct vonmises : any_parameters {
    HD static double sample(Stream& r, double mu, double kappa, double) {
        double x;
        if (kappa < 1e-8) return PI * (2 * r.uniform() - 1);
        if (kappa > 1e6) {
            x = mu + r.normal() / sqrt(kappa);              // the difference is below 1/kappa
        } else {
            double s = 1 / kappa + kappa;                   // its expansion for small kappa
            if (kappa > 1e-5) {
                const double t = 1 + sqrt(1 + 4 * kappa * kappa), rho = (t - sqrt(2 * t)) / (2 * kappa);
                s = (1 + rho * rho) / (2 * rho);
            }
            double w;
            for (;;) {
                const double z = cos(PI * r.uniform());
                w = (1 + s * z) / (s + z);
                const double y = kappa * (s - w), v = r.positive();
                if (y * (2 - y) >= v || log(y / v) + 1 >= y) break;
            }
            x = acos(fmin(fmax(w, -1.0), 1.0));
            x = mu + (r.word() & 1 ? x : -x);
        }
        x = fmod(x + PI, 2 * PI);
        return x < 0 ? x + PI : x - PI;
    }
};

// ---- one number an element; a parameter is an array where its pointer is set, else a scalar. rule: bits say what is wrong
// with a parameter's value: 1 negative, 2 zero, 4 above one, 8 one or less, 16 one or more; NaN always is.
HD bool allowed(double x, int64_t rule) {
    return x == x && !((rule & 1) && x < 0) && !((rule & 2) && x == 0) && !((rule & 4) && x > 1) && !((rule & 8) && x <= 1)
        && !((rule & 16) && x >= 1);
}

template <class Dist, class Y, class Index>
struct draw {
    struct Args {
        Y* y;
        const double *p, *q, *s;
        double a, b, c;
        int64_t rule_a, rule_b, rule_c, key, counter;
        ErrorCell err;
    };
    HD static void at(Index i, const Args& g) {
        const double a = g.p ? g.p[i] : g.a, b = g.q ? g.q[i] : g.b, c = g.s ? g.s[i] : g.c;
        if (!allowed(a, g.rule_a) || !allowed(b, g.rule_b) || !allowed(c, g.rule_c) || !Dist::fit(a, b, c)) {
            g.err.raise(0);
            g.y[i] = Y(0);
            return;
        }
        Stream r(uint64_t(g.key), uint64_t(g.counter) + uint64_t(i));
        g.y[i] = Y(Dist::sample(r, a, b, c));
    }
};

// ---- rows of counts: each category's share of what is left
template <class Index>
struct draw_multinomial {
    struct Args { int64_t* y; const int64_t* n; const double* p; int64_t k, rows_p, key, counter; };
    HD static void at(Index i, const Args& a) {
        Stream r(uint64_t(a.key), uint64_t(a.counter) + uint64_t(i));
        const double* p = a.p + (a.rows_p == 1 ? 0 : int64_t(i)) * a.k;
        int64_t* y = a.y + int64_t(i) * a.k;
        double left = double(a.n[i]), share = 1;
        for (int64_t j = 0; j < a.k; ++j) {
            const double q = j + 1 == a.k || p[j] >= share ? 1 : p[j] / share;
            const double x = left > 0 ? binomial_of(r, left, q < 0 ? 0 : q) : 0;
            y[j] = int64_t(x);
            left -= x;
            share -= p[j];
        }
    }
};

template <class Index>
struct draw_multivariate_hypergeometric {
    struct Args { int64_t* y; const int64_t* colors; int64_t k, total, sample, key, counter; };
    HD static void at(Index i, const Args& a) {
        Stream r(uint64_t(a.key), uint64_t(a.counter) + uint64_t(i));
        int64_t* y = a.y + int64_t(i) * a.k;
        double rest = double(a.total), left = double(a.sample);
        for (int64_t j = 0; j < a.k; ++j) {
            const double good = double(a.colors[j]);
            rest -= good;
            const double x = left <= 0 ? 0 : rest <= 0 ? left : hypergeometric_of(r, good, rest, left);
            y[j] = int64_t(x);
            left -= x;
        }
    }
};

}  // namespace gpusci
