// chapters/06_residual_dropout/program/sentence_dropout.cpp · dropout on the embedding of a sentence and on its attention weights
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/format.h>

#include "chapters/06_residual_dropout/program/kept_entries.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

namespace {

HeatMapPanel attention_panel(const std::string& title, const Tensor& weights, const Tokens& tokens) {
    const Array values = attention_map(weights, 0, 0);
    return {title, values, tokens, tokens, kept_entries(values), ColourScale::probability};
}

void print_weights(Show& show, const Array& head) {
    show.out << '\n';
    print_map(show.out, head,
                   {.title = "head 1 in training",
                    .rows = show.tokens,
                    .columns = show.tokens,
                    .allowed = kept_entries(head),
                    .row_entropy = false,
                    .masked_means = "dropped"},
                   show.style);
}

}  // namespace

Tensor show_embedding(Show& show, double p) {
    const std::size_t d_model = show.options.d_model;
    const Vocabulary vocabulary = build_vocabulary(show.tokens);
    Rng rng(show.options.seed);
    const Embedding words(vocabulary.words.size(), d_model, rng), places(show.tokens.size(), d_model, rng);
    const Tensor embedded = words(vocabulary.ids), x = embedded + places.weight * 0.3f;
    show.trace.step("embedding", embedded, {"batch", "seq", "d_model"}, "one row per token");
    show.trace.step("x", x, {"batch", "seq", "d_model"}, "plus a position each");
    const Tensor dropped = dropout(x, p, &rng);
    show.trace.step("dropout(x)", dropped, {"batch", "seq", "d_model"}, dropped_count(dropped));
    show.trace.note(fmt::format("what is kept is multiplied by 1 / (1 - {}) = {:.4f}", p, 1.0 / (1.0 - p)));
    return x;
}

HeatMapFigure show_attention(Show& show, double p, const Tensor& x) {
    Rng rng(show.options.seed + 2);
    const MultiHeadAttention attention(x.size(-1), show.options.heads, rng);
    const auto run = [&](Rng* source) {
        return attention_with_dropout(attention, x, x, x, std::nullopt, p, source);
    };
    const std::vector<std::string> axes{"batch", "heads", "query", "key"};
    const Tensor before = run(nullptr).weights, first = run(&rng).weights;
    show.trace.step("weights", before, axes, "evaluation");
    show.trace.step("weights, training", first, axes, dropped_count(first));
    show.trace.check_rows_sum_to_one("weights in evaluation", before);
    const Array head = attention_map(first, 0, 0);
    if (show.options.deeper) print_weights(show, attention_map(first, 0, 0));
    return {.name = "attention",
            .title = fmt::format("Dropout on the attention weights of head 1, p = {}", p),
            .panels = {attention_panel("evaluation", before, show.tokens),
                       attention_panel("training", first, show.tokens)},
            .panels_per_row = 2,
            .caption =
                p == 0.0
                    ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                    : "Each row is a query. Right: grey weights are dropped, other ones in each call, and "
                      "the kept ones are multiplied by 1/(1-p), so a row no longer sums to 1. The layer is "
                      "untrained: look at what is dropped, not at the pattern."};
}

}  // namespace tfs
