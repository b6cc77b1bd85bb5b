// chapters/02_masks/program/mask_sheet.cpp · every mask side by side: what it allows, and the attention under it
#include "chapters/02_masks/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

// A mask with what it is shown on: queries and keys, and their labels.
struct Shown {
    std::string name;
    Mask mask;
    std::size_t sequence;  // of the mask's batch
    Tensor queries, keys;  // (batch, seq, d_model)
    Tokens rows, columns;
    bool single = true;  // one mask, no cache

    xt::xarray<bool> map() const { return map_of(mask, sequence, rows.size(), columns.size()); }
};

std::vector<Shown> all_masks(const Example& e) {
    const std::size_t seq = e.tokens.size(), last = std::min<std::size_t>(3, seq),
                      prefix = std::min<std::size_t>(4, seq);
    Ids documents = Ids::from_shape({1, seq});
    for (std::size_t i = 0; i < seq; ++i) documents(0, i) = 2 * i < seq ? 1 : 2;
    const Tokens last_tokens(e.tokens.end() - static_cast<std::ptrdiff_t>(last), e.tokens.end());
    const Mask padding = padding_mask(e.ids, pad_id), causal = causal_mask(seq);

    std::vector<Shown> all;
    const auto on_batch = [&](const std::string& name, const Mask& mask, bool single = true) {
        all.push_back({name, mask, 1, e.batch_x, e.batch_x, e.sentences[1], e.sentences[1], single});
    };
    const auto on_text = [&](const std::string& name, const Mask& mask, bool single = true) {
        all.push_back({name, mask, 0, e.x, e.x, e.tokens, e.tokens, single});
    };
    on_batch("padding", padding);
    on_text("causal", causal);
    all.push_back({fmt::format("causal, {} cached", seq - last), causal_mask(last, seq, seq - last), 0,
                   slice(e.x, 1, seq - last, seq), e.x, last_tokens, e.tokens, false});
    on_batch("padding & causal", padding & causal_mask(e.sentences[0].size()), false);
    on_text(fmt::format("window {}", e.window), sliding_window_mask(seq, e.window));
    on_text(fmt::format("symmetric window {}", e.window),
            sliding_window_mask(seq, e.window, Window::symmetric));
    on_text(fmt::format("prefix {}", prefix), prefix_mask(seq, prefix));
    on_text("two documents", document_mask(documents));
    on_text("documents & causal", document_mask(documents) & causal, false);
    return all;
}

}  // namespace

std::vector<HeatMapFigure> draw_masks(Show& show, const Example& example) {
    HeatMapFigure single{.name = "masks",
                         .title = "Who may attend to whom",
                         .panels_per_row = 3,
                         .caption =
                             "Blue: the query of this row may attend to the key of this column. Padding "
                             "hides columns (here of a "
                             "sentence of three words)."};
    HeatMapFigure combined{
        .name = "masks_combined",
        .title = "Who may attend to whom: with a cache, and under two masks",
        .panels_per_row = 3,
        .caption =
            "Left: the keys of earlier tokens are in a cache, and only the last tokens are queries. Middle "
            "and right: a cell is blue where both masks allow it."};
    fmt::print(show.out, "  {:<24} {:<16} {:>16} {:>8}\n", "mask", "shape", "allowed", "share");
    for (const Shown& shown : all_masks(example)) {
        const std::size_t rows = shown.rows.size(), columns = shown.columns.size();
        const std::size_t batch = shown.mask.shape()[0];
        const std::size_t cells = batch * rows * columns;
        const std::size_t allowed = count_allowed(shown.mask.expanded({batch, 1, rows, columns}));
        fmt::print(show.out, "  {:<24} {:<16} {:>16} {:>7.0f}%\n", shown.name, to_string(shown.mask.shape()),
                   fmt::format("{} of {}", allowed, cells),
                   100.0 * static_cast<double>(allowed) / static_cast<double>(cells));
        const xt::xarray<bool> map = shown.map();
        Array values = Array::from_shape({rows, columns});
        std::copy_n(map.data(), map.size(), values.data());
        (shown.single ? single : combined)
            .panels.push_back({.title = shown.name,
                               .values = values,
                               .rows = shown.rows,
                               .columns = shown.columns,
                               .allowed = map,
                               .scale = ColourScale::yes_no,
                               .quantity = "may attend"});
    }
    return {single, combined};
}

std::vector<NamedMask> masks_of_text(const Example& example) {
    std::vector<NamedMask> masks;
    for (const Shown& shown : all_masks(example))
        if (shown.single && shown.sequence == 0) masks.push_back({shown.name, shown.mask});
    return masks;
}

HeatMapFigure draw_attention(Show& show, const Example& example) {
    HeatMapFigure figure{
        .name = "attention",
        .title = "One attention under each single mask: weights of head 1, untrained",
        .panels_per_row = 3,
        .caption =
            "The mask decides which cells remain; grey cells have weight 0. Each row shares a weight of 1 "
            "among its remaining cells, so a single allowed key gets all of it. The weights are "
            "untrained, so the pattern within a mask means nothing."};
    for (const Shown& shown : all_masks(example)) {
        const Tensor weights = example.attention(shown.queries, shown.keys, shown.keys, shown.mask).weights;
        show.trace.step(shown.name, weights, {"batch", "heads", "query", "key"});
        if (shown.mask.shape()[0] > 1) show.trace.check_rows_sum_to_one(shown.name, weights);
        if (!shown.single) continue;
        figure.panels.push_back({.title = shown.name,
                                 .values = attention_map(weights, shown.sequence, 0),
                                 .rows = shown.rows,
                                 .columns = shown.columns,
                                 .allowed = shown.map()});
    }
    return figure;
}

}  // namespace tfs
