// chapters/02_masks/program/cross_attention.cpp · a target that attends to three padded sources
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/format.h>

namespace tfs {

HeatMapFigure draw_cross_attention(Show& show, const Example& example) {
    const Tokens target = split_words("Eine Katze schlief dort");
    const std::size_t batch = example.sentences.size(), d_model = example.x.size(-1);
    Rng rng(show.options.seed + 1);  // not the numbers of the embeddings
    const Tensor queries(rng.normal_array({batch, target.size(), d_model}));
    const Mask mask = padding_mask(example.ids, pad_id);
    const auto [output, weights] = example.attention(queries, example.batch_x, example.batch_x, mask);
    show.trace.step("target", queries, {"batch", "query", "d_model"}, "the queries");
    show.trace.step("source", example.batch_x, {"batch", "key", "d_model"}, "keys and values, padded");
    show.trace.step("weights", weights, {"batch", "heads", "query", "key"},
                    fmt::format("mask {}", to_string(mask.shape())));
    show.trace.step("output", output, {"batch", "query", "d_model"}, "as many rows as the target");
    show.trace.check_rows_sum_to_one("weights", weights);
    show.trace.masked_cells("weights", mask, {batch, 1, target.size(), example.ids.shape()[1]});
    HeatMapFigure figure{
        .name = "cross",
        .title = "Cross-attention to three padded sources: weights of head 1, untrained",
        .row_axis = "target (query)",
        .column_axis = "source (key)",
        .panels_per_row = 3,
        .caption =
            "No target word attends to padding: its columns are grey in every row. Each row shares a "
            "weight of 1 among the real words of its source. Queries, embeddings and weights are "
            "random, so dark cells mean nothing."};
    for (std::size_t b = 0; b < batch; ++b) {
        figure.panels.push_back({.title = fmt::format("source {}", b + 1),
                                 .values = attention_map(weights, b, 0),
                                 .rows = target,
                                 .columns = example.sentences[b],
                                 .allowed = map_of(mask, b, target.size(), example.ids.shape()[1])});
    }
    return figure;
}

}  // namespace tfs
