// chapters/04_normalization/program/norm_before_attention.cpp · a trained head, fed with a stream of many sizes
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

constexpr std::array stream_sizes{0.125f, 0.25f, 0.5f, 1.0f, 2.0f, 4.0f, 8.0f};

// The weights of the last word, a row for each size of the stream.
Array last_rows(const NounFinder& model, const Tensor& x, const LayerNorm* norm) {
    Array rows = Array::from_shape({stream_sizes.size(), x.size(1)});
    for (std::size_t i = 0; i < stream_sizes.size(); ++i) {
        const Tensor sized = x * stream_sizes[i], fed = norm ? (*norm)(sized) : sized;
        const Tensor weights = model.attention(fed, fed, fed).weights;
        for (std::size_t key = 0; key < x.size(1); ++key)
            rows(i, key) = weights.at({0, 0, x.size(1) - 1, key});
    }
    return rows;
}

HeatMapPanel rows_panel(const char* title, const Array& values, const Tokens& tokens) {
    HeatMapPanel panel{.title = title, .values = values, .columns = tokens};
    for (const float size : stream_sizes) panel.rows.push_back(fmt::format("x {}", size));
    return panel;
}

Report show_norm_before_attention(const Request& request) {
    const Tokens words = request.words(options::text);
    Report report;
    const auto model =
        trained_or_reason(report, "no trained map of this text", [&] { return trained_noun_finder(words); });
    if (!model) return report;
    const NoGrad no_grad;
    const Tensor x = model->embedding(model->tokenizer.encode(words));
    // One gamma for all features: the size of the embeddings that this head was trained with.
    LayerNorm norm(x.size(-1));
    norm.gamma = norm.gamma.detach() * static_cast<float>(root_mean_square(model->embedding.weight.values()));
    const Array without = last_rows(*model, x, nullptr), with = last_rows(*model, x, &norm);
    const auto trained = std::find(stream_sizes.begin(), stream_sizes.end(), 1.0f) - stream_sizes.begin();
    const float* row = without.data() + static_cast<std::size_t>(trained) * words.size();
    const auto noun = static_cast<std::size_t>(std::max_element(row, row + words.size()) - row);
    Table table{.columns = {{"size"}, {"without a norm", fixed(2)}, {"with LayerNorm", fixed(2)}}};
    for (std::size_t i = 1; i < stream_sizes.size(); i += 2)
        table.add({fmt::format("x {}", stream_sizes[i]), without(i, noun), with(i, noun)});
    report.note(fmt::format(
        "How much \"{}\" attends to \"{}\", if the stream is so many times as large as in training:",
        words.back(), words[noun]));
    report.add(table);
    report.add(HeatMapFigure{
        .name = "before_attention",
        .title = "Without a norm, the size of the stream decides how sharply a head looks",
        .row_axis = "size of the stream",
        .column_axis = "key",
        .panels = {rows_panel("without a norm", without, words),
                   rows_panel("LayerNorm before attention", with, words)},
        .caption = fmt::format(
            "One trained head, and the row of \"{}\" for each size of the stream. Without a norm a small "
            "stream "
            "makes the head look evenly everywhere, a large one at only one word. With LayerNorm before "
            "attention the size has no effect.",
            words.back())});
    return report;
}

}  // namespace

Sections norm_before_attention_sections() {
    return {{"before-attention",
             "Attention needs a stream of one size",
             show_norm_before_attention,
             {options::text}}};
}

}  // namespace tfs
