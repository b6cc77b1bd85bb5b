// chapters/03_positional_encoding/program/added_positions.cpp · the sentence, and the two ways that add a row to each word
#include <fmt/format.h>

#include <algorithm>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

HeatMapFigure table_figure(const Tensor& table) {
    const std::size_t rows = std::min<std::size_t>(table.size(0), 64),
                      width = std::min<std::size_t>(table.size(-1), 20);  // further right only stripes
    std::string caption =
        "Each row is what is added to the token at that position. The columns come in pairs, a sine and "
        "a cosine, and each pair turns more slowly than the pair before it.";
    if (width < table.size(-1))
        caption += fmt::format(" The first {} of {} columns are drawn.", width, table.size(-1));
    return {.name = "sinusoids",
            .title = fmt::format("Sinusoids, d_model {}", table.size(-1)),
            .row_axis = "position",
            .column_axis = "column (even: sine, odd: cosine)",
            .panels = {{.title = "PE(position, column): the further right, the more slowly a column turns",
                        .values = slice(slice(table, 0, 0, rows), 1, 0, width).array(),
                        .scale = ColourScale::diverging}},
            .panels_per_row = 1,
            .caption = std::move(caption)};
}

Report show_added(const Request& request) {
    const Tensor x = sentence_vectors(request);
    Report report;
    report.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    const SinusoidalPositionalEncoding sinusoids(request[options::d_model], request[options::max_len]);
    report.step("sinusoids.table", sinusoids.table, {"position", "d_model"}, "fixed");
    report.step("x + sinusoids", sinusoids(x), {"batch", "seq", "d_model"}, "rows 0 ... seq-1 added");
    const LearnedPositionalEmbedding learned = learned_positions(request);
    report.step("learned.table", learned.embedding.weight, {"position", "d_model"}, "untrained");
    report.step("x + learned", learned(x), {"batch", "seq", "d_model"}, "the same addition");
    report.add(table_figure(sinusoids.table));
    return report;
}

}  // namespace

Tensor sentence_vectors(const Request& request) {
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    Rng rng(request[options::seed]);
    return Embedding(vocabulary.words.size(), request[options::d_model], rng)(vocabulary.ids);
}

LearnedPositionalEmbedding learned_positions(const Request& request) {
    Rng rng(request[options::seed] + 2);  // others than those of the words and of the attention
    return {request[options::d_model], request[options::max_len], rng};
}

Section added_positions() {
    return {.id = "added-positions",
            .title = "Positions added to x (random weights)",
            .options = {options::text, options::d_model, options::max_len, options::seed},
            .run = show_added};
}

}  // namespace tfs
