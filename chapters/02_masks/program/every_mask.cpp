// chapters/02_masks/program/every_mask.cpp · every mask side by side: what it allows, and an untrained head under it
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// A mask with the labels of its queries and keys.
struct Shown {
    std::string name;
    Mask mask;
    std::size_t sequence;  // of the mask's batch
    Tokens rows, columns;
    bool single = true;        // one mask, no cache
    bool of_the_batch = true;  // of its words, not of a text of its own

    xt::xarray<bool> map() const { return map_of(mask, sequence, rows.size(), columns.size()); }
};

std::vector<Shown> all_masks(const PaddedBatch& batch, std::size_t window) {
    const Tokens text = batch.text(), padded = batch.sentences[1];
    const std::size_t seq = text.size(), last = std::min<std::size_t>(3, seq);
    const Tokens last_tokens(text.end() - static_cast<std::ptrdiff_t>(last), text.end());
    const Mask padding = padding_mask(batch.ids, pad_id), causal = causal_mask(seq);
    const Tokens question = split_words("who slept ? the dog slept"),
                 sentences = split_words("the cat slept two sparrows flew");
    Ids documents = Ids::from_shape({1, sentences.size()});
    for (std::size_t i = 0; i < sentences.size(); ++i) documents(0, i) = i < 3 ? 1 : 2;
    const Mask packed = document_mask(documents);
    return {{"padding", padding, 1, padded, padded},
            {"causal", causal, 0, text, text},
            {fmt::format("causal, {} cached", seq - last), causal_mask(last, seq, seq - last), 0, last_tokens,
             text, false},
            {"padding & causal", padding & causal_mask(padded.size()), 1, padded, padded, false},
            {fmt::format("window {}", window), sliding_window_mask(seq, window), 0, text, text},
            {fmt::format("symmetric {}", window), sliding_window_mask(seq, window, Window::symmetric), 0,
             text, text},
            {"prefix 3", prefix_mask(question.size(), 3), 0, question, question, true, false},
            {"two documents", packed, 0, sentences, sentences, true, false},
            {"documents & causal", packed & causal_mask(sentences.size()), 0, sentences, sentences, false,
             false}};
}

// The six masks side by side, of the first words of the text: more could not be read.
HeatMapFigure single_masks(const Request& request) {
    constexpr std::size_t most = 6;
    Tokens words = request.words(options::text);
    words.resize(std::min(most, words.size()));
    HeatMapFigure figure{
        .name = "masks",
        .title = "Each mask is one rule: which words (columns) may a word (row) read?",
        .panels_per_row = 3,
        .caption =
            "Blue: the word of this row may read the word of this column. Prefix: all may read the question. "
            "Two documents: neither sentence reads the other."};
    for (const Shown& shown : all_masks(padded_batch(words), request[options::window]))
        if (shown.single)
            figure.panels.push_back(mask_panel(shown.name, shown.map(), shown.rows, shown.columns));
    return figure;
}

