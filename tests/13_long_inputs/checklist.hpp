// tests/13_long_inputs/checklist.hpp · heads as tensors, the golden ones, and attention in plain loops in double precision
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline Matrix matrix_of(const Tensor& x) {
    Matrix matrix(x.size(0), x.size(-1));
    std::copy(x.values().begin(), x.values().end(), matrix.numbers.begin());
    return matrix;
}

inline Tensor tensor_of(const Matrix& x) { return Tensor::from({x.rows, x.width}, x.numbers); }
inline Tensor tensor_of(const std::vector<float>& x) { return Tensor::from({x.size()}, x); }

// A case of tests/golden/area_long_inputs.py.
struct GoldenCase {
    Head head;
    Visible visible;

    explicit GoldenCase(const std::string& name)
        : head{matrix_of(golden()[name == "cross" ? "cross.q" : "q"]), matrix_of(golden()["k"]),
               matrix_of(golden()["v"])} {
        const Tensor begin = golden()[name + ".begin"], end = golden()[name + ".end"];
        for (std::size_t i = 0; i < begin.size(); ++i)
            visible.push_back(
                {static_cast<std::size_t>(begin.at({i})), static_cast<std::size_t>(end.at({i}))});
    }
};

inline const std::string golden_cases[] = {"causal", "window", "documents", "cross"};

inline Head random_head(std::size_t queries, std::size_t keys, std::size_t d_k, std::size_t d_v) {
    return {matrix_of(normal({queries, d_k}, 1)), matrix_of(normal({keys, d_k}, 2)),
            matrix_of(normal({keys, d_v}, 3))};
}

// What attention_in_tiles returns for these queries.
inline BlockOutput attention_in_loops(const Head& head, Range queries, const Visible& visible) {
    BlockOutput block{Matrix(queries.size(), head.v.width), std::vector<float>(queries.size(), infinity)};
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const auto [begin, end] = visible[queries.begin + i];
        std::vector<double> scores, mean(head.v.width);
        for (std::size_t j = begin; j < end; ++j) {
            double score = 0.0;
            for (std::size_t c = 0; c < head.q.width; ++c)
                score += static_cast<double>(head.q.row(queries.begin + i)[c]) * head.k.row(j)[c];
            scores.push_back(score / std::sqrt(static_cast<double>(head.q.width)));
        }
        if (scores.empty()) continue;
        const double largest = *std::max_element(scores.begin(), scores.end());
        double sum = 0.0;
        for (std::size_t j = begin; j < end; ++j) {
            const double weight = std::exp(scores[j - begin] - largest);
            sum += weight;
            for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += weight * head.v.row(j)[c];
        }
        for (std::size_t c = 0; c < mean.size(); ++c)
            block.output.row(i)[c] = static_cast<float>(mean[c] / sum);
        block.log_sums[i] = static_cast<float>(largest + std::log(sum));
    }
    return block;
}

// How many tiles have a query of the block that sees one of their keys.
inline std::size_t tiles_seen(Range queries, std::size_t keys, const Visible& visible) {
    std::size_t count = 0;
    for (std::size_t key = 0; key < keys; key += tile_keys) {
        bool any = false;
        for (std::size_t i = queries.begin; i < queries.end; ++i)
            for (std::size_t j = key; j < std::min(keys, key + tile_keys); ++j)
                any = any || (visible[i].begin <= j && j < visible[i].end);
        count += any ? 1 : 0;
    }
    return count;
}

}  // namespace tfs::test
