// chapters/02_masks/program/windows.cpp · what a window costs, and how far layers of windows see
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/02_masks/program/padded_batch.hpp"

namespace tfs {

void measure_reach(Show& show) {
    constexpr std::size_t seq = 24, d_model = 16, window = 4;
    const Mask mask = sliding_window_mask(seq, window);
    Rng rng(show.options.seed);
    const Array values = rng.normal_array({1, seq, d_model});
    std::vector<MultiHeadAttention> stack;
    fmt::print(show.out, "  {:>8} {:>20} {:>16}\n", "layers", "positions reached", "L (w - 1) + 1");
    for (std::size_t layers = 1; layers <= 5; ++layers) {
        stack.emplace_back(d_model, 2, rng);
        const Tensor x(values, true);
        Tensor y = x;
        for (const MultiHeadAttention& layer : stack) y = layer(y, y, y, mask).output;
        sum(slice(y, 1, seq - 1, seq)).backward();
        std::size_t reached = 0;
        for (std::size_t j = 0; j < seq; ++j) {
            const float* row = x.grad().data() + j * d_model;
            reached += std::any_of(row, row + d_model, [](float g) { return g != 0.0f; });
        }
        fmt::print(show.out, "  {:>8} {:>20} {:>16}\n", layers, reached, layers * (window - 1) + 1);
    }
}

void count_cells(Show& show) {
    constexpr std::size_t window = 128;
    fmt::print(show.out, "{:>6} {:>12} {:>12} {:>14} {:>22} {:>12}\n", "T", "T^2", "causal", "T(T + 1) / 2",
               fmt::format("window {}", window), "formula");
    for (const std::size_t seq : {256u, 1024u, 4096u}) {
        fmt::print(show.out, "{:>6} {:>12} {:>12} {:>14} {:>22} {:>12}\n", seq, seq * seq,
                   count_allowed(causal_mask(seq).array()), seq * (seq + 1) / 2,
                   count_allowed(sliding_window_mask(seq, window).array()),
                   seq * window - window * (window - 1) / 2);
    }
}

}  // namespace tfs
