// A composition of ufunc functors as one functor: the expression is a type, so the compiler sees one straight function.
#pragma once
#include "entry.h"
#include "elementwise.h"

namespace gpusci {

// The K-th input.
template <int K> struct input {
    template <class First, class... Rest>
    HD static decltype(auto) eval(const First& first, const Rest&... rest) {
        if constexpr (K == 0) return (first);
        else return input<K - 1>::eval(rest...);
    }
};

// F applied to nodes; each operand is converted to the loop's dtype, and half is computed in float.
template <class F, class Loop, class... Nodes> struct node;
template <class F, class... In, class... Nodes>
struct node<F, types<In...>, Nodes...> {
    template <class... X>
    HD static auto eval(const X&... x) {
        return F()(cast<compute_t<In>>(Nodes::eval(x...))...);
    }
};

template <class Root> struct fused {
    template <class... X>
    HD auto operator()(const X&... x) const { return Root::eval(x...); }
};

}  // namespace gpusci
