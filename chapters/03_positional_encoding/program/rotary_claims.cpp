// chapters/03_positional_encoding/program/rotary_claims.cpp · what the lesson claims of rotary positions and ALiBi, measured
#include "chapters/03_positional_encoding/program/rotary_claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/program/numbers.hpp"
#include "chapters/03_positional_encoding/program/orders.hpp"

namespace tfs {

namespace {

constexpr std::size_t d_k = 64;

Tensor scores_of(const Tensor& q, const Tensor& k) { return matmul(q, k, Transpose::b); }

Tensor norms(const Tensor& x) { return sqrt(sum(x * x, -1)); }

// The columns of x (…, d_k) in the order of the other layout; the given function reorders rows.
Tensor reordered(const Tensor& x) {
    const Tensor rows = transpose(reshape(x, {x.size() / d_k, d_k}), 0, 1);
    return reshape(transpose(interleaved_to_half_split(rows, 1), 0, 1), x.shape());
}

double difference(const Tensor& a, const Tensor& b) { return largest_difference(a.array(), b.array()); }

// (…, seq, d_k) turned pair by pair, with the angles (seq, d_k/2) laid along axis -3, as `unsqueeze(0).unsqueeze(2)` does.
Tensor turned_as_in_the_notes(const Tensor& x, const RotaryEmbedding& rotary) {
    const std::size_t positions = rotary.cos.size(0), pairs = rotary.cos.size(1);
    Shape by_pair = x.shape();
    by_pair.back() = pairs;
    by_pair.push_back(2);
    const Tensor both = reshape(x, by_pair);
    const Tensor a = slice(both, -1, 0, 1), b = slice(both, -1, 1, 2);
    const Tensor cos = reshape(rotary.cos, {positions, 1, pairs, 1}),
                 sin = reshape(rotary.sin, {positions, 1, pairs, 1});
    const Tensor turned = concat({a * cos - b * sin, a * sin + b * cos}, -1);
    Shape shape = turned.shape();
    shape.pop_back();
    shape.back() = 2 * pairs;
    return reshape(turned, shape);
}

void print_row(std::ostream& out, const char* what, const std::string& value) {
    fmt::print(out, "  {:<58}{}\n", what, value);
}

// The scores of interleaved q and k against those under the other layout, with the columns moved and not.
void compare_layouts(std::ostream& out, const Tensor& q, const Tensor& k, const RotaryEmbedding& rotary) {
    const Tensor here = scores_of(apply_rotary(q, rotary), apply_rotary(k, rotary));
    const auto half_split = [&](const Tensor& x) {
        return apply_rotary(x, rotary, RotaryLayout::half_split);
    };
    print_row(out, "scores under half_split, columns reordered, against these",
              small_or(difference(here, scores_of(half_split(reordered(q)), half_split(reordered(k)))), 4));
    print_row(out, "scores under half_split, columns as they are",
              small_or(difference(here, scores_of(half_split(q), half_split(k))), 4));
}

}  // namespace

void measure_rotary(std::ostream& out, std::uint64_t seed) {
    const RotaryEmbedding rotary(d_k, 2048);
    Rng rng(seed);
    const auto draw = [&] { return Tensor(rng.normal_array({1, 2, 8, d_k})); };
    const auto turn = [&](const Tensor& x, std::size_t offset) {
        return apply_rotary(x, rotary, RotaryLayout::interleaved, offset);
    };
    const Tensor q = draw(), k = draw(), v = draw(), last = slice(q, 2, 5, 8);
    const Tensor here = scores_of(turn(q, 0), turn(k, 0));
    const auto with_values = [&](std::size_t offset) {  // sqrt(64) = 8
        return matmul(softmax(scores_of(turn(q, offset), turn(k, offset)) / 8.0f), turn(v, offset));
    };
    fmt::print(out, "  8 queries and keys, N(0, 1), in 2 heads of d_k = {}; a table of 2048 positions\n\n",
               d_k);
    print_row(out, "norms before and after, largest difference",
              small_or(difference(norms(q), norms(turn(q, 500))), 4));
    print_row(out, "scores, all positions 1000 later, largest difference",
              small_or(difference(here, scores_of(turn(q, 1000), turn(k, 1000))), 4));
    print_row(out, "scores, only the queries 1000 later",
              small_or(difference(here, scores_of(turn(q, 1000), turn(k, 0))), 4));
    print_row(out, "output, values turned too, all positions 1000 later",
              small_or(difference(with_values(0), with_values(1000)), 4));
    print_row(out, "the last 3 with offset 5 = the last 3 of all 8, exactly",
              difference(turn(last, 5), slice(turn(q, 0), 2, 5, 8)) == 0.0 ? "yes" : "NO");
    compare_layouts(out, q, k, rotary);
}

void measure_angles_along_heads(std::ostream& out, std::uint64_t seed) {
    Rng rng(seed);
    out << "  Angles as (1, seq, 1, d_k/2) against q and k (batch, heads, seq, d_k), d_k = 64:\n\n";
    const auto attempt = [&](std::size_t heads, std::size_t seq, std::size_t max_len) {
        const RotaryEmbedding rotary(d_k, max_len);
        const Tensor q(rng.normal_array({1, heads, seq, d_k})), k(rng.normal_array({1, heads, seq, d_k}));
        fmt::print(out, "  heads {:>2}, positions {:>2}, table of {:>2}: ", heads, seq, max_len);
        try {
            const Tensor turned_q = turned_as_in_the_notes(q, rotary),
                         turned_k = turned_as_in_the_notes(k, rotary);
            if (turned_q.shape() != q.shape()) {
                fmt::print(out, "the result is {} instead of {}\n", to_string(turned_q.shape()),
                           to_string(q.shape()));
                return;
            }
            const Tensor plain = scores_of(q, k);
            fmt::print(out, "scores differ by {} from unturned ones (turned rightly: {:.1f})\n",
                       small_or(difference(plain, scores_of(turned_q, turned_k)), 4),
                       difference(plain, scores_of(apply_rotary(q, rotary), apply_rotary(k, rotary))));
        } catch (const ShapeError&) {
            out << "refused, the shapes don't fit\n";
        }
    };
    attempt(4, 10, 10);
    attempt(8, 8, 8);
    attempt(16, 10, 16);
    attempt(1, 10, 10);
}

void measure_alibi(std::ostream& out, std::size_t num_heads, std::uint64_t seed) {
    constexpr std::size_t seq = 12, offset = 5;
    Rng rng(seed);
    const auto draw = [&](std::size_t rows) { return Tensor(rng.normal_array({1, num_heads, rows, d_k})); };
    const Tensor q = draw(seq - offset), k = draw(seq), v = draw(seq),
                 bias = alibi_bias(num_heads, seq - offset, seq, offset);
    for (const std::size_t heads : {num_heads, num_heads == 12 ? std::size_t{6} : std::size_t{12}}) {
        const Tensor slopes = alibi_slopes(heads);
        std::string listed;
        for (std::size_t h = 0; h < std::min<std::size_t>(heads, 12); ++h)
            listed += fmt::format(" {:.3g}", slopes.at({h}));
        fmt::print(out, "  slopes of {} heads:{}{}\n", heads, listed, heads > 12 ? " ..." : "");
    }
    std::vector<float> positions;
    for (std::size_t j = 0; j < seq; ++j) positions.push_back(static_cast<float>(j));
    const Tensor published =
        reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1}) * Tensor::from({seq}, positions);
    const Mask mask = causal_mask(seq - offset, seq, offset);
    fmt::print(out, "  weights with -slope (i - j) against those with slope j, causal: {}\n",
               small_or(difference(biased_attention(q, k, v, bias, mask).weights,
                                   biased_attention(q, k, v, published, mask).weights),
                        4));
    fmt::print(out, "  the same without the causal mask: {}\n",
               small_or(difference(biased_attention(q, k, v, bias).weights,
                                   biased_attention(q, k, v, published).weights),
                        4));
}

}  // namespace tfs
