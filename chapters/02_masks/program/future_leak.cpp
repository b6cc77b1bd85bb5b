// chapters/02_masks/program/future_leak.cpp · does a later input change an earlier output, or get a gradient from it?
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace tfs {

namespace {

using Layer = std::function<Tensor(const Tensor& x)>;  // (1, seq, d_model) -> the same

// Multi-head attention with the mask where it doesn't belong: after the softmax.
enum class Renormalise { no, yes };
Layer masked_after_softmax(const MultiHeadAttention& m, const Mask& mask, Renormalise renormalise) {
    return [=](const Tensor& x) {
        const Tensor q = split_heads(m.w_q(x), m.num_heads), k = split_heads(m.w_k(x), m.num_heads);
        const Tensor v = split_heads(m.w_v(x), m.num_heads);
        const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
        Tensor weights = masked_fill(softmax(scores), mask, 0.0f);
        if (renormalise == Renormalise::yes) weights = weights / sum(weights, -1, KeepDims::yes);
        return m.w_o(merge_heads(matmul(weights, v)));
    };
}

// |d output_i / d input_j| for all i and j: the norm of the gradient that a random direction at output i sends to
// input j.
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
    for (std::size_t i = 0; i < norms.shape()[0]; ++i) {
        for (std::size_t j = i + 1; j < norms.shape()[1]; ++j) largest = std::max(largest, norms(i, j));
    }
    return largest;
}

std::string amount(float x) { return x == 0.0f ? "exactly 0" : small_or_number(static_cast<double>(x), 2); }

// The norms as powers of ten; where there is none, the cell counts as masked.
HeatMapPanel panel(const std::string& title, const Array& norms, const Tokens& tokens) {
    constexpr float rounding =
        -5.0f;  // what is smaller is one colour: it would take the scale from all others
    Array logs = norms;
    xt::xarray<bool> any = xt::xarray<bool>::from_shape(norms.shape());
    for (std::size_t i = 0; i < norms.size(); ++i) {
        any.data()[i] = norms.data()[i] > 0.0f;
        logs.data()[i] = any.data()[i] ? std::max(rounding, std::log10(norms.data()[i])) : 0.0f;
    }
    return {title, logs, tokens, tokens, any, ColourScale::sequential, "log10 of its length"};
}

// Two allowed scores of 0 and a forbidden one of 120, which takes all of the weight before it is hidden.
void print_renormalised(std::ostream& out) {
    const Tensor scores = Tensor::from({1, 3}, {0.0f, 0.0f, 120.0f});
    const Mask mask = Mask::from({1, 3}, {1, 1, 0});
    const Tensor before = softmax(masked_fill(scores, mask, -std::numeric_limits<float>::infinity()));
    const Tensor after = masked_fill(softmax(scores), mask, 0.0f);
    const Tensor renormalised = after / sum(after, -1, KeepDims::yes);
    fmt::print(out,
               "  scores 0, 0 and a forbidden 120: masked before the softmax {:.2f} {:.2f}, renormalised "
               "after it {}\n",
               before.values()[0], before.values()[1],
               std::isnan(renormalised.values()[0]) ? "NaN" : "finite");
}

struct Row {
    std::string name, title;  // in the table, and of its panel
    Layer layer;
    bool only_deeper = false;  // its line in the table; its panel is always drawn
};

// The same attention under the masks to compare.
std::vector<Row> layers_to_compare(const Example& e) {
    const MultiHeadAttention& m = e.attention;
    const std::size_t seq = e.tokens.size(), prefix = std::min<std::size_t>(4, seq);
    const auto under = [&](const Mask& mask) -> Layer {
        return [&m, mask](const Tensor& x) { return m(x, x, x, mask).output; };
    };
    const Mask causal = causal_mask(seq);
    const auto before = [&](const std::string& name, const Mask& mask) -> Row {
        return {name, name + ", before softmax", under(mask)};
    };
    return {{"no mask", "no mask", [&m](const Tensor& x) { return m(x, x, x).output; }},
            before("causal", causal),
            before(fmt::format("window {}", e.window), sliding_window_mask(seq, e.window)),
            before(fmt::format("prefix {}", prefix), prefix_mask(seq, prefix)),
            {"after the softmax", "causal, after softmax", masked_after_softmax(m, causal, Renormalise::no)},
            {"after it, renormalised", "the same, renormalised",
             masked_after_softmax(m, causal, Renormalise::yes), true}};
}

}  // namespace

HeatMapFigure measure_leak(Show& show, const Example& e) {
    Rng rng(show.options.seed + 1);  // not the numbers of the embeddings
    const Tensor direction(rng.normal_array({1, 1, e.x.size(-1)}));
    HeatMapFigure figure{
        .name = "leak",
        .title = "How much output i depends on input j: log10 |d output / d input| (grey: exactly 0)",
        .row_axis = "output",
        .column_axis = "input",
        .panels_per_row = 3,
        .caption =
            "Grey: the output does not depend on the input at all. This holds for all that a mask hides "
            "before "
            "the "
            "softmax. In the last panel each row is divided by its sum again: rounding errors are left, "
            "nearly "
            "white. A step of 1 on the scale is a factor of 10. The weights are random: a mask must hold for "
            "any weights."};
    fmt::print(show.out, "  {:<24} {:>24} {:>12} {:>26}\n", "mask", "earlier outputs changed", "by at most",
               "gradient to later inputs");
    for (const Row& row : layers_to_compare(e)) {
        const Array norms = gradient_norms(row.layer, e.x.array(), direction);
        const Changes c = changes(row.layer, e.x.array(), show.options.seed + 2);
        // How many round to another last bit differs between processors.
        const bool rounding = c.changed > 0 && c.largest < 1e-5f;
        if (show.options.deeper || !row.only_deeper)
            fmt::print(show.out, "  {:<24} {:>24} {:>12} {:>26}\n", row.name,
                       fmt::format("{} of {}", rounding ? "some" : fmt::format("{}", c.changed), c.pairs),
                       amount(c.largest), amount(largest_above_diagonal(norms)));
        figure.panels.push_back(panel(row.title, norms, e.tokens));
    }
    if (show.options.deeper) print_renormalised(show.out);
    return figure;
}

}  // namespace tfs
