// Standardising: (x - mean) / deviation.
#pragma once
#include <gpusci/entry.h>

namespace gpusci {
namespace dist {

// NaN where the deviation is no more than what rounding of the mean makes of constant data: eps |mean|.
struct standardise {
    template <class T> HD T operator()(T x, T mean, T deviation) const {
        const T eps = T(same<T, double>::value ? 0x1p-52 : 0x1p-23), size = mean < T(0) ? -mean : mean;
        return deviation <= eps * size ? (deviation - deviation) / (deviation - deviation) : (x - mean) / deviation;
    }
};

}  // namespace dist
}  // namespace gpusci
