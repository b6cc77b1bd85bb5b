// chapters/05_feed_forward/program/superposition.cpp · f(a + b) against f(a) + f(b): what is linear, and what is not
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include <functional>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

void show_superposition(Show& show) {
    constexpr std::size_t seq = 8, d = 16;
    Rng rng(show.options.seed);
    const auto draw = [&] { return Tensor(rng.normal_array({1, seq, d})); };
    const Tensor q = draw(), k = draw(), a = draw(), b = draw();
    const MultiHeadAttention first(d, 4, rng), second(d, 4, rng);
    const FeedForward ffn(d, 4 * d, rng);
    const auto fixed = [&](const Tensor& v) { return scaled_dot_product_attention(q, k, v).output; };
    const auto line = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
        const double error = largest_difference(f(a + b).array(), (f(a) + f(b)).array());
        fmt::print(show.out, "  {:<46} {:>14}\n", name, small_or_number(error, 2));
    };
    fmt::print(show.out, "  {:<46} {:>14}\n", "f", "f(a+b)-f(a)-f(b)");
    line("attention of v, weights fixed", fixed);
    line("... twice, weights fixed", [&](const Tensor& v) { return fixed(fixed(v)); });
    line("attention of x: softmax bends q and k", [&](const Tensor& x) { return first(x, x, x).output; });
    line("attention of x where there is only one token", [&](const Tensor& x) {
        const Tensor one = slice(x, 1, 0, 1), y = first(one, one, one).output;
        return second(y, y, y).output;
    });
    line("feed-forward of x", ffn);
}

}  // namespace tfs
