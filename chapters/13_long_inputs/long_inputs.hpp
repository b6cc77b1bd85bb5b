// chapters/13_long_inputs/long_inputs.hpp · what chapter 13 builds: attention in tiles, without a square of scores
//
// Sources: Milakov and Gimelshein 2018 (arXiv:1805.02867) for the softmax in one pass; Rabe and Staats 2021 (arXiv:2112.05682)
// and Dao et al. 2022 (arXiv:2205.14135) for attention in tiles and its gradient; Liu et al. 2023 (arXiv:2310.01889) and Brandon et
// al. 2023 (arXiv:2311.09431) for keys on many machines. One head at a time: query · key (positions) · d_k · d_v (widths).
// Read the lesson in README.md beside this file; write your steps in exercises/13_long_inputs/.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "common/tensor.hpp"

namespace tfs {

// --- one query

// What a query knows after some of its keys. The weight of a key, not divided yet, is exp(score - largest).
struct Partial {
    float largest = -std::numeric_limits<float>::infinity();  // of the scores so far
    float sum = 0.0f;                                         // of the weights so far
    std::vector<float> weighted;                              // (d_v): the sum of weight * value

    explicit Partial(std::size_t d_v) : weighted(d_v) {}
};

// Step streaming_softmax · One more key. In two functions of one file; each key is looked at once, and no list of scores is kept.
//   score: q · k / sqrt(d_k), of any size; -inf for a key that is hidden · value (d_v)
// `sum` and `weighted` stay finite for all finite scores.
void add_key(Partial& partial, float score, std::span<const float> value);
// The mean of the values, sum of softmax(scores)_j value_j: (d_v). Zeros where no key was seen.
[[nodiscard]] std::vector<float> result_of(const Partial& partial);

// Step merge_partial · What a query knows after the keys of `a` and those of `b`, which have no key in common. One of them, or
// both, may have seen nothing. The order does not matter, nor how many are merged first (except for rounding).
[[nodiscard]] Partial merged(const Partial& a, const Partial& b);

// --- tiles

// Positions begin … end - 1.
struct Range {
    std::size_t begin = 0, end = 0;

    [[nodiscard]] std::size_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

// Rows of numbers, one after the other.
struct Matrix {
    std::size_t rows = 0, width = 0;
    std::vector<float> numbers = {};

    Matrix(std::size_t of, std::size_t wide) : rows(of), width(wide), numbers(of * wide) {}
    [[nodiscard]] std::span<float> row(std::size_t i) { return {numbers.data() + i * width, width}; }
    [[nodiscard]] std::span<const float> row(std::size_t i) const {
        return {numbers.data() + i * width, width};
    }
};

struct Head {
    Matrix q;  // (query, d_k)
    Matrix k;  // (key, d_k)
    Matrix v;  // (key, d_v)
};

// Which keys each query may attend to: one run of neighbours (common/tensor/mask.hpp), (0, 0) if there is none. Two numbers a
// query say what a causal mask, a window, a prefix, documents and padding at the end allow; no square is kept.
using Visible = std::vector<KeySpan>;

// Step attention_in_tiles · A block of queries meets the keys, a tile after the other (Dao et al. 2022; loops as in Dao 2023, arXiv:2307.08691):
//   softmax(q kᵀ / sqrt(d_k)) v, where query i sees the keys of visible[i] alone
// Of scores and weights one tile exists at a time, (queries, at most 128), whatever the number of keys. Tiles of which nothing is
// seen are not computed (tile_sees).
struct BlockOutput {
    Matrix output;  // (queries, d_v); zeros where a query sees nothing
    std::vector<float>
        log_sums;  // (queries): ln of the sum of exp(score), or +inf where a query sees nothing
};
// Given check: ShapeError if widths or numbers of rows disagree, ValueError if `queries` are not those of the head.
[[nodiscard]] BlockOutput attention_in_tiles(const Head& head, Range queries, const Visible& visible);

// Step hidden_tiles · What these queries see of these keys: no query sees any of them, every query sees all, or neither.
//   visible: a run of keys for each query of a block, perhaps empty · keys: at least one
enum class Sees { nothing, some, all };
[[nodiscard]] Sees tile_sees(std::span<const KeySpan> visible, Range keys);

// Step attention_gradient · (optional) The gradients that a block of queries sends back, added to those of the head. The weights are
// computed once more, tile by tile (Dao et al. 2022, algorithm 4). With dO, the gradient of the block's output:
//   p = exp(score - log_sum)     D = sum over d_v of dO * output, a number for each query
//   dv += pᵀ dO     ds = p * (dO vᵀ - D)     dq += ds k / sqrt(d_k)     dk += dsᵀ q / sqrt(d_k)
struct HeadGradients {
    Matrix dq, dk, dv;  // as q, k, v of the head
};
//   block: what attention_in_tiles returned for these queries · d_output (queries, d_v)
void attention_gradient(const Head& head, Range queries, const Visible& visible, const BlockOutput& block,
                        const Matrix& d_output, HeadGradients& gradients);

// --- many machines

// Step ring_of_machines · Puzzle: a text is too long for one machine, so each of several keeps the queries, keys and values of some
// positions. In each round every machine lets its queries meet the keys that lie with it, and merges what comes; then all hand
// their keys on to the next machine (Liu et al. 2023). The mask is causal, and a round lasts as long as its busiest machine computes.
// Which machine keeps a position? 0 … machines - 1
// It passes if every machine keeps as many positions as the others (or one more or less), and all rounds together last at most 1.25
// times as long as if all machines were busy all the time, for 2 to 8 machines and 64 to 1,000 positions.
[[nodiscard]] std::size_t machine_of(std::size_t position, std::size_t length, std::size_t machines);

}  // namespace tfs
