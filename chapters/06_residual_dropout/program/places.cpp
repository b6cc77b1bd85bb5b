// chapters/06_residual_dropout/program/places.cpp · dropout and residuals on a sentence: masks, attention, a whole block
#include "chapters/06_residual_dropout/program/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace tfs {

namespace {

std::size_t zeros_in(const Tensor& x) {
    return static_cast<std::size_t>(std::count(x.values().begin(), x.values().end(), 0.0f));
}

std::string dropped_count(const Tensor& dropped) {
    return fmt::format("{} of {} dropped", zeros_in(dropped), dropped.size());
}

// true where an entry is not 0: what dropout kept.
xt::xarray<bool> kept(const Array& values) {
    xt::xarray<bool> result = xt::xarray<bool>::from_shape(values.shape());
    for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = values.data()[i] != 0.0f;
    return result;
}

// The one sequence of x (1, rows, columns) as a matrix.
Array matrix(const Tensor& x) { return reshape(x, {x.size(-2), x.size(-1)}).array(); }

HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, const Tokens& tokens) {
    const Array values = attention_map(weights, 0, 0);
    return {title, values, tokens, tokens, kept(values), ColourScale::sequential, "weight"};
}

}  // namespace

Tensor show_embedding(Trace& trace, const PlaceSettings& s, std::size_t d_model) {
    const Vocabulary vocabulary = build_vocabulary(s.tokens);
    Rng rng(s.seed);
    const Embedding words(vocabulary.words.size(), d_model, rng), places(s.tokens.size(), d_model, rng);
    const Tensor embedded = words(vocabulary.ids), x = embedded + places.weight * 0.3f;
    trace.step("embedding", embedded, {"batch", "seq", "d_model"}, "one row per token");
    trace.step("x", x, {"batch", "seq", "d_model"}, "plus a position each");
    const Tensor dropped = dropout(x, s.p, &rng);
    trace.step("dropout(x)", dropped, {"batch", "seq", "d_model"}, dropped_count(dropped));
    trace.note(fmt::format("what is kept is multiplied by 1 / (1 - {}) = {:.4f}", s.p, 1.0 / (1.0 - s.p)));
    return x;
}

HeatMapFigure draw_masks(Trace& trace, const PlaceSettings& s, const Tensor& x) {
    const Tensor part = slice(x, -1, 0, std::min<std::size_t>(x.size(-1), 24));  // more columns can't be read
    HeatMapFigure figure{.name = "masks",
                         .title = "Dropout on the embeddings: crossed entries are dropped, the others grow",
                         .row_axis = "token",
                         .column_axis = "column of x",
                         .panels_per_row = 3};
    const auto add = [&](const std::string& name, double p, Rng& rng) {
        const Tensor y = dropout(part, p, &rng);
        const Array values = matrix(y);
        trace.step(name, y, {"batch", "seq", "column"}, dropped_count(y));
        figure.panels.push_back({name, values, s.tokens, {}, kept(values), ColourScale::diverging});
    };
    for (const double p : {0.1, 0.3, 0.5}) {
        Rng rng(s.seed);
        add(fmt::format("p = {}", p), p, rng);
    }
    Rng rng(s.seed + 1);
    for (const char* const call : {"1st", "2nd", "3rd"}) add(fmt::format("p = 0.3, {} call", call), 0.3, rng);
    return figure;
}

HeatMapFigure draw_attention(Trace& trace, const PlaceSettings& s, const Tensor& x) {
    Rng rng(s.seed + 2);
    const MultiHeadAttention attention(x.size(-1), s.heads, rng);
    const auto run = [&](Rng* source) {
        return attention_with_dropout(attention, x, x, x, std::nullopt, s.p, source);
    };
    const std::vector<std::string> axes{"batch", "heads", "query", "key"};
    const Tensor before = run(nullptr).weights, first = run(&rng).weights, second = run(&rng).weights;
    trace.step("weights", before, axes, "evaluation");
    trace.step("weights, training", first, axes, dropped_count(first));
    trace.step("weights, training", second, axes, "next call, new mask");
    trace.check_rows_sum_to_one("weights in evaluation", before);
    const Array head = attention_map(first, 0, 0);
    std::cout << '\n';
    print_heat_map(std::cout, head,
                   {.title = "head 1 in training, first call",
                    .rows = s.tokens,
                    .columns = s.tokens,
                    .allowed = kept(head),
                    .row_entropy = false,
                    .masked_means = "dropped"},
                   terminal_style(s.ascii));
    return {.name = "attention",
            .title = fmt::format("Dropout on the attention weights of head 1, p = {}", s.p),
            .panels = {attention_panel("evaluation", before, s.tokens),
                       attention_panel("training, first call", first, s.tokens),
                       attention_panel("training, second call", second, s.tokens)},
            .panels_per_row = 3};
}

}  // namespace tfs
