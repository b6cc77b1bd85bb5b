// chapters/09_transformer/program/look.cpp · one text through a trained model: all heads, one head, one weight, the guesses of each block
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/models/reading.hpp"
#include "chapters/09_transformer/program/options.hpp"
#include "common/base/array.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

namespace option {
const TextOption text{
    "--read", "The cat sat on the mat because it was tired",
    "the text that the trained decoder reads: at most 256 letters, spaces and ! $ & ' , - . 3 : ; ?"};
const CountOption layer{"--layer", 1, 1, 4, "the block to look into, counted from 1"};
const CountOption head{"--head", 1, 1, 4, "the head of this block"};
const CountOption query{"--query", 0, 0, 256,
                        "the place of the character that looks, counted from 1; 0: the last one"};
const CountOption key{"--key", 0, 0, 256,
                      "the place of the character that is looked at; 0: the one with the largest weight"};
}  // namespace option

constexpr std::size_t guesses_in_a_row = 5;

// A text on its way through the trained model, and where to look.
struct Look {
    const TextTransformer& trained;
    Ids ids;
    Tokens labels;  // of the characters
    Reading reading;

    explicit Look(const TextTransformer& model, const std::string& text)
        : trained(model),
          ids(ids_of(model, option::text.flag, text)),
          reading(read_through(model.model, ids)) {
        for (const std::int64_t id : ids) labels.push_back(visible(model.tokenizer.token(id)));
    }

    // From 0, of an option that counts from 1.
    [[nodiscard]] std::size_t place(const CountOption& asked, std::size_t value,
                                    std::size_t otherwise) const {
        if (value == 0) return otherwise;
        require_between(asked.flag, value, 1, labels.size());
        return value - 1;
    }
    [[nodiscard]] std::size_t query(const Request& request) const {
        return place(option::query, request[option::query], labels.size() - 1);
    }
    // "“c” at 5"
    [[nodiscard]] std::string named(std::size_t position) const {
        return fmt::format("\"{}\" at {}", labels[position], position + 1);
    }
};

// What `show` makes of the text; a line where there is no trained model. ValueError where it can't read the text.
template <class Show>
Report looked_into(const Request& request, const Show& show) {
    const NoGrad no_grad;
    const Threads one(1);  // a line of text is too little to share: threads wake up later than it is read
    Report report;
    const auto model =
        trained_or_reason(report, "so there is nothing to look into", [] { return &character_model(); });
    if (model) show(report, Look(**model, request[option::text]));
    return report;
}

// The map of one head; a cell that no query may see is 0.
Array map_of(const Look& look, std::size_t layer, std::size_t head) {
    return attention_map(look.reading.weights.at(layer), 0, head);
}

// To three decimals, which is more than a small map can show; at most 1, not 1.0000001, and 0 only where a key is masked.
Array rounded(Array weights) {
    std::transform(weights.data(), weights.data() + weights.size(), weights.data(), [](float weight) {
        return weight > 0.0f ? std::clamp(std::round(weight * 1000.0f) / 1000.0f, 0.001f, 1.0f) : 0.0f;
    });
    return weights;
}

Report show_heads(const Request& request) {
    return looked_into(request, [](Report& report, const Look& look) {
        const TransformerConfig& config = look.trained.model.config;
        SmallMapsFigure figure{.name = "look_heads",
                               .title = "All heads: which character looks at which",
                               .panels_per_row = config.block.num_heads,
                               .caption =
                                   "A row of maps is a block, the first one on top. In each map a row is a "
                                   "character that looks, a column one that is looked at; the stronger "
                                   "the colour, the larger the weight. Grey: masked."};
        for (std::size_t layer = 0; layer < config.num_layers; ++layer)
            for (std::size_t head = 0; head < config.block.num_heads; ++head)
                figure.panels.push_back({fmt::format("block {}, head {}", layer + 1, head + 1),
                                         rounded(map_of(look, layer, head))});
        report.add(figure);
    });
}

Report show_head(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const std::size_t layer = request[option::layer], head = request[option::head];
        HeatMapFigure figure{
            .name = "look_head",
            .title = fmt::format("Block {}, head {}", layer, head),
            .panels = {blank_where_zero(
                attention_panel("", look.reading.weights.at(layer - 1), head - 1, look.labels, look.labels))},
            .panels_per_row = 1,
            .caption =
                "Each row is a character that looks, and its weights sum to 1. Grey cells are masked: they "
                "are later."};
        report.add(figure);
    });
}

HeatMapPanel strip(const char* title, Array values, std::vector<std::string> rows) {
    return {.title = title,
            .values = std::move(values),
            .rows = std::move(rows),
            .scale = ColourScale::diverging};
}

// Query, key and their product, feature by feature.
HeatMapFigure products(const Look& look, const WeightParts& parts, std::size_t query, std::size_t key) {
    const std::size_t width = parts.query.size();
    Array both = Array::from_shape({2, width}), product = Array::from_shape({1, width});
    for (std::size_t i = 0; i < width; ++i) {
        both(0, i) = parts.query[i];
        both(1, i) = parts.key[i];
        product(0, i) = parts.query[i] * parts.key[i];
    }
    return {
        .name = "look_weight",
        .title =
            fmt::format("What {} asks (query), and what {} offers (key)", look.named(query), look.named(key)),
        .row_axis = "",
        .column_axis = "feature",
        .panels = {strip("query and key", std::move(both), {"query", "key"}),
                   strip("their product", std::move(product), {"product"})},
        .panels_per_row = 1,
        .caption =
            "Each column is a feature of this head. Where query and key have the same sign, their product is "
            "positive and raises the score."};
}

