// chapters/02_masks/program/every_mask.cpp · which words each mask shows to a word, and how many keys a window shows
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// The six masks side by side, of the first words of the text: more could not be read.
HeatMapFigure six_masks(Tokens words, std::size_t window) {
    words.resize(std::min<std::size_t>(6, words.size()));
    constexpr std::int64_t pad_id = 0;
    Tokens padded = split_words("The dog slept");
    padded.resize(std::max(words.size(), padded.size() + 2), "<pad>");
    Ids ids = Ids::from_shape({1, padded.size()});
    for (std::size_t i = 0; i < padded.size(); ++i) ids(0, i) = padded[i] == "<pad>" ? pad_id : 1;
    const Tokens question = split_words("who slept ? the dog slept"),
                 sentences = split_words("the cat slept two sparrows flew");
    Ids documents = Ids::from_shape({1, sentences.size()});
    for (std::size_t i = 0; i < sentences.size(); ++i) documents(0, i) = i < 3 ? 1 : 2;
    HeatMapFigure figure{
        .name = "masks",
        .title = "Each mask is one rule: which words (columns) may a word (row) read?",
        .panels_per_row = 3,
        .caption =
            "Blue: the word of this row may read the word of this column. Prefix: all may read the question. "
            "Two documents: neither sentence reads the other."};
    const auto add = [&](const std::string& name, const Mask& mask, const Tokens& tokens) {
        figure.panels.push_back(mask_panel(name, mask, tokens, tokens));
    };
    add("padding", padding_mask(ids, pad_id), padded);
    add("causal", causal_mask(words.size()), words);
    add(fmt::format("window {}", window), sliding_window_mask(words.size(), window), words);
    add(fmt::format("symmetric {}", window), sliding_window_mask(words.size(), window, Window::symmetric),
        words);
    add("prefix 3", prefix_mask(question.size(), 3), question);
    add("two documents", document_mask(documents), sentences);
    return figure;
}

// The causal mask of the last words, where the keys of all others are in a cache.
HeatMapFigure cached_mask(const Tokens& words, std::size_t fresh) {
    const std::size_t seq = words.size(), cached = seq - fresh;
    const Tokens last(words.end() - static_cast<std::ptrdiff_t>(fresh), words.end());
    return {.name = "cached",
            .title = fmt::format("With a cache only the last {} of {} words are queries", fresh, seq),
            .row_axis = "query: new",
            .column_axis = fmt::format("key: {} in the cache, then {} new", cached, fresh),
            .panels = {mask_panel(fmt::format("causal, {} cached", cached), causal_mask(fresh, seq, cached),
                                  last, words)},
            .caption =
                "The last rows of the causal mask. A new word reads all keys of the cache, "
                "and the new ones up to its own."};
}

Report show_every_mask(const Request& request) {
    const Tokens words = request.words(options::text);
    const HeatMapFigure six = six_masks(words, request[options::window]);
    Table table{.columns = {{"mask"}, {"the word"}, {"may read"}}};
    for (const HeatMapPanel& panel : six.panels) {
        const std::size_t row = std::min<std::size_t>(3, panel.rows.size() - 1);
        Tokens allowed;
        for (std::size_t j = 0; j < panel.columns.size(); ++j)
            if ((*panel.allowed)(row, j)) allowed.push_back(panel.columns[j]);
        table.add({panel.title, panel.rows[row], fmt::format("{}", fmt::join(allowed, " "))});
    }
    Report report;
    report.add(table);
    report.add(six);
    constexpr std::size_t fresh = 3;
    if (words.size() > fresh) report.add(cached_mask(words, fresh));
    return report;
}

// How many keys each of 10 queries sees: of a window that is short, longer than the text, and the longest.
Report show_keys_in_windows(const Request&) {
    constexpr std::size_t seq = 10, largest = std::numeric_limits<std::size_t>::max();
    Table table{.columns = {{"window"}, {"causal: keys of query 0, 1 … 9"}, {"symmetric"}}};
    for (const auto& [name, window] :
         {std::pair("3", std::size_t{3}), std::pair("12", std::size_t{12}), std::pair("2^64 - 1", largest)}) {
        std::vector<Cell> row{name};
        for (const Window kind : {Window::causal, Window::symmetric}) {
            const xt::xarray<bool> allowed = sliding_window_mask(seq, window, kind).array();
            std::vector<std::ptrdiff_t> keys;
            for (std::size_t i = 0; i < seq; ++i) {
                const bool* query = allowed.data() + i * seq;
                keys.push_back(std::count(query, query + seq, true));
            }
            row.emplace_back(fmt::format("{}", fmt::join(keys, " ")));
        }
        table.add(row);
    }
    return Report(table);
}

}  // namespace

xt::xarray<bool> map_of(const Mask& mask, std::size_t queries, std::size_t keys) {
    const xt::xarray<bool> all = mask.expanded({1, 1, queries, keys});
    xt::xarray<bool> map = xt::xarray<bool>::from_shape({queries, keys});
    std::copy_n(all.data(), map.size(), map.data());
    return map;
}

HeatMapPanel mask_panel(const std::string& name, const Mask& mask, const Tokens& rows,
                        const Tokens& columns) {
    const xt::xarray<bool> allowed = map_of(mask, rows.size(), columns.size());
    Array values = Array::from_shape(allowed.shape());
    std::copy_n(allowed.data(), allowed.size(), values.data());
    return {.title = name,
            .values = values,
            .rows = rows,
            .columns = columns,
            .allowed = allowed,
            .scale = ColourScale::yes_no,
            .quantity = "may attend"};
}

Sections every_mask_sections() {
    return {
        {"masks", "Which words each mask shows to a word", show_every_mask, {options::text, options::window}},
        {"windows",
         "How many of 10 keys each query sees through a window",
         show_keys_in_windows,
         {},
         Level::deeper}};
}

}  // namespace tfs
