// chapters/05_feed_forward/program/claims.cpp · what the lesson claims of the network, measured
#include "chapters/05_feed_forward/program/claims.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <functional>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

// How many entries of other positions than `changed` differ, in any bit.
std::size_t changed_elsewhere(const Tensor& before, const Tensor& after, std::size_t changed) {
    const std::size_t width = before.size(-1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (i / width != changed && before.values()[i] != after.values()[i]) ++count;
    return count;
}

struct Size {
    std::string name;
    std::size_t d_ff, weights, by_formula, counted;
    std::function<Tensor(const Tensor&)> call;
};

// Calls visit for each network of width d, one after the other, so that an unfinished step ends only what comes after it.
// FFN: 2 d d_ff weights, d_ff + d biases; SwiGLU: 3 d d_ff weights.
void for_each_size(std::size_t d, Rng& rng, const std::function<void(const Size&)>& visit) {
    for (const std::size_t ratio : {1u, 2u, 4u, 8u}) {
        const std::size_t d_ff = ratio * d;
        const FeedForward layer(d, d_ff, rng);
        visit({fmt::format("FFN, ratio {}", ratio), d_ff, 2 * d * d_ff, 2 * d * d_ff + d_ff + d,
               count_parameters(layer.parameters()), layer});
    }
    for (const bool reduced : {false, true}) {
        const std::size_t d_ff = reduced ? swiglu_hidden_size(4 * d, 64) : 4 * d;
        const SwiGLU layer(d, d_ff, rng);
        visit({reduced ? "SwiGLU, 2/3 of 4" : "SwiGLU, ratio 4", d_ff, 3 * d * d_ff, 3 * d * d_ff,
               count_parameters(layer.parameters()), layer});
    }
}

}  // namespace

void show_independence(std::ostream& out, const Tensor& x, const FeedForward& layer, std::uint64_t seed) {
    const std::size_t seq = x.size(1), changed = seq / 2;
    if (seq == 1) {
        out << "  One token has no neighbours: give --text at least two words.\n";
        return;
    }
    Rng rng(seed + 3);
    Array other = x.array();
    for (std::size_t i = 0; i < x.size(-1); ++i)
        other.data()[changed * x.size(-1) + i] = static_cast<float>(rng.normal());
    const Tensor y(std::move(other));
    const MultiHeadAttention attention(x.size(-1), 1, rng);
    const std::size_t entries = (seq - 1) * x.size(-1);
    fmt::print(out, "  Token {} of {} is replaced. Entries of the other tokens that change, in any bit:\n",
               changed + 1, seq);
    fmt::print(out, "  {:<14} {} of {}\n", "feed-forward", changed_elsewhere(layer(x), layer(y), changed),
               entries);
    fmt::print(out, "  {:<14} {} of {}\n", "attention",
               changed_elsewhere(attention(x, x, x).output, attention(y, y, y).output, changed), entries);
}

void show_superposition(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t seq = 8, d = 16;
    Rng rng(seed);
    const auto draw = [&] { return Tensor(rng.normal_array({1, seq, d})); };
    const Tensor q = draw(), k = draw(), a = draw(), b = draw();
    const MultiHeadAttention first(d, 4, rng), second(d, 4, rng);
    const FeedForward ffn(d, 4 * d, rng);
    const auto fixed = [&](const Tensor& v) { return scaled_dot_product_attention(q, k, v).output; };
    const auto line = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
        const double error = largest_difference(f(a + b).array(), (f(a) + f(b)).array());
        fmt::print(out, "  {:<46} {:>14}\n", name,
                   error < 1e-5 ? std::string("none (< 1e-5)") : fmt::format("{:.2f}", error));
    };
    fmt::print(out, "  {:<46} {:>14}\n", "f", "f(a+b)-f(a)-f(b)");
    line("attention of v, weights fixed", fixed);
    line("... twice, weights fixed", [&](const Tensor& v) { return fixed(fixed(v)); });
    line("attention of x: softmax bends q and k", [&](const Tensor& x) { return first(x, x, x).output; });
    line("attention of x where there is only one token", [&](const Tensor& x) {
        const Tensor one = slice(x, 1, 0, 1), y = first(one, one, one).output;
        return second(y, y, y).output;
    });
    line("feed-forward of x", ffn);
}

void show_sizes(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t d = 768, attention = 4 * (d * d + d);
    Rng rng(seed);
    fmt::print(out, "{:<18} {:>6} {:>11} {:>11} {:>16} {:>17}\n", "width 768", "d_ff", "formula", "counted",
               "MFLOP per token", "share of a block");
    for_each_size(d, rng, [&](const Size& size) {
        const double share =
            static_cast<double>(size.counted) / static_cast<double>(size.counted + attention);
        fmt::print(out, "{:<18} {:>6} {:>11} {:>11} {:>16.2f} {:>15.1f} %\n", size.name, size.d_ff,
                   size.by_formula, size.counted, 2e-6 * static_cast<double>(size.weights), 100 * share);
    });
    const std::size_t in_twelve = 12 * (2 * d * 4 * d + 4 * d + d);
    const auto share = [&](std::size_t whole) {
        return 100.0 * static_cast<double>(in_twelve) / static_cast<double>(whole);
    };
    fmt::print(out,
               "  12 such FFNs of ratio 4: {} parameters, {:.1f} % of GPT-2 small, {:.1f} % of BERT-base\n",
               in_twelve, share(124'439'808), share(109'482'240));
}

void measure_times(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t d = 256, tokens = 512;
    Rng rng(seed);
    const NoGrad no_grad;
    const Tensor x(rng.normal_array({1, tokens, d}));
    fmt::print(out, "{:<18} {:>6} {:>10} {:>10}\n", "width 256", "d_ff", "time, ms", "GFLOP/s");
    for_each_size(d, rng, [&](const Size& size) {
        double seconds = best_seconds([&] { (void)size.call(x); });
        for (int batch = 1; batch < 3; ++batch) {  // what disturbs one batch may have passed by the next
            seconds = std::min(seconds, best_seconds([&] { (void)size.call(x); }));
        }
        fmt::print(out, "{:<18} {:>6} {:>10.3f} {:>10.1f}\n", size.name, size.d_ff, 1e3 * seconds,
                   2e-9 * static_cast<double>(size.weights * tokens) / seconds);
    });
}

}  // namespace tfs
