// chapters/02_masks/program/empty_rows.cpp · what a query gets that may attend to nothing
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "chapters/02_masks/program/options.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float round_to_half(float x) { return float_from_half(half_from_float(x)); }
float as_it_is(float x) { return x; }

// The weights of one query none of whose keys is allowed: softmax(scores +
// forbidden), rounded at every step; by the formula of PyTorch, or by chapter
// 01's, which gives zeros where all is -infinity.
std::vector<float> weights_of(const std::vector<float>& scores, float forbidden, float (*round)(float)) {
    std::vector<float> sums;
    for (const float score : scores) sums.push_back(round(round(score) + round(forbidden)));
    const float largest = *std::max_element(sums.begin(), sums.end());
    double total = 0.0;
    for (float& entry : sums) {
        entry = std::exp(entry - largest);
        total += static_cast<double>(entry);
    }
    for (float& entry : sums) entry = round(static_cast<float>(static_cast<double>(entry) / total));
    return sums;
}

Report show_empty_rows(const Request& request) {
    Rng rng(request[options::seed]);
    std::vector<float> scores;
    for (int j = 0; j < 5; ++j) scores.push_back(static_cast<float>(rng.normal()));
    Table table{.columns = {{"what is added to the scores"}}};
    for (int j = 1; j <= 5; ++j) table.columns.push_back({fmt::format("key {}", j), fixed(3)});
    const auto add = [&](const std::string& name, std::span<const float> weights) {
        std::vector<Cell> row{name};
        row.insert(row.end(), weights.begin(), weights.end());
        table.add(row);
    };
    add("not masked at all", weights_of(scores, 0.0f, as_it_is));
    const Tensor ours = softmax(Tensor::from({1, 5}, scores) + Tensor::full({1, 5}, -infinity));
    add("-inf, softmax of chapter 01", ours.values());
    for (const float forbidden : {-infinity, -1e9f, -1e4f}) {
        for (const bool half : {false, true})
            add(fmt::format("{:g}, PyTorch's formula, {}", forbidden, half ? "half" : "float32"),
                weights_of(scores, forbidden, half ? round_to_half : as_it_is));
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections empty_rows_sections() {
    return {{"empty-rows",
             "Only -infinity forbids: the weights of a query that may attend to none of its 5 keys",
             show_empty_rows,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
