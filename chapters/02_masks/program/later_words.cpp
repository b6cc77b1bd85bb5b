// chapters/02_masks/program/later_words.cpp · does a later input change an earlier output? Where none does, one pass serves all beginnings
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "chapters/02_masks/models/growing_text_rows.hpp"
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

using Layer = std::function<Tensor(const Tensor& x)>;  // (1, seq, d_model) -> the same

// Multi-head attention with the mask where it doesn't belong: after the softmax.
Layer hidden_after_softmax(const MultiHeadAttention& m, const Mask& mask) {
    return [=](const Tensor& x) {
        const Tensor q = split_heads(m.w_q(x), m.num_heads), k = split_heads(m.w_k(x), m.num_heads);
        const Tensor v = split_heads(m.w_v(x), m.num_heads);
        const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
        return m.w_o(merge_heads(matmul(masked_fill(softmax(scores), mask, 0.0f), v)));
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
            const std::span<const float> gradient(x.grad().data() + j * d_model, d_model);
            norms(i, j) = static_cast<float>(std::sqrt(dot(gradient, gradient)));
        }
    }
    return norms;
}

struct Changes {
    std::size_t pairs = 0;    // (output i, later input j) in all
    std::size_t changed = 0;  // where output i is another by at least one bit
    double largest = 0.0;     // by how much
};

