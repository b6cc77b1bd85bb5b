// chapters/13_long_inputs/program/roofline.cpp · how fast this processor can be at all, and how near our kernels come
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/13_long_inputs/program/options.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {

namespace {

// What is timed: its arithmetic, and the bytes that must come from memory or go there if each number passes once.
struct Kernel {
    std::string name;
    double flops, bytes;
    std::function<void()> run;
    Hue hue = Hue::other;
    bool drawn = true;  // six names are as many as a figure can hold
};

Tensor drawn(Rng& rng, const Shape& shape) { return Tensor(rng.normal_array(shape)); }

double numbers_in(const Tensor& x) { return static_cast<double>(x.size()); }

// On one core.
std::vector<Kernel> kernels_shown(Rng& rng) {
    std::vector<Kernel> kernels;
    const auto product = [&](const std::string& name, std::size_t m, std::size_t k, std::size_t n) {
        const Tensor a = drawn(rng, {m, k}), b = drawn(rng, {k, n});
        const double all = static_cast<double>(m * n * k);
        kernels.push_back({name, 2.0 * all,
                           4.0 * (numbers_in(a) + numbers_in(b) + static_cast<double>(m * n)),
                           [a, b] { (void)matmul(a, b); }, Hue::feed_forward, m != 8});
    };
    product("product (1024, 1024)", 1024, 1024, 1024);
    product("one row x (4096, 4096)", 1, 4096, 4096);
    product("8 rows x (4096, 4096)", 8, 4096, 4096);
    const Tensor rows = drawn(rng, {8192, 768});
    kernels.push_back({"layer norm", 8.0 * numbers_in(rows), 8.0 * numbers_in(rows),
                       [rows, norm = LayerNorm(768)] { (void)norm(rows); }, Hue::norm});
    const Tensor scores = drawn(rng, {4096, 1024});
    kernels.push_back({"softmax", 20.0 * numbers_in(scores), 8.0 * numbers_in(scores),
                       [scores] { (void)softmax(scores); }, Hue::other, false});
    for (const Weights keep : {Weights::keep, Weights::none}) {
        constexpr std::size_t heads = 4, size = 2048, width = 64;
        const Tensor q = drawn(rng, {1, heads, size, width}), k = drawn(rng, {1, heads, size, width}),
                     v = drawn(rng, {1, heads, size, width});
        const double in_and_out = 4.0 * 4.0 * numbers_in(q), weights = 4.0 * heads * size * size;
        // Scores are written and read, and so are weights; in tiles neither leaves the processor's cache.
        kernels.push_back({keep == Weights::keep ? "attention, weights kept" : "attention in tiles",
                           4.0 * heads * size * size * width,
                           in_and_out + (keep == Weights::keep ? 4.0 * weights : 0.0),
                           [q, k, v, keep] {
                               (void)scaled_dot_product_attention(q, k, v, std::nullopt, std::nullopt, keep);
                           },
                           Hue::attention});
    }
    return kernels;
}

// Bytes a second of reading and writing memory: a copy of what no cache holds.
double bytes_a_second() {
    constexpr std::size_t size = 1 << 26;
    const std::vector<float> from(size, 1.0f);
    std::vector<float> to(size);
    const Rounds rounds = measure_in_turns({[&] { std::copy(from.begin(), from.end(), to.begin()); }},
                                           usual_turns({.rounds = 5}));
    return rate(8.0 * size, rounds[0]).median;
}

Report show_roofline(const Request& request) {
    const NoGrad no_grad;
    Rng rng(request[options::seed]);
    const std::vector<Kernel> kernels = kernels_shown(rng);
    std::vector<std::function<void()>> things;
    for (const Kernel& one : kernels) things.push_back(one.run);
    const double bandwidth = bytes_a_second();
    const Rounds rounds = measure_in_turns(things, usual_turns({.rounds = 5}));
    const double peak = rate(kernels[0].flops, rounds[0]).median;
    const auto roof = [&](double intensity) { return std::min(peak, bandwidth * intensity); };
    Table table{.columns = {{"one core"},
                            {"FLOP a byte", significant(2)},
                            {"roof, GFLOP/s", significant(2)},
                            {"reached, GFLOP/s", significant(2)},
                            {"share of the roof", whole(" %")}}};
    LinePanel panel{
        .x_axis = "FLOP for each byte of memory", .y_axis = "GFLOP/s", .log_x = true, .log_y = true};
    Series line{"the roof", {}, {}, Hue::without};
    for (double x = 0.25; x <= 1024.0; x *= 2.0) line.add(x, 1e-9 * roof(x));
    panel.series.push_back(line);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Kernel& one = kernels[i];
        const double intensity = one.flops / one.bytes, reached = rate(one.flops, rounds[i]).median;
        table.add(
            {one.name, intensity, 1e-9 * roof(intensity), 1e-9 * reached, 100.0 * reached / roof(intensity)});
        if (one.drawn) panel.series.push_back({one.name, {intensity}, {1e-9 * reached}, one.hue});
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "Memory gives {:.0f} GB a second (a copy), the product of two (1024, 1024) matrices {:.0f} GFLOP/s.",
        1e-9 * bandwidth, 1e-9 * peak));
    report.add(LineFigure{
        .name = "roofline",
        .title = "Below the slope a kernel waits for memory, below the flat part for arithmetic",
        .panels = {panel},
        .panels_per_row = 1,
        .caption = "The roof: what one core could do at most, if each number came from memory once. In "
                   "tiles, attention does thirty times as much arithmetic for each byte. Here both ways are "
                   "under the flat part: this processor's memory is fast enough for either. Both axes are "
                   "logarithmic."});
    return report;
}