Report show_every_mask(const Request& request) {
    const PaddedBatch batch = padded_batch(request);
    Table table{.columns = {{"mask"}, {"shape"}, {"allowed", whole()}, {"share", whole("%")}}};
    HeatMapFigure combined{.name = "masks_combined",
                           .title = "Two masks joined by &: only what both allow is left",
                           .caption =
                               "Left: nobody reads the padding, and nobody reads later words. Right: each "
                               "document has its own causal triangle."};
    const std::size_t fresh = std::min<std::size_t>(3, batch.text().size());
    HeatMapFigure cached{
        .name = "cached",
        .title =
            fmt::format("With a cache only the last {} of {} words are queries", fresh, batch.text().size()),
        .row_axis = "query: new",
        .column_axis = fmt::format("key: {} in the cache, then {} new", batch.text().size() - fresh, fresh),
        .caption =
            "The last rows of the causal mask. A new word reads all keys of the cache, "
            "and the new ones up to its own."};
    for (const Shown& shown : all_masks(batch, request[options::window])) {
        const std::size_t rows = shown.rows.size(), columns = shown.columns.size();
        const std::size_t sequences = shown.mask.shape()[0], cells = sequences * rows * columns;
        const std::size_t allowed = count_allowed(shown.mask.expanded({sequences, 1, rows, columns}));
        table.add({shown.name, to_string(shown.mask.shape()),
                   Cell(allowed, whole(fmt::format(" of {}", cells))),
                   100.0 * static_cast<double>(allowed) / static_cast<double>(cells)});
        if (!shown.single)
            (rows < columns ? cached : combined)
                .panels.push_back(mask_panel(shown.name, shown.map(), shown.rows, shown.columns));
    }
    Report report;
    report.note(fmt::format("a batch of {} sentences of {} words, padded to {}", batch.lengths.size(),
                            fmt::join(batch.lengths, ", "), batch.sentences[0].size()));
    report.add(table);
    report.add(single_masks(request));
    if (!cached.panels.empty()) report.add(cached);  // of three words all are new
    report.add(combined);
    return report;
}

}  // namespace

xt::xarray<bool> map_of(const Mask& mask, std::size_t sequence, std::size_t queries, std::size_t keys) {
    const Shape shape = mask.shape();
    const std::size_t batch = std::max(shape.empty() ? 1 : shape[0], sequence + 1);  // one map may serve all
    const xt::xarray<bool> all = mask.expanded({batch, 1, queries, keys});
    xt::xarray<bool> map = xt::xarray<bool>::from_shape({queries, keys});
    std::copy_n(all.data() + sequence * map.size(), map.size(), map.data());
    return map;
}

std::size_t count_allowed(const xt::xarray<bool>& map) {
    return static_cast<std::size_t>(std::count(map.data(), map.data() + map.size(), true));
}

HeatMapPanel mask_panel(const std::string& name, const xt::xarray<bool>& map, const Tokens& rows,
                        const Tokens& columns) {
    Array values = Array::from_shape(map.shape());
    std::copy_n(map.data(), map.size(), values.data());
    return {.title = name,
            .values = values,
            .rows = rows,
            .columns = columns,
            .allowed = map,
            .scale = ColourScale::yes_no,
            .quantity = "may attend"};
}

Report untrained_under_each_mask(const Request& request) {
    const PaddedBatch batch = padded_batch(request);
    const auto [x, batch_x, attention] = untrained_attention(batch, request);
    Report report;
    HeatMapFigure figure{.name = "attention",
                         .title = "One attention under each single mask: weights of head 1, untrained",
                         .panels_per_row = 3,
                         .caption =
                             "The mask decides which cells remain; grey cells have weight 0. Each row shares "
                             "a weight of 1 among its remaining cells, so a single allowed key gets all of "
                             "it. The weights are untrained, so the pattern within a mask means nothing."};
    for (const Shown& shown : all_masks(batch, request[options::window])) {
        if (!shown.of_the_batch) continue;
        const Tensor& keys = shown.sequence == 0 ? x : batch_x;
        const Tensor queries = slice(keys, 1, keys.size(1) - shown.rows.size(), keys.size(1));
        const Tensor weights = attention(queries, keys, keys, shown.mask).weights;
        report.step(shown.name, weights, {"batch", "heads", "query", "key"});
        if (shown.mask.shape()[0] > 1) report.check_rows_sum_to_one(shown.name, weights);
        if (!shown.single) continue;
        figure.panels.push_back({.title = shown.name,
                                 .values = attention_map(weights, shown.sequence, 0),
                                 .rows = shown.rows,
                                 .columns = shown.columns,
                                 .allowed = shown.map()});
    }
    report.add(figure);
    return report;
}

Sections every_mask_sections() {
    return {{"masks", "Every mask", show_every_mask, {options::text, options::window}}};
}

}  // namespace tfs