HeatMapFigure handed_on(const Look& look, const WeightParts& parts, std::size_t key, float weight) {
    Array rows = Array::from_shape({2, parts.value.size()});
    for (std::size_t i = 0; i < parts.value.size(); ++i) {
        rows(0, i) = parts.value[i];
        rows(1, i) = weight * parts.value[i];
    }
    return {.name = "look_value",
            .title = fmt::format("What {} passes on: {:.2f} times its value", look.named(key), weight),
            .row_axis = "",
            .column_axis = "feature",
            .panels = {strip("", std::move(rows), {"value", "times the weight"})},
            .panels_per_row = 1,
            .caption =
                "The output of the head is the sum of such lower rows over all characters that the query may "
                "see."};
}

Report show_weight(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const std::size_t layer = request[option::layer] - 1, head = request[option::head] - 1,
                          query = look.query(request);
        const Array map = map_of(look, layer, head);
        const auto* row = &map(query, 0);
        const std::size_t largest = static_cast<std::size_t>(std::max_element(row, row + query + 1) - row);
        const std::size_t key = look.place(option::key, request[option::key], largest);
        if (key > query)
            throw ValueError(fmt::format("--key {}: it comes after the character at {}, which can't see it",
                                         key + 1, query + 1));
        const TransformerBlock& block = std::get<Stack>(look.trained.model.stack).blocks.at(layer);
        const WeightParts parts = weight_parts(block, look.reading.streams[layer], head, query, key);
        double sum = 0.0;
        for (const double score : parts.scores) sum += std::exp(score);
        const double root = std::sqrt(static_cast<double>(parts.query.size()));
        Table way{.columns = {{""}, {"", fixed(4)}, {""}}};
        way.add({"q · k", parts.score * root, fmt::format("{} products, added", parts.query.size())});
        way.add({"score", parts.score, fmt::format("divided by √d_k = {:.3f}", root)});
        way.add({"exp(score)", {std::exp(parts.score), significant(6)}, ""});
        way.add({"sum of exp(score)",
                 {sum, significant(6)},
                 fmt::format("over the {} characters that it may see", query + 1)});
        way.add({"weight", row[key], "exp(score) / sum"});
        report.note(fmt::format("Block {}, head {}: {} looks at {}.", layer + 1, head + 1, look.named(query),
                                look.named(key)));
        report.add(way);
        report.add(products(look, parts, query, key));
        report.add(handed_on(look, parts, key, row[key]));
    });
}

Report show_guesses(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const std::size_t query = look.query(request), seq = look.labels.size();
        const std::string follows =
            query + 1 < seq ? fmt::format(" (the text goes on with \"{}\")", look.labels[query + 1]) : "";
        Table table{
            .title = fmt::format("After {}, the likeliest next characters{}", look.named(query), follows),
            .columns = {{"read after"}}};
        for (std::size_t rank = 1; rank <= guesses_in_a_row; ++rank)
            table.columns.push_back({fmt::format("guess {}", rank)});
        Array right = Array::from_shape({look.reading.streams.size(), seq - 1});
        std::vector<std::string> stages;
        for (std::size_t i = 0; i < look.reading.streams.size(); ++i) {
            stages.push_back(i == 0 ? "embedding" : fmt::format("block {}", i));
            const Tensor chances = softmax(lens(look.trained.model, look.reading.streams[i]));
            const auto at_query = chances.values().subspan(query * chances.size(-1), chances.size(-1));
            std::vector<Cell> row{stages.back()};
            for (const std::size_t id : largest_of(at_query, guesses_in_a_row))
                row.emplace_back(visible(look.trained.tokenizer.tokens()[id]) +
                                 (at_query[id] < 0.005f ? " < 0.01" : fmt::format(" {:.2f}", at_query[id])));
            table.add(row);
            for (std::size_t t = 0; t + 1 < seq; ++t)
                right(i, t) = chances.at({0, t, static_cast<std::size_t>(look.ids.data()[t + 1])});
        }
        report.add(table);
        if (seq < 2) return;
        Tokens next(look.labels.begin() + 1, look.labels.end());
        report.add(HeatMapFigure{
            .name = "lens",
            .title = "Block by block: the probability of the character that really follows",
            .row_axis = "read after",
            .column_axis = "the character that follows",
            .panels =
                {{.title = "", .values = right, .rows = stages, .columns = next, .quantity = "probability"}},
            .panels_per_row = 1,
            .caption =
                "Each column is a character that the model must guess from those before it. The final norm "
                "and the table of the logits read what enters the first block and what leaves each block, "
                "as if it were the last one (the \"logit lens\")."});
    });
}

}  // namespace

void check_read_text(const Request& request) {
    Report without_model;  // the sections say so
    const auto model = trained_or_reason(without_model, "", [] { return &character_model(); });
    if (model) (void)ids_of(**model, option::text.flag, request[option::text]);
}

Sections look_sections() {
    return {{"look-heads", "A trained decoder: all heads", show_heads, {option::text}, Level::deeper},
            {"look-head",
             "Block {layer}, head {head}: its map",
             show_head,
             {option::text, option::layer, option::head},
             Level::deeper},
            {"look-weight",
             "One weight, and the sum behind it",
             show_weight,
             {option::text, option::layer, option::head, option::query, option::key},
             Level::deeper},
            {"look-guesses",
             "Block by block: what the model would guess",
             show_guesses,
             {option::text, option::query},
             Level::deeper}};
}

}  // namespace tfs
