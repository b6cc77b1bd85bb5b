// common/figures/attention_panel.cpp · the weights of one head as a panel of a figure
#include "common/figures/attention_panel.hpp"

#include "common/show/heat_map.hpp"

namespace tfs {

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
