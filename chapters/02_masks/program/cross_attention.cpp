// chapters/02_masks/program/cross_attention.cpp · four words that look for their nouns in three padded sources
#include <fmt/format.h>

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

Report show_cross_attention(const Request&) {
    const auto model = trained_noun_finder();
    const NoGrad no_grad;
    const Tokens target = split_words("tired soft hungry wooden");
    const std::vector<Tokens> sources{split_words("the cat sat on the mat"),
                                      split_words("the dog under the table <pad>"),
                                      split_words("bird near box <pad> <pad> <pad>")};
    // The model has no padding of its own, so a number past its words marks it; its vector is masked.
    const auto padding = static_cast<std::int64_t>(model.tokenizer.size());
    Ids ids = padded_ids(model, sources, padding);
    const Mask mask = padding_mask(ids, padding);
    for (std::int64_t& id : ids) id = id == padding ? 0 : id;
    const Tensor source = model.embedding(ids);
    const Tensor queries = model.embedding(padded_ids(model, {target, target, target}, padding));
    const auto [output, weights] = model.attention(queries, source, source, mask);
    Report report;
    report.step("target", queries, {"batch", "query", "d_model"}, "the queries");
    report.step("source", source, {"batch", "key", "d_model"}, "keys and values, padded");
    report.step("weights", weights, {"batch", "heads", "query", "key"},
                fmt::format("mask {}", to_string(mask.shape())));
    report.step("output", output, {"batch", "query", "d_model"}, "as long as the target");
    report.check_rows_sum_to_one("weights", weights);
    report.masked_cells("weights", mask, {sources.size(), 1, target.size(), sources[0].size()});
    HeatMapFigure figure{
        .name = "cross",
        .title = "Four words find their nouns in three sources, and never look at the padding",
        .row_axis = "target",
        .column_axis = "source",
        .panels_per_row = 3,
        .caption =
            "The trained head of chapter 01: each target word finds its noun in each source, \"tired\" and "
            "\"hungry\" the animal, \"soft\" and \"wooden\" the thing. Grey: masked."};
    for (std::size_t b = 0; b < sources.size(); ++b)
        figure.panels.push_back({.title = fmt::format("source {}", b + 1),
                                 .values = attention_map(weights, b, 0),
                                 .rows = target,
                                 .columns = sources[b],
                                 .allowed = map_of(mask, b, target.size(), sources[b].size())});
    report.add(figure);
    return report;
}

}  // namespace

Sections cross_attention_sections() {
    return {{"cross-attention",
             "Cross-attention: queries from four target words, keys from three padded sources",
             show_cross_attention,
             {},
             Level::deeper}};
}

}  // namespace tfs
