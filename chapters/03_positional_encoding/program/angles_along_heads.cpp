// chapters/03_positional_encoding/program/angles_along_heads.cpp · angles that are laid along the heads
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/03_positional_encoding/program/score_difference.hpp"

namespace tfs {

namespace {

// (…, seq, d_k) turned pair by pair, with the angles (seq, d_k/2) laid along axis -3, as `unsqueeze(0).unsqueeze(2)` does.
Tensor turned_along_heads(const Tensor& x, const RotaryEmbedding& rotary) {
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

}  // namespace

void measure_angles_along_heads(Show& show) {
    Rng rng(show.options.seed);
    show.out << "  Angles as (1, seq, 1, d_k/2) against q and k (batch, heads, seq, d_k), d_k = 64:\n\n";
    const auto attempt = [&](std::size_t heads, std::size_t seq, std::size_t max_len) {
        const RotaryEmbedding rotary(d_k, max_len);
        const Tensor q(rng.normal_array({1, heads, seq, d_k})), k(rng.normal_array({1, heads, seq, d_k}));
        fmt::print(show.out, "  heads {:>2}, positions {:>2}, table of {:>2}: ", heads, seq, max_len);
        try {
            const Tensor turned_q = turned_along_heads(q, rotary), turned_k = turned_along_heads(k, rotary);
            if (turned_q.shape() != q.shape()) {
                fmt::print(show.out, "the result is {} instead of {}\n", to_string(turned_q.shape()),
                           to_string(q.shape()));
                return;
            }
            const Tensor plain = scores_of(q, k);
            fmt::print(show.out, "turning moves the scores by {} (rightly: by {:.1f})\n",
                       small_or_number(difference(plain, scores_of(turned_q, turned_k)), 3, 4),
                       difference(plain, scores_of(apply_rotary(q, rotary), apply_rotary(k, rotary))));
        } catch (const ShapeError&) {
            show.out << "refused, the shapes don't fit\n";
        }
    };
    attempt(4, 10, 10);
    attempt(8, 8, 8);
    attempt(16, 10, 16);
    attempt(1, 10, 10);
}

}  // namespace tfs
