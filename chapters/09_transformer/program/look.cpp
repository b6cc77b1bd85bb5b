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
            {"look-guesses",
             "Block by block: what the model would guess",
             show_guesses,
             {option::text, option::query},
             Level::deeper}};
}

}  // namespace tfs
