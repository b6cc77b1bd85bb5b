// chapters/02_masks/program/windows.cpp · what a window costs, and how far layers of windows see
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// How many keys each of 10 queries sees: of a window that is short, longer than the text, and the longest.
Report show_keys_in_windows(const Request&) {
    constexpr std::size_t seq = 10, largest = std::numeric_limits<std::size_t>::max();
    Table table{.columns = {{"window"}, {"causal: keys of query 0, 1 … 9"}, {"symmetric"}}};
    for (const auto& [name, window] :
         {std::pair("3", std::size_t{3}), std::pair("12", std::size_t{12}), std::pair("2^64 - 1", largest)}) {
        std::vector<Cell> row{name};
        for (const Window kind : {Window::causal, Window::symmetric}) {
            const xt::xarray<bool> allowed = sliding_window_mask(seq, window, kind).array();
            std::vector<std::ptrdiff_t> keys;
            for (std::size_t i = 0; i < seq; ++i) {
                const bool* query = allowed.data() + i * seq;
                keys.push_back(std::count(query, query + seq, true));
            }
            row.emplace_back(fmt::format("{}", fmt::join(keys, " ")));
        }
        table.add(row);
    }
    Report report;
    report.add(table);
    return report;
}

Report show_reach(const Request& request) {
    constexpr std::size_t seq = 24, d_model = 16, window = 4;
    const Mask mask = sliding_window_mask(seq, window);
    Rng rng(request[options::seed]);
    const Array values = rng.normal_array({1, seq, d_model});
    std::vector<MultiHeadAttention> stack;
    Table table{.columns = {{"layers", whole()}, {"positions reached", whole()}, {"L (w - 1) + 1", whole()}}};
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
        table.add({layers, reached, layers * (window - 1) + 1});
    }
    Report report;
    report.add(table);
    return report;
}

Report show_allowed_cells(const Request&) {
    constexpr std::size_t window = 128;
    Table table{.columns = {{"T", whole()},
                            {"T^2", whole()},
                            {"causal", whole()},
                            {"T(T + 1) / 2", whole()},
                            {fmt::format("window {}", window), whole()},
                            {"formula", whole()}}};
    for (const std::size_t seq : {256u, 1024u, 4096u})
        table.add({seq, seq * seq, count_allowed(causal_mask(seq).array()), seq * (seq + 1) / 2,
                   count_allowed(sliding_window_mask(seq, window).array()),
                   seq * window - window * (window - 1) / 2});
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections windows_sections() {
    return {{"windows",
             "How many of 10 keys each query sees through a window",
             show_keys_in_windows,
             {},
             Level::deeper},
            {"reach",
             "Layers of windows see farther than one window (w = 4, 24 positions)",
             show_reach,
             {options::seed},
             Level::deeper},
            {"cells", "How many cells a mask allows", show_allowed_cells, {}, Level::deeper}};
}

}  // namespace tfs
