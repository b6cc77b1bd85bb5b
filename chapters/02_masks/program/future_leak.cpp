// chapters/02_masks/program/future_leak.cpp · does a later input change an earlier output, or get a gradient from it?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

using Layer = std::function<Tensor(const Tensor& x)>;  // (1, seq, d_model) -> the same

// Multi-head attention with the mask where it doesn't belong: after the softmax.
enum class Renormalise { no, yes };
Layer hidden_after_softmax(const MultiHeadAttention& m, const Mask& mask, Renormalise renormalise) {
    return [=](const Tensor& x) {
        const Tensor q = split_heads(m.w_q(x), m.num_heads), k = split_heads(m.w_k(x), m.num_heads);
        const Tensor v = split_heads(m.w_v(x), m.num_heads);
        const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
        Tensor weights = masked_fill(softmax(scores), mask, 0.0f);
        if (renormalise == Renormalise::yes) weights = weights / sum(weights, -1, KeepDims::yes);
        return m.w_o(merge_heads(matmul(weights, v)));
    };
}

// |d output_i / d input_j| for all i and j: the norm of the gradient that a random direction at output i sends to input j.
Array gradient_norms(const Layer& layer, const Array& values, const Tensor& direction) {
    const std::size_t seq = values.shape()[1], d_model = values.shape()[2];
    Array norms = Array::from_shape({seq, seq});
    for (std::size_t i = 0; i < seq; ++i) {
        const Tensor x(values, true);
        sum(slice(layer(x), 1, i, i + 1) * direction).backward();
        for (std::size_t j = 0; j < seq; ++j) {
            double square = 0.0;
            for (std::size_t c = 0; c < d_model; ++c) square += std::pow(x.grad()(0, j, c), 2.0);
            norms(i, j) = static_cast<float>(std::sqrt(square));
        }
    }
    return norms;
}

struct Changes {
    std::size_t pairs = 0;    // (output i, later input j) in all
    std::size_t changed = 0;  // where output i is another by at least one bit
    float largest = 0.0f;     // by how much
};

// Exchanges each input j and compares the outputs before it. One seed gives every layer the same new inputs.
Changes changes(const Layer& layer, const Array& values, std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t seq = values.shape()[1], d_model = values.shape()[2];
    const Array before = layer(Tensor(values)).array();
    Changes result;
    for (std::size_t j = 1; j < seq; ++j) {
        Array other = values;
        for (std::size_t c = 0; c < d_model; ++c) other(0, j, c) = static_cast<float>(rng.normal());
        const Array after = layer(Tensor(other)).array();
        for (std::size_t i = 0; i < j; ++i, ++result.pairs) {
            float most = 0.0f;
            for (std::size_t c = 0; c < d_model; ++c)
                most = std::max(most, std::abs(after(0, i, c) - before(0, i, c)));
            result.changed += most > 0.0f;
            result.largest = std::max(result.largest, most);
        }
    }
    return result;
}

float largest_above_diagonal(const Array& norms) {
    float largest = 0.0f;
    for (std::size_t i = 0; i < norms.shape()[0]; ++i)
        for (std::size_t j = i + 1; j < norms.shape()[1]; ++j) largest = std::max(largest, norms(i, j));
    return largest;
}

// What each output depends on, with the places where the mask allows it.
PlanePanel panel(const std::string& title, const Array& norms, const Mask& mask) {
    const std::size_t seq = norms.shape()[0];
    const xt::xarray<bool> allowed = map_of(mask, 0, seq, seq);
    const auto size = static_cast<double>(seq);
    PlanePanel result{.title = title, .low_x = -1.6, .high_x = size, .low_y = -size, .high_y = 1.9};
    using Kind = PlaneShape::Kind;
    result.text(size / 2, 1.5, "input →");
    result.text(-0.8, 0.5, "output ↓");
    for (std::size_t i = 0; i < seq; ++i) {
        const auto x = static_cast<double>(i), y = -x;
        const std::string label = std::to_string(i);
        result.text(x + 0.5, 0.5, label);
        result.text(-0.7, y - 0.5, label);
        for (std::size_t j = 0; j < seq; ++j) {
            const auto left = static_cast<double>(j);
            const bool depends = norms(i, j) > 0.0f, leaks = depends && !allowed(i, j);
            result.shapes.push_back({.kind = Kind::rectangle,
                                     .from_x = left + 0.06,
                                     .from_y = y - 0.06,
                                     .to_x = left + 0.94,
                                     .to_y = y - 0.94,
                                     .label = depends ? "" : "0",
                                     .hue = leaks     ? Hue::held_out
                                            : depends ? Hue::with
                                                      : Hue::without,
                                     .light = !leaks});
        }
    }
    return result;
}