// Exchanges each input j and compares the outputs before it. One seed gives every layer the same new inputs.
Changes changes(const Layer& layer, const Array& values, std::uint64_t seed) {
    Rng rng(seed);
    const std::size_t seq = values.shape()[1], d_model = values.shape()[2];
    const Tensor before = layer(Tensor(values));
    Changes result;
    for (std::size_t j = 1; j < seq; ++j) {
        Array other = values;
        for (std::size_t c = 0; c < d_model; ++c) other(0, j, c) = static_cast<float>(rng.normal());
        const Tensor after = layer(Tensor(other));
        for (std::size_t i = 0; i < j; ++i, ++result.pairs) {
            const auto output = [&](const Tensor& all) { return slice(all, 1, i, i + 1).array(); };
            const double change = largest_difference(output(after), output(before));
            result.changed += change > 0.0;
            result.largest = std::max(result.largest, change);
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

// What each output depends on. In full colour where the mask should hide it.
PlanePanel dependences(const std::string& title, const Array& norms, const Mask& mask) {
    const std::size_t seq = norms.shape()[0];
    const xt::xarray<bool> allowed = map_of(mask, seq, seq);
    return outputs_by_inputs(title, seq, 1.0, [&](std::size_t i) {
        std::vector<GridCell> row;
        for (std::size_t j = 0; j < seq; ++j) {
            const bool depends = norms(i, j) > 0.0f, leaks = depends && !allowed(i, j);
            row.push_back({j, j, depends ? "" : "0",
                           leaks     ? Hue::held_out
                           : depends ? Hue::with
                                     : Hue::without,
                           !leaks});
        }
        return row;
    });
}

// The same attention under one mask, or with the mask in another place: what it lets through.
struct Leak {
    std::string name;
    Changes changes;
    Array norms;
};

std::vector<Leak> measure_leaks(const Request& request) {
    constexpr std::size_t d_model = 32, heads = 4;
    const std::size_t seed = request[options::seed], window = request[options::window];
    const Tokens text = request.words(options::text);
    Tokens all{"<pad>"};  // a table of embeddings has rows for other words, too
    for (const Tokens& words : {text, split_words("The dog slept It ran after the cat")})
        all.insert(all.end(), words.begin(), words.end());
    const Vocabulary vocabulary = build_vocabulary(all);
    Ids ids = Ids::from_shape({1, text.size()});
    std::copy_n(vocabulary.ids.begin() + 1, text.size(), ids.begin());
    Rng rng(seed);
    const Array x = Embedding(vocabulary.words.size(), d_model, rng)(ids).array();  // (1, seq, d_model)
    const MultiHeadAttention m(d_model, heads, rng);
    Rng other(seed + 1);  // not the numbers of the embeddings
    const Tensor direction(other.normal_array({1, 1, d_model}));
    std::vector<Leak> leaks;
    const auto add = [&](const std::string& name, const Layer& layer) {
        leaks.push_back({name, changes(layer, x, seed + 2), gradient_norms(layer, x, direction)});
    };
    const auto add_before = [&](const std::string& name, const Mask& mask) {
        add(name, [&](const Tensor& t) { return m(t, t, t, mask).output; });
    };
    const std::size_t prefix = std::min<std::size_t>(4, text.size());
    const Mask causal = causal_mask(text.size());
    add("no mask", [&](const Tensor& t) { return m(t, t, t).output; });
    add_before("causal", causal);
    add_before(fmt::format("window {}", window), sliding_window_mask(text.size(), window));
    add_before(fmt::format("prefix {}", prefix), prefix_mask(text.size(), prefix));
    add("after the softmax", hidden_after_softmax(m, causal));
    return leaks;
}

Report show_leaks(const Request& request) {
    const std::vector<Leak> leaks = measure_leaks(request);
    const auto amount = [](double x) { return x == 0.0 ? Cell("exactly 0") : Cell(x); };
    Table table{.columns = {{"mask"},
                            {"earlier outputs changed", whole(fmt::format(" of {}", leaks[0].changes.pairs))},
                            {"by at most", fixed(2)},
                            {"gradient to later inputs", fixed(2)}}};
    for (const auto& [name, changes, norms] : leaks)
        table.add({name, changes.changed, amount(changes.largest), amount(largest_above_diagonal(norms))});
    const Mask causal = causal_mask(leaks[0].norms.shape()[0]);
    Report report;
    report.add(table);
    report.add(
        PlaneFigure{.name = "leak",
                    .title = "Mask before the softmax: no output depends on a later input. After it: "
                             "all but the last do (orange)",
                    .panels = {dependences("mask before the softmax: nothing leaks", leaks[1].norms, causal),
                               dependences("mask after the softmax: it leaks", leaks[4].norms, causal)},
                    .caption = "Each row is an output. Light blue: an input that it may read. Orange: "
                               "one that the mask should hide. 0: the gradient is exactly 0."});
    return report;
}

// --- one masked pass against a pass over each beginning

// "0 to 4, 9"
std::string rows_that_are_equal(const std::vector<float>& differences) {
    std::vector<std::string> ranges;
    for (std::size_t row = 0; row < differences.size(); ++row) {
        if (differences[row] > equal_rows_differ_by) continue;
        const std::size_t first = row;
        while (row + 1 < differences.size() && differences[row + 1] <= equal_rows_differ_by) ++row;
        ranges.push_back(first == row ? fmt::format("{}", row) : fmt::format("{} to {}", first, row));
    }
    return fmt::format("{}", fmt::join(ranges, ", "));
}

std::string at_most(double difference) {
    return difference <= equal_rows_differ_by ? "at most 1e-5" : fmt::format("{:.2g}", difference);
}

Report show_growing_text(const Request& request) {
    Table rows{.columns = {{"mask"},
                           {"equal rows", whole(fmt::format(" of {}", tokens_of_growing_text))},
                           {"which"}}};
    for (const GrowingTrial& trial : growing_trials()) {
        const std::vector<float> differences = growing_differences(trial, request[options::seed]);
        rows.add({trial.name, equal_rows(differences), rows_that_are_equal(differences)});
    }
    Table scores{.columns = {{"tokens", whole()},
                             {"scores of one pass", whole()},
                             {"of all beginnings", whole()},
                             {"with a cache", whole()}}};
    CausalPasses passes;
    for (const std::size_t tokens : {tokens_of_growing_text, 10 * tokens_of_growing_text}) {
        passes = causal_passes(tokens, request[options::seed]);
        scores.add({tokens, passes.one_pass, passes.all_beginnings, passes.with_cache});
    }
    Report report;
    report.add(rows);
    report.add(scores);
    report.note(
        fmt::format("The one pass has the rows of the cache and the gradients of all beginnings. They differ "
                    "by {}, and by {} of the largest "
                    "gradient.",
                    at_most(passes.cache_difference), at_most(passes.gradient_difference)));
    return report;
}

}  // namespace

PlanePanel outputs_by_inputs(const std::string& title, std::size_t seq, double width,
                             const std::function<std::vector<GridCell>(std::size_t output)>& cells_of) {
    constexpr double room = 0.06;  // between a cell and its border
    const auto size = static_cast<double>(seq);
    PlanePanel grid{.title = title, .low_x = -1.6, .high_x = width * size, .low_y = -size, .high_y = 1.9};
    grid.text(width * size / 2, 1.5, "input →");
    grid.text(-0.8, 0.5, "output ↓");
    for (std::size_t i = 0; i < seq; ++i) {
        const std::string label = std::to_string(i);
        const double top = -static_cast<double>(i);
        grid.text(width * (static_cast<double>(i) + 0.5), 0.5, label);
        grid.text(-0.7, top - 0.5, label);
        for (const GridCell& cell : cells_of(i))
            grid.rectangle(width * static_cast<double>(cell.first) + room, top - room,
                           width * static_cast<double>(cell.last + 1) - room, top - 1.0 + room, cell.hue,
                           cell.label)
                .light = cell.light;
    }
    return grid;
}

Sections later_words_sections() {
    return {{"leak",
             "Nothing leaks: does an earlier output depend on a later input? (untrained)",
             show_leaks,
             {options::text, options::window, options::seed}},
            {"growing-text",
             "Which rows of one pass equal the last row of a pass over their beginning?",
             show_growing_text,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
