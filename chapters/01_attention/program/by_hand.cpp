// chapters/01_attention/program/by_hand.cpp · the lesson's two examples for pencil and paper
#include <fmt/ostream.h>

#include <cmath>

#include "chapters/01_attention/program/sections.hpp"

namespace tfs {

namespace {

using Words = std::vector<std::string>;

void print_row(Show& show, const std::string& name, const Tensor& row, int decimals) {
    std::string line = fmt::format("  {:<18}", name);
    for (const float value : row.values()) line += fmt::format("{:>10.{}f}", value, decimals);
    fmt::print(show.out, "{}\n", line);
}

std::string pair(const Tensor& x, std::size_t row, int decimals = 0) {
    return fmt::format("({:.{}f}, {:.{}f})", x.at({row, 0}), decimals, x.at({row, 1}), decimals);
}

void print_pairs(Show& show, const std::string& name, const Tensor& x) {
    std::string line = fmt::format("  {:<18}", name);
    for (std::size_t row = 0; row < x.size(0); ++row) line += fmt::format("{:>10}", pair(x, row));
    fmt::print(show.out, "{}\n", line);
}

}  // namespace

void show_weighted_mean(Show& show) {
    const Tensor keys = Tensor::from({3}, {1, 2, 4}), values = Tensor::from({3}, {10, 20, 40});
    const float query = 3;
    const Tensor distance = keys - query;
    const Tensor nearness = exp(distance * distance * -0.5f);
    const Tensor weights = nearness / sum(nearness);
    const Tensor mean = sum(weights * values);
    print_row(show, "key", keys, 0);
    print_row(show, "exp(-(key-3)^2/2)", nearness, 3);
    print_row(show, "weight", weights, 3);
    print_row(show, "value", values, 0);
    fmt::print(show.out, "  The weighted mean at the query 3 is {:.2f}.\n", mean.item());
}

void show_attention_by_hand(Show& show) {
    const Tensor k = Tensor::from({3, 2}, {1, 0, 0, 1, 0, 0}), v = Tensor::from({3, 2}, {4, 0, 0, 4, 0, 0});
    const Tensor queries = Tensor::from({2, 2}, {4, 0, 0, 4});
    const Words names = {"tired", "soft"};
    fmt::print(show.out, "  {:<18}{:>10}{:>10}{:>10}\n", "", "cat", "mat", "adjective");
    print_pairs(show, "key", k);
    print_pairs(show, "value", v);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Tensor q = slice(queries, 0, i, i + 1);
        const AttentionOutput result = scaled_dot_product_attention(q, k, v);
        const Tensor scores = matmul(q, k, Transpose::b);
        if (i == 0) {
            print_row(show, "scores of " + names[i], scores, 0);
            print_row(show, "  over sqrt(2)", scores / std::sqrt(2.0f), 2);
        }
        print_row(show, "weights of " + names[i], result.weights, 3);
        fmt::print(show.out, "  query of {} {}: output {}\n", names[i], pair(q, 0),
                   pair(result.output, 0, 2));
    }
}

}  // namespace tfs
