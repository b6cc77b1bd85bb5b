// chapters/04_normalization/program/token_statistics.cpp · a sentence before and after LayerNorm and RMSNorm: the statistics of each token
#include <cmath>

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
    Report report;
    report.add(table);
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

Sections token_statistics_sections() {
    return {{"tokens",
             "Each token normalised by itself: mean and standard deviation of its {d-model} features",
             show_token_statistics,
             {options::text, options::d_model, options::seed}}};
}

}  // namespace tfs
