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

// The first words of the sentence, attended to among themselves; in smaller vectors, so that no weight is almost 0.
HeatMapFigure attention_figure(const Request& request, const Tensor& x) {
    const double p = request[options::p];
    const std::size_t head = request[options::heads] - 1;
    Tokens words = request.words(options::text);
    words.resize(std::min<std::size_t>(words.size(), 4));
    const Weights weights = attention_weights(request, 0.7f * slice(x, 1, 0, words.size()));
    const Array before = attention_map(weights.evaluation, 0, head),
                after = attention_map(weights.training, 0, head);
    const xt::xarray<bool> kept = kept_entries(after);
    const auto sums = [&](const Tensor& all) {
        const Tensor of_rows = sum(all, -1);
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < words.size(); ++i)
            texts.push_back(fmt::format("sum {:.2f}", of_rows.at({0, head, i})));
        return texts;
    };
    return {
        .name = "attention",
        .title = fmt::format("Dropout removes some attention weights and multiplies the others by {:.3g}",
                             1.0 / (1.0 - p)),
        .panels = {{.title = "weights",
                    .values = before,
                    .rows = words,
                    .columns = words,
                    .answers = sums(weights.evaluation)},
                   {.title = "used in training (blank: dropped)",
                    .values = after,
                    .rows = words,
                    .columns = words,
                    .allowed = kept,
                    .answers = sums(weights.training)}},
        .caption =
            p == 0.0
                ? "With p = 0 dropout changes nothing: training and evaluation are the same."
                : fmt::format(
                      "Four words that attend to each other, in an untrained head. Each call draws "
                      "other coins. Here p = {}: rows that lost nothing sum to {:.3g}, the others to less.",
                      p, 1.0 / (1.0 - p))};
}

Report show_attention(const Request& request, const Tensor& x) {
    const Weights weights = attention_weights(request, x);
    const std::vector<std::string> axes{"batch", "heads", "query", "key"};
    Report report;
    report.step("weights", weights.evaluation, axes, "evaluation");
    report.step("weights, training", weights.training, axes, dropped_count(weights.training));
    report.check_rows_sum_to_one("weights in evaluation", weights.evaluation);
    report.add(attention_figure(request, x));
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

Sections sentence_dropout_sections() {
    return {{"sentence",
             "Dropout on the embedding and on the attention weights, p = {p}",
             show_dropout_on_sentence,
             {options::text, options::heads, options::d_model, options::p, options::seed},
             Level::deeper},
            {"dropped-weights",
             "The attention weights of one head after dropout, p = {p}",
             show_dropped_weights,
             {options::text, options::heads, options::d_model, options::p, options::seed},
             Level::deeper}};
}

}  // namespace tfs
