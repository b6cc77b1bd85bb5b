// chapters/04_normalization/program/rows_after_a_norm.cpp · what a norm leaves of a row: mean and deviation of each token; the puzzle's length
#include <cmath>
#include <string>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Report show_token_statistics(const Request& request) {
    const Tensor x = uneven_embeddings(request);
    const Tensor layer = LayerNorm(x.size(-1))(x), root = RMSNorm(x.size(-1))(x);
    const Tokens words = request.words(options::text);
    Table table{.columns = {{"token"}}};
    for (const char* rows : {"x", "layer_norm(x)", "rms_norm(x)"}) {
        table.columns.push_back({"mean", fixed(3), "", rows});
        table.columns.push_back({"deviation", fixed(3), "", rows});
    }
    for (std::size_t t = 0; t < words.size(); ++t) {
        std::vector<Cell> cells{words[t]};
        for (const Tensor& rows : {x, layer, root}) {
            const Tensor row = slice(rows, 1, t, t + 1);
            cells.emplace_back(mean(row, -1).values()[0]);
            cells.emplace_back(sqrt(variance(row, -1)).values()[0]);
        }
        table.add(cells);
    }
    return Report(table);
}

// --- the puzzle

// The reader with a part of its bias. Its readout is scaled such that a length of 1 is read as 1, where that can be done.
Series curve_with_bias(const LengthReader& reader, float part, const std::string& name, Hue hue) {
    const LengthReader other{reader.weight, reader.bias * part, reader.readout};
    const double one = read_length(other, 1.0f);
    Series curve{.name = name, .hue = hue};
    for (int length = 1; length <= static_cast<int>(longest_length); ++length)
        curve.add(length, read_length(other, static_cast<float>(length)) / (one == 0.0 ? 1.0 : one));
    return curve;
}

Report show_length_reader(const Request&) {
    const LengthReader reader = surviving_length();
    Table table{.columns = {{"length", whole()}, {"read", fixed(2)}, {"off by", fixed(2, " %")}}};
    for (const float length : {1.0f, 3.0f, 10.0f, 30.0f, longest_length}) {
        const double found = read_length(reader, length);
        table.add({length, found, 100.0 * (found / length - 1.0) + 0.0});
    }
    Report report;
    report.add(table);
    report.add(LineFigure{
        .name = "length",
        .title = "A large bias lets the length through LayerNorm",
        .panels = {{.x_axis = "length",
                    .y_axis = "read after the norm",
                    .series = {curve_with_bias(reader, 1.0f, "the bias", Hue::with),
                               curve_with_bias(reader, 0.1f, "1/10 of it", Hue::without),
                               curve_with_bias(reader, 0.01f, "1/100 of it", Hue::without)},
                    .from_zero = true}},
        .panels_per_row = 1,
        .caption =
            "What is read of each length, with the whole bias and with parts of it. The readout is scaled "
            "such that a length of 1 is read as 1."});
    return report;
}

}  // namespace

Tensor uneven_embeddings(const Request& request) {
    Rng rng(request[options::seed]);
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    const Ids& ids = vocabulary.ids;
    const Embedding embedding(vocabulary.words.size(), request[options::d_model], rng);
    Array size = Array::from_shape({1, ids.size(), 1}), offset = size;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        size.data()[t] = static_cast<float>(std::exp(rng.normal()));
        offset.data()[t] = static_cast<float>(rng.normal(0.0, 2.0));
    }
    return embedding(ids) * Tensor(std::move(size)) + Tensor(std::move(offset));
}

Sections rows_after_a_norm_sections() {
    return {
        {"tokens",
         "Each token normalised by itself: mean and standard deviation of its {d-model} features (untrained)",
         show_token_statistics,
         {options::text, options::d_model, options::seed}},
        {"puzzle", "Your puzzle: a length after LayerNorm", show_length_reader},
        {"puzzle-solution", "A solution of the puzzle", show_length_reader, {}, Level::deeper}};
}

}  // namespace tfs