// The same attention under one mask, or with the mask in another place: what it lets through.
struct Leak {
    std::string name;
    Changes changes;
    Array norms;
};

std::vector<Leak> measure_leaks(const Request& request) {
    const PaddedBatch batch = padded_batch(request);
    const UntrainedAttention untrained = untrained_attention(batch, request);
    const MultiHeadAttention& m = untrained.attention;
    const Array x = untrained.x.array();
    const std::size_t seq = x.shape()[1], seed = request[options::seed], window = request[options::window],
                      prefix = std::min<std::size_t>(4, seq);
    Rng rng(seed + 1);  // not the numbers of the embeddings
    const Tensor direction(rng.normal_array({1, 1, x.shape()[2]}));
    std::vector<Leak> leaks;
    const auto add = [&](const std::string& name, const Layer& layer) {
        leaks.push_back({name, changes(layer, x, seed + 2), gradient_norms(layer, x, direction)});
    };
    const auto add_before = [&](const std::string& name, const Mask& mask) {
        add(name, [&](const Tensor& t) { return m(t, t, t, mask).output; });
    };
    const Mask causal = causal_mask(seq);
    add("no mask", [&](const Tensor& t) { return m(t, t, t).output; });
    add_before("causal", causal);
    add_before(fmt::format("window {}", window), sliding_window_mask(seq, window));
    add_before(fmt::format("prefix {}", prefix), prefix_mask(seq, prefix));
    add("after the softmax", hidden_after_softmax(m, causal, Renormalise::no));
    add("after it, renormalised", hidden_after_softmax(m, causal, Renormalise::yes));
    return leaks;
}

Cell amount(float x) { return x == 0.0f ? Cell("exactly 0") : Cell(x); }

Table leak_table(const char* masks, std::span<const Leak> leaks) {
    const std::string of_all = fmt::format(" of {}", leaks[0].changes.pairs);
    Table table{.columns = {{masks},
                            {"earlier outputs changed", whole(of_all)},
                            {"by at most", magnitude(5, 2)},
                            {"gradient to later inputs", magnitude(5, 2)}}};
    for (const Leak& leak : leaks) {
        const Changes& c = leak.changes;
        // How many round to another last bit differs between processors.
        const bool rounding = c.changed > 0 && c.largest < 1e-5f;
        table.add({leak.name, rounding ? Cell("some" + of_all) : Cell(c.changed), amount(c.largest),
                   amount(largest_above_diagonal(leak.norms))});
    }
    return table;
}

Report show_leaks(const Request& request) {
    const std::vector<Leak> leaks = measure_leaks(request);
    Report report;
    report.add(leak_table("mask", std::span(leaks).first(leaks.size() - 1)));  // the last one goes deeper
    const Mask causal = causal_mask(leaks[0].norms.shape()[0]);
    report.add(PlaneFigure{.name = "leak",
                           .title = "Mask before the softmax: no output depends on a later input. After it: "
                                    "all but the last do (orange)",
                           .panels = {panel("mask before the softmax: nothing leaks", leaks[1].norms, causal),
                                      panel("mask after the softmax: it leaks", leaks[4].norms, causal)},
                           .caption = "Each row is an output. Light blue: an input that it may read. Orange: "
                                      "one that the mask should hide. 0: the gradient is exactly 0."});
    return report;
}

Report show_masked_after_softmax(const Request& request) {
    const std::vector<Leak> leaks = measure_leaks(request);
    Report report;
    report.add(leak_table("the causal mask", std::span(leaks).last(2)));
    // Two allowed scores of 0 and a forbidden one of 120, which takes all of the weight before it is hidden.
    const Tensor scores = Tensor::from({1, 3}, {0.0f, 0.0f, 120.0f});
    const Mask mask = Mask::from({1, 3}, {1, 1, 0});
    const Tensor before = softmax(masked_fill(scores, mask, -std::numeric_limits<float>::infinity()));
    const Tensor after = masked_fill(softmax(scores), mask, 0.0f);
    const Tensor renormalised = after / sum(after, -1, KeepDims::yes);
    report.note(fmt::format(
        "scores 0, 0 and a forbidden 120: masked before the softmax {:.2f} {:.2f}, renormalised after it {}",
        before.values()[0], before.values()[1], std::isnan(renormalised.values()[0]) ? "NaN" : "finite"));
    return report;
}

}  // namespace

Sections future_leak_sections() {
    return {{"leak",
             "Nothing leaks: does an earlier output depend on a later input?",
             show_leaks,
             {options::text, options::window, options::heads, options::d_model, options::seed}},
            {"after-softmax",
             "The mask after the softmax",
             show_masked_after_softmax,
             {options::text, options::window, options::heads, options::d_model, options::seed},
             Level::deeper}};
}

}  // namespace tfs