// --- where tiles pay

struct AttentionCase {
    std::string name;
    std::size_t heads, queries, keys, width;
    std::optional<Mask> mask = {};
};

// One pass; with a gradient where q, k and v learn. In tiles also where our models would not.
void attend_once(const std::vector<Tensor>& qkv, const std::optional<Mask>& mask, Weights keep) {
    const Tensor output = keep == Weights::keep
                              ? scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], mask).output
                              : tiled_attention(qkv[0], qkv[1], qkv[2], mask, std::nullopt);
    if (qkv[0].requires_grad()) sum(output).backward();
}

Report show_shapes(const Request& request) {
    Rng rng(request[options::seed]);
    const AttentionCase cases[] = {{"a short text", 12, 64, 64, 64, causal_mask(64)},
                                   {"a longer one", 12, 256, 256, 64, causal_mask(256)},
                                   {"GPT-2 small, full", 12, 1024, 1024, 64, causal_mask(1024)},
                                   {"without a mask", 12, 1024, 1024, 64},
                                   {"wide heads", 3, 1024, 1024, 256, causal_mask(1024)},
                                   {"few queries, many keys", 12, 16, 4096, 64},
                                   {"a window of 256", 2, 4096, 4096, 64, sliding_window_mask(4096, 256)}};
    Table table{.columns = {{"one core"},
                            {"heads x queries x keys x width"},
                            {"weights kept, ms", significant(2)},
                            {"times as fast in tiles", ratios()},
                            {"with the gradient", ratios()}}};
    for (const AttentionCase& one : cases) {
        request.tell({"progress", one.name});
        std::vector<Tensor> fixed, learning;
        for (const std::size_t rows : {one.queries, one.keys, one.keys}) {
            fixed.push_back(drawn(rng, {1, one.heads, rows, one.width}));
            learning.push_back(parameter(fixed.back()));
        }
        std::vector<std::function<void()>> ways;
        for (const std::vector<Tensor>& qkv : {fixed, learning})
            for (const Weights keep : {Weights::keep, Weights::none})
                ways.push_back([&, qkv, keep] { attend_once(qkv, one.mask, keep); });
        const Rounds rounds = measure_in_turns(ways, usual_turns({.rounds = 5}));
        table.add({one.name, fmt::format("{} x {} x {} x {}", one.heads, one.queries, one.keys, one.width),
                   1e3 * quartiles(rounds[0]).median, ratio(rounds[0], rounds[1]),
                   ratio(rounds[2], rounds[3])});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections roofline_sections() {
    return {{"roofline",
             "The roof of this machine (times differ from run to run)",
             show_roofline,
             {options::seed},
             Level::deeper},
            {"shapes",
             "Where tiles pay (times differ from run to run)",
             show_shapes,
             {options::seed},
             Level::experiment}};
}

}  // namespace tfs
