// chapters/03_positional_encoding/program/lengths.cpp · what becomes of each way of telling positions past the trained length
#include "chapters/03_positional_encoding/program/lengths.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/03_positional_encoding/program/finder.hpp"
#include "chapters/03_positional_encoding/program/numbers.hpp"
#include "chapters/03_positional_encoding/program/orders.hpp"

namespace tfs {

namespace {

double distance(const float* a, const float* b, std::size_t size) {
    double total = 0.0;
    for (std::size_t i = 0; i < size; ++i) total += std::pow(static_cast<double>(a[i]) - b[i], 2.0);
    return std::sqrt(total);
}

std::string entropy_of(const Tensor& weights) { return fmt::format("{:.2f}", mean_entropy(weights)); }

std::string share_of_last(const Tensor& weights, std::size_t count) {
    const std::size_t keys = weights.size(-1);
    return fmt::format("{:.2f}", mean(sum(slice(weights, -1, keys - count, keys), -1)).item());
}

}  // namespace

void count_slow_pairs(std::ostream& out, std::size_t d_k, std::size_t length) {
    fmt::print(out, "  {:<26} {:>6} {:>9} {:>8} {:>22}\n", "", "d_k", "theta", "length",
               "pairs without a turn");
    const auto row = [&](const char* name, std::size_t width, double theta, std::size_t trained) {
        std::size_t slow = 0;
        for (std::size_t i = 0; i < width / 2; ++i) {
            const double turn = 2.0 * std::numbers::pi / frequency(i, width, theta);
            slow += turn > static_cast<double>(trained);
        }
        fmt::print(out, "  {:<26} {:>6} {:>9.0f} {:>8} {:>15} of {:>3}\n", name, width, theta, trained, slow,
                   width / 2);
    };
    row("this program", d_k, 10000.0, length);
    row("LLaMA", 128, 10000.0, 2048);
    row("Llama 2", 128, 10000.0, 4096);
    row("Llama 3", 128, 500000.0, 8192);
}

void measure_unseen_rows(std::ostream& out, std::size_t d_model, std::uint64_t seed) {
    constexpr std::size_t trained = 64;
    Rng rng(seed);
    fmt::print(out, "  Past the end of a table of {} rows, whatever --max-len is:\n", trained);
    try {
        (void)LearnedPositionalEmbedding(d_model, trained, rng)(Tensor::zeros({1, trained + 1, d_model}));
    } catch (const ValueError& error) {
        for (const std::string& line : wrap(fmt::format("learned: {}", error.what()), screen_columns - 2))
            fmt::print(out, "  {}\n", line);
    }
    const SinusoidalPositionalEncoding encoding(d_model, 4 * trained);
    const auto row = [&](std::size_t pos) { return encoding.table.values().data() + pos * d_model; };
    fmt::print(out, "  sinusoids: seen rows next to each other are {:.2f} apart; the nearest seen row is\n",
               distance(row(0), row(1), d_model));
    for (const std::size_t pos : {trained, 3 * trained / 2, 2 * trained, 4 * trained - 1}) {
        double nearest = INFINITY;
        for (std::size_t seen = 0; seen < trained; ++seen)
            nearest = std::min(nearest, distance(row(pos), row(seen), d_model));
        fmt::print(out, "    {:.2f} away from that of position {}\n", nearest, pos);
    }
}

LineFigure measure_lengths(std::ostream& out, std::uint64_t seed) {
    LinePanel panel{"finds the last marker", "length of the text", "share of queries, %", true, false};
    fmt::print(out, "  {:<12}", "length");
    for (const std::size_t length : Finder::lengths) fmt::print(out, " {:>8}", length);
    out << '\n';
    for (const Finder::Kind kind : Finder::kinds) {
        Rng rng(seed);
        Finder finder(kind, rng);
        finder.fit(rng);
        const bool ends = kind == Finder::Kind::learned;
        Series series{ends ? fmt::format("learned (ends at {})", Finder::trained_length)
                           : Finder::name_of(kind)};
        fmt::print(out, "  {:<12}", Finder::name_of(kind));
        for (const std::size_t length : Finder::lengths) {
            if (ends && length > Finder::trained_length) {
                fmt::print(out, " {:>8}", "refuses");
                continue;
            }
            series.add(static_cast<double>(length), 100.0 * finder.share_found(length));
            fmt::print(out, " {:>7.1f}%", series.y.back());
        }
        out << '\n';
        panel.series.push_back(std::move(series));
    }
    std::rotate(panel.series.begin() + 2, panel.series.begin() + 3, panel.series.end());  // "learned" on top
    return {.name = "lengths",
            .title = fmt::format("Fitted at length {}, asked at others", Finder::trained_length),
            .panels = {panel},
            .panels_per_row = 1};
}

void measure_spread(std::ostream& out, std::uint64_t seed) {
    constexpr std::size_t heads = 8, queries = 16, d_k = 64, window = 64;
    fmt::print(out, "  {:>6} | {:^28} | {:>26}\n", "keys", "entropy, nats", "weight on the last 64 keys");
    fmt::print(out, "  {:>6} | {:>8} {:>8} {:>10} | {:>8} {:>8} {:>10}\n", "", "none", "rotary", "ALiBi",
               "none", "rotary", "ALiBi");
    const NoGrad no_grad;
    for (const std::size_t keys : {64u, 128u, 256u, 512u, 1024u}) {
        Rng rng(seed);
        const Tensor q(rng.normal_array({queries, heads, 1, d_k})),
            k(rng.normal_array({queries, heads, keys, d_k}));
        const RotaryEmbedding rotary(d_k, keys);
        const Tensor weights[3] = {
            scaled_dot_product_attention(q, k, k).weights,
            rotary_attention(q, k, k, rotary, std::nullopt, RotaryLayout::interleaved, keys - 1).weights,
            biased_attention(q, k, k, alibi_bias(heads, 1, keys, keys - 1)).weights};
        fmt::print(out, "  {:>6} | {:>8} {:>8} {:>10} | {:>8} {:>8} {:>10}\n", keys, entropy_of(weights[0]),
                   entropy_of(weights[1]), entropy_of(weights[2]), share_of_last(weights[0], window),
                   share_of_last(weights[1], window), share_of_last(weights[2], window));
    }
}

}  // namespace tfs
