// chapters/08_encoder_decoder/program/position_pairs.cpp · pairs of positions that look at each other, or change each other
#include "chapters/08_encoder_decoder/program/position_pairs.hpp"

#include <algorithm>

namespace tfs {

xt::xarray<bool> not_zero(const Array& values) {
    xt::xarray<bool> result = xt::xarray<bool>::from_shape(values.shape());
    for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = values.data()[i] != 0.0f;
    return result;
}

PairCount count_pairs(const xt::xarray<bool>& pairs) {
    PairCount count;
    for (std::size_t i = 0; i < pairs.shape(0); ++i) {
        for (std::size_t j = 0; j < pairs.shape(1); ++j) {
            if (!pairs(i, j)) continue;
            ++count.all;
            if (j > i) ++count.later;
        }
    }
    return count;
}

PairCount count_looking(const std::vector<Tensor>& layers) {
    xt::xarray<bool> looks = xt::xarray<bool>::from_shape({layers[0].size(-2), layers[0].size(-1)});
    std::fill_n(looks.data(), looks.size(), false);
    for (const Tensor& weights : layers)
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights.values()[i] > 0.0f) looks.data()[i % looks.size()] = true;
    return count_pairs(looks);
}

}  // namespace tfs
