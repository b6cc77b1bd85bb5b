// common/show/attention_map.cpp · one map out of the weights of many sequences and heads
#include "common/show/heat_map.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

Array attention_map(const Tensor& weights, std::size_t sequence, std::size_t head) {
    const Tensor one = slice(slice(weights, 0, sequence, sequence + 1), 1, head, head + 1);
    return reshape(one, {weights.size(-2), weights.size(-1)}).array();
}

}  // namespace tfs
