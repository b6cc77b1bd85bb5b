// chapters/06_residual_dropout/program/sentence_dropout.cpp · dropout on the embedding of a sentence and on its attention weights
#include <fmt/format.h>

#include <algorithm>

#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

// "76 of 320 dropped": the entries that are 0.
std::string dropped_count(const Tensor& dropped) {
    const auto zeros = std::count(dropped.values().begin(), dropped.values().end(), 0.0f);
    return fmt::format("{} of {} dropped", zeros, dropped.size());
}

// true where an entry is not 0.
xt::xarray<bool> kept_entries(const Array& values) { return xt::not_equal(values, 0.0f); }

// Attention weights (1, heads, query, key) of the sentence.
struct Weights {
    Tensor evaluation, training;
};

Weights attention_weights(const Request& request, const Tensor& x) {
    Rng rng(request[options::seed] + 2);
    const MultiHeadAttention attention(x.size(-1), request[options::heads], rng);
    const auto run = [&](Rng* source) {
        return attention_with_dropout(attention, x, x, x, std::nullopt, request[options::p], source).weights;
    };
    const Tensor evaluation = run(nullptr), training = run(&rng);
    return {evaluation, training};
}

HeatMapFigure attention_figure(const Weights& weights, const Tokens& tokens, double p) {
    const auto panel = [&](const std::string& title, const Tensor& all) {
        const Array head = attention_map(all, 0, 0);
        return HeatMapPanel{title, head, tokens, tokens, kept_entries(head), ColourScale::probability};
    };
    return {.name = "attention",
            .title = fmt::format("Dropout on the attention weights of head 1, p = {}", p),
            .panels = {panel("evaluation", weights.evaluation), panel("training", weights.training)},
            .panels_per_row = 2,
            .caption =
                p == 0.0
                    ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                    : "Each row is a query. Right: grey weights are dropped, other ones in each call, and "
                      "the kept ones are multiplied by 1/(1-p), so a row no longer sums to 1. The layer is "
                      "untrained: look at what is dropped, not at the pattern."};
}

Report show_attention(const Request& request, const Tensor& x) {
    const Weights weights = attention_weights(request, x);
    const std::vector<std::string> axes{"batch", "heads", "query", "key"};
    Report report;
    report.step("weights", weights.evaluation, axes, "evaluation");
    report.step("weights, training", weights.training, axes, dropped_count(weights.training));
    report.check_rows_sum_to_one("weights in evaluation", weights.evaluation);
    report.add(attention_figure(weights, request.words(options::text), request[options::p]));
    return report;
}

Report show_dropout_on_sentence(const Request& request) {
    EmbeddedSentence sentence = embed_sentence(request);
    const double p = request[options::p];
    Report report;
    report.step("embedding", sentence.words, {"batch", "seq", "d_model"}, "one row per token");
    report.step("x", sentence.x, {"batch", "seq", "d_model"}, "plus a position each");
    const Tensor dropped = dropout(sentence.x, p, &sentence.rng);
    report.step("dropout(x)", dropped, {"batch", "seq", "d_model"}, dropped_count(dropped));
    report.note(fmt::format("what is kept is multiplied by 1 / (1 - {}) = {:.4f}", p, 1.0 / (1.0 - p)));
    report.add(part_or_gap([&] { return show_attention(request, sentence.x); }));
    return report;
}

Report show_dropped_weights(const Request& request) {
    const Weights weights = attention_weights(request, embed_sentence(request).x);
    const Array head = attention_map(weights.training, 0, 0);
    const Tokens tokens = request.words(options::text);
    Report report;
    report.add(Map{head,
                   {.title = "head 1 in training",
                    .rows = tokens,
                    .columns = tokens,
                    .allowed = kept_entries(head),
                    .row_entropy = false,
                    .masked_means = "dropped"}});
    return report;
}

}  // namespace

EmbeddedSentence embed_sentence(const Request& request) {
    const Tokens tokens = request.words(options::text);
    const std::size_t d_model = request[options::d_model];
    const Vocabulary vocabulary = build_vocabulary(tokens);
    Rng rng(request[options::seed]);
    const Embedding words(vocabulary.words.size(), d_model, rng), places(tokens.size(), d_model, rng);
    const Tensor embedded = words(vocabulary.ids);
    return {embedded, embedded + places.weight * 0.3f, rng};
}

Section sentence_dropout() {
    return {.id = "sentence",
            .title = "Dropout on the embedding and on the attention weights, p = {p}",
            .options = {options::text, options::heads, options::d_model, options::p, options::seed},
            .run = show_dropout_on_sentence};
}

Section dropped_weights() {
    return {.id = "dropped-weights",
            .title = "The attention weights of one head after dropout, p = {p}",
            .level = Level::deeper,
            .options = {options::text, options::heads, options::d_model, options::p, options::seed},
            .run = show_dropped_weights};
}

}  // namespace tfs
