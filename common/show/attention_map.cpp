// common/show/attention_map.cpp · one map out of the weights of many sequences and heads, for the screen or a figure
#include "common/show/heat_map.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

Array attention_map(const Tensor& weights, std::size_t sequence, std::size_t head) {
    const Tensor one = slice(slice(weights, 0, sequence, sequence + 1), 1, head, head + 1);
    return reshape(one, {weights.size(-2), weights.size(-1)}).array();
}

HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, std::size_t head,
                             const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                             const std::optional<Mask>& mask) {
    HeatMapPanel panel{title, attention_map(weights, 0, head), rows, columns};
    if (mask) {
        panel.allowed = mask->expanded({1, 1, weights.size(-2), weights.size(-1)});
        panel.allowed->reshape(panel.values.shape());
    }
    return panel;
}

}  // namespace tfs
