// chapters/09_transformer/program/reading.cpp · the trained decoder reads: one sentence to its next character (docs/overview.md quotes it), heads, guesses
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "chapters/09_transformer/program/options.hpp"
#include "common/base/array.hpp"
#include "common/base/parallel.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t ids_shown = 11;  // "The cat sat"
constexpr std::size_t numbers_shown = 4;
constexpr std::size_t guesses_shown = 5;

std::string in_quotes(const std::string& character) {
    return character == "\n" ? "the end of the line" : "\"" + harmless(character) + "\"";
}

// The last row of (1, seq, width).
std::span<const float> last_row(const Tensor& x) {
    const std::size_t width = x.size(-1);
    return x.values().subspan(x.values().size() - width, width);
}

std::string first_numbers(std::span<const float> row) {
    std::string text;
    for (const float number : row.first(numbers_shown)) text += fmt::format("{:.2f}  ", number);
    return text + "…";
}

// A box around x = `middle`. All of the figure is in pixels, from the lower left corner.
void box(PlanePanel& sheet, double middle, double low, double width, double height, const std::string& words,
         Hue hue) {
    sheet.box(middle - width / 2, low, middle + width / 2, low + height, hue, words);
}

// The way of the text: from the bottom up, around `x`.
void draw_way(PlanePanel& sheet, const TransformerConfig& config, const Tokens& characters, double x) {
    constexpr std::size_t most = 44;  // characters: a longer text loses its beginning
    std::string text = characters.size() > most ? "…" : "";
    for (std::size_t i = characters.size() - std::min(most, characters.size()); i < characters.size(); ++i)
        text += with_pilcrows(characters[i]);
    sheet.text(x, 10.0, text);
    const double end = x + 3.4 * static_cast<double>(std::min(most, characters.size())) + 18.0;  // roughly
    box(sheet, end, -2.0, 22.0, 24.0, "?", Hue::output);
    sheet.line(36.0, 430.0, 36.0, -26.0);
    sheet.line(36.0, -26.0, end, -26.0);
    sheet.arrow(end, -26.0, end, -3.0);
    struct Part {
        std::string name;
        Hue hue;
        double low, height;
        std::string read;         // what leads into it
        double words_left = 0.0;  // its middle, from the arrow
    };
    const Part parts[] = {
        {"embedding (09)", Hue::embedding, 70.0, 28.0, fmt::format("{} ids", characters.size()), 40.0},
        {fmt::format("{} blocks (07)", config.num_layers), Hue::residual, 138.0, 44.0,
         fmt::format("{} vectors of {}", characters.size(), config.block.d_model), 72.0},
        {"final norm (08)", Hue::norm, 206.0, 28.0, ""},
        {"logits: the same table (09)", Hue::embedding, 274.0, 28.0, "the last vector", 58.0},
        {"softmax (01)", Hue::other, 342.0, 28.0, fmt::format("{} logits", config.vocab_size), 46.0}};
    double from = 22.0;
    for (const Part& part : parts) {
        sheet.arrow(x, from, x, part.low);
        if (!part.read.empty()) sheet.text(x - part.words_left, (from + part.low) / 2, part.read);
        box(sheet, x, part.low, 220.0, part.height, part.name, part.hue);
        from = part.low + part.height;
    }
    sheet.arrow(x, from, x, 388.0);
}

// A block of GPT-2's kind with rotary positions, between x = `left` and the right edge; `low` and `high` are those of the
// box that it is the inside of.
void draw_block(PlanePanel& sheet, double left, double low, double high, double box_right) {
    const double stream = left + 50.0, middle = left + 215.0, right = left + 330.0, bottom = 74.0,
                 top = 400.0;
    sheet.line(box_right, low, left, bottom).light = true;
    sheet.line(box_right, high, left, top).light = true;
    box(sheet, (left + right) / 2, bottom, right - left, top - bottom, "", Hue::residual);
    sheet.text((left + right) / 2, top - 16.0, "inside each block");
    double from = bottom;  // of the next piece of the stream, which ends at a sum
    const auto flow_to = [&](double to) {
        sheet.arrow(stream, from, stream, to, Hue::residual, 2.0);
        from = to + 22.0;
    };
    sheet.text(stream + 66.0, 240.0, "residual (06)");
    for (const bool attention : {true, false}) {
        const double y = attention ? 90.0 : 268.0;
        sheet.arrow(stream, y + 14.0, middle - 105.0, y + 14.0);
        box(sheet, middle, y, 210.0, 28.0, "norm (04)", Hue::norm);
        sheet.arrow(middle, y + 28.0, middle, y + 52.0);
        if (attention) {
            box(sheet, middle, y + 52.0, 210.0, 58.0, "", Hue::attention);
            sheet.text(middle, y + 92.0, "attention (01)");
            sheet.text(middle, y + 72.0, "mask (02), rotary (03)");
        } else {
            box(sheet, middle, y + 52.0, 210.0, 40.0, "feed-forward (05)", Hue::feed_forward);
        }
        const double back = y + (attention ? 81.0 : 72.0);
        sheet.arrow(middle - 105.0, back, stream + 11.0, back);
        flow_to(back - 11.0);
        sheet.circle(stream, back, 11.0, "+");
    }
    flow_to(top + 24.0);
}

// The most likely characters as bars, and the way back to the text.
void draw_guess(PlanePanel& sheet, const Tokenizer& tokenizer, std::span<const float> chances, double x) {
    const std::vector<std::size_t> best = largest_of(chances, guesses_shown);
    constexpr double apart = 58.0;
    double bar = x - apart * static_cast<double>(best.size() - 1) / 2;
    sheet.line(bar - 24.0, 430.0, 36.0, 430.0);
    for (const std::size_t id : best) {
        const std::string& character = tokenizer.tokens()[id];
        sheet.text(bar, 398.0,
                   character == " "    ? "space"
                   : character == "\n" ? "line end"
                                       : "\"" + harmless(character) + "\"");
        // Whole pixels, so that all machines draw the same.
        const double height = std::round(200.0 * static_cast<double>(chances[id]));
        sheet.rectangle(bar - 18.0, 410.0, bar + 18.0, 410.0 + std::max(1.0, height), Hue::output);
        sheet.text(bar, 420.0 + height, fmt::format("{:.2f}", chances[id]));
        bar += apart;
    }
    sheet.text(82.0, 240.0, "append it,");
    sheet.text(82.0, 222.0, "begin again");
    sheet.text(82.0, 204.0, "(09, 11)");
}

PlaneFigure overview(const TextTransformer& trained, const Ids& ids, std::span<const float> chances) {
    constexpr double x = 246.0;
    const TransformerConfig& config = trained.model.config;
    Tokens characters;
    for (const std::int64_t id : ids) characters.push_back(trained.tokenizer.token(id));
    PlanePanel sheet{.low_x = 0.0, .high_x = 768.0, .low_y = -30.0, .high_y = 490.0};
    draw_way(sheet, config, characters, x);
    draw_block(sheet, 436.0, 138.0, 182.0, x + 110.0);
    draw_guess(sheet, trained.tokenizer, chances, x);
    return {
        .name = "overview",
        .title =
            fmt::format("Text becomes vectors, {} blocks change them, the last vector guesses what follows",
                        config.num_layers),
        .panels = {sheet},
        .panels_per_row = 1,
        .caption = fmt::format(
            "Read from the bottom up; (03) is chapter 03. Each character becomes a vector. Right: a "
            "block adds something to each vector, twice. {} logits: one number for each character that the "
            "model knows. On top: how likely the five best are to come next.",
            config.vocab_size)};
}

// "T 32  h 46  e 43  …"
std::string first_ids(const Tokenizer& tokenizer, const Ids& ids) {
    std::string text;
    for (std::size_t i = 0; i < std::min(ids.size(), ids_shown); ++i) {
        const std::int64_t id = ids.data()[i];
        const std::string& character = tokenizer.token(id);
        text += fmt::format("{} {}  ", character == " " ? "space" : harmless(character), id);
    }
    return text + (ids.size() > ids_shown ? "…" : "");
}

Report show_one_sentence(const Request& request) {
    Report report;
    const TextTransformer* const trained = trained_decoder(report, request, "so there is nothing to show");
    if (!trained) return report;
    const NoGrad no_grad;
    const Tokenizer& tokenizer = trained->tokenizer;
    const TransformerConfig& config = trained->model.config;
    const Ids ids = tokenizer.encode(request[options::text]);
    const std::size_t seq = ids.size();
    const Tensor x = trained->model.embed(ids);
    const TransformerOutput output = trained->model(ids);
    const Tensor chances = softmax(slice(output.logits, 1, seq - 1, seq));
    Table way{.columns = {{""}, {""}}};
    way.add({"text", harmless(request[options::text])});
    way.add({"ids", fmt::format("{}\n{} ids, from a vocabulary of {} characters", first_ids(tokenizer, ids),
                                seq, tokenizer.size())});
    way.add({"vectors",
             fmt::format("{}, each of {} numbers; that of the last {}: {}", seq, x.size(-1),
                         in_quotes(tokenizer.token(ids.data()[seq - 1])), first_numbers(last_row(x)))});
    way.add({"blocks", fmt::format("{}, and a last norm; the last vector is now: {}", config.num_layers,
                                   first_numbers(last_row(output.hidden)))});
    way.add({"logits",
             fmt::format("{} for each position; the five largest of the last one:", output.logits.size(-1))});
    report.add(way);
    Table guesses{.columns = {{"next character"}, {"logit", fixed(2)}, {"probability", fixed(3)}}};
    const auto logits = last_row(output.logits), likely = last_row(chances);
    for (const std::size_t id : largest_of(logits, guesses_shown))
        guesses.add({in_quotes(tokenizer.tokens()[id]), logits[id], likely[id]});
    report.add(guesses);
    report.add(overview(*trained, ids, likely));
    return report;
}

// --- looking into it: all heads, one head, the guesses of each block

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

// A text on its way through the trained model.
struct Look {
    const TextTransformer& trained;
    Ids ids;
    Tokens labels;  // of the characters
    Reading reading;
};

// What `show` makes of the text; a line where there is no trained model. ValueError where it can't read the text.
template <class Show>
Report looked_into(const Request& request, const Show& show) {
    const NoGrad no_grad;
    const Threads one(1);  // a line of text is too little to share: threads wake up later than it is read
    Report report;
    const auto model =
        trained_or_reason(report, "so there is nothing to look into", [] { return &character_model(); });
    if (!model) return report;
    const TextTransformer& trained = **model;
    const Ids ids = ids_of(trained, option::text.flag, request[option::text]);
    Look look{trained, ids, {}, read_through(trained.model, ids)};
    for (const std::int64_t id : ids) look.labels.push_back(visible(trained.tokenizer.token(id)));
    show(report, look);
    return report;
}

// The place of the character that is looked at, from 0. ValueError if the text has none there.
std::size_t query_of(const Request& request, const Look& look) {
    const std::size_t asked = request[option::query], seq = look.labels.size();
    if (asked > 0) require_between(option::query.flag, asked, 1, seq);
    return asked > 0 ? asked - 1 : seq - 1;
}

// To three decimals, which is more than a small map can show; at most 1, not 1.0000001, and 0 only where a key is masked.
Array rounded(Array weights) {
    std::transform(weights.data(), weights.data() + weights.size(), weights.data(), [](float weight) {
        return weight > 0.0f ? std::clamp(std::round(weight * 1000.0f) / 1000.0f, 0.001f, 1.0f) : 0.0f;
    });
    return weights;
}

SmallMapsFigure all_heads(const Look& look) {
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
                                     rounded(attention_map(look.reading.weights[layer], 0, head))});
    return figure;
}

Report show_head(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const std::size_t layer = request[option::layer], head = request[option::head];
        report.add(HeatMapFigure{
            .name = "look_head",
            .title = fmt::format("Block {}, head {}", layer, head),
            .panels = {blank_where_zero(
                attention_panel("", look.reading.weights.at(layer - 1), head - 1, look.labels, look.labels))},
            .panels_per_row = 1,
            .caption =
                "Each row is a character that looks, and its weights sum to 1. Grey cells are masked: they "
                "are later."});
    });
}

Report show_guesses(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const std::size_t seq = look.labels.size(), query = query_of(request, look);
        const std::string follows =
            query + 1 < seq ? fmt::format(" (the text goes on with \"{}\")", look.labels[query + 1]) : "";
        Table table{.title = fmt::format("After \"{}\" at {}, the likeliest next characters{}",
                                         look.labels[query], query + 1, follows),
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
            .panels = {{.values = right, .rows = stages, .columns = next, .quantity = "probability"}},
            .panels_per_row = 1,
            .caption =
                "Each column is a character that the model must guess from those before it. The final norm "
                "and the table of the logits read what enters the first block and what leaves each block, "
                "as if it were the last one (the \"logit lens\")."});
    });
}

double length_of(std::span<const float> vector) {
    double sum = 0.0;
    for (const float number : vector) sum += static_cast<double>(number) * static_cast<double>(number);
    return std::sqrt(sum);
}

// One character on its way: its vector before the blocks, after each half of each block, and after the final norm; and who reads
// whom in all heads.
Report show_way(const Request& request) {
    return looked_into(request, [&](Report& report, const Look& look) {
        const Transformer& model = look.trained.model;
        const std::size_t query = query_of(request, look), d_model = model.config.block.d_model;
        const auto id = static_cast<std::size_t>(look.ids.data()[query]);
        Table token{.columns = {{"character"}, {"place", whole()}, {"id", whole()}, {"ids in all", whole()}}};
        token.add({look.labels[query], query + 1, id, look.trained.tokenizer.size()});
        report.add(token);
        std::vector<std::string> stages{"embedding"};
        std::vector<Tensor> streams{look.reading.streams[0]};
        for (std::size_t i = 0; i < look.reading.halves.size(); ++i) {
            stages.insert(stages.end(), {fmt::format("block {}, attention", i + 1),
                                         fmt::format("block {}, feed-forward", i + 1)});
            streams.insert(streams.end(), {look.reading.halves[i], look.reading.streams[i + 1]});
        }
        stages.emplace_back("final norm");
        const auto& norm = std::get<Stack>(model.stack).final_norm;
        streams.push_back(norm ? (*norm)(streams.back()) : streams.back());
        Table lengths{.columns = {{"after"},
                                  {"length of its vector", fixed(2)},
                                  {"length of what was added", fixed(2)}}};
        Array vectors = Array::from_shape({streams.size(), d_model});
        for (std::size_t i = 0; i < streams.size(); ++i) {
            const auto vector = streams[i].values().subspan(query * d_model, d_model);
            std::copy(vector.begin(), vector.end(), vectors.data() + i * d_model);
            std::vector<float> added(d_model);
            if (i > 0)
                std::transform(vector.begin(), vector.end(), vectors.data() + (i - 1) * d_model,
                               added.begin(), std::minus());
            const bool adds = i > 0 && i + 1 < streams.size();
            lengths.add({stages[i], length_of(vector), adds ? Cell(length_of(added)) : Cell()});
        }
        report.add(lengths);
        report.add(HeatMapFigure{
            .name = "way",
            .title = fmt::format("The {} numbers of “{}” on their way", d_model, look.labels[query]),
            .row_axis = "after",
            .column_axis = "number",
            .panels = {{.values = vectors, .rows = stages, .scale = ColourScale::diverging}},
            .panels_per_row = 1,
            .caption = "Each row is the vector of this one character. Each half of a block adds "
                       "something to it; the final norm brings it to the size that the table of "
                       "the logits reads."});
        Table guesses{.columns = {{"next character"}, {"logit", fixed(2)}, {"probability", fixed(3)}}};
        const Tensor scores = model.logits(streams.back()), chances = softmax(scores);
        const std::size_t vocab = chances.size(-1);
        const auto likely = chances.values().subspan(query * vocab, vocab),
                   logits = scores.values().subspan(query * vocab, vocab);
        for (const std::size_t one : largest_of(likely, 8))
            guesses.add({visible(look.trained.tokenizer.tokens()[one]), logits[one], likely[one]});
        report.add(guesses);
        report.add(all_heads(look));
    });
}

}  // namespace

void check_read_text(const Request& request) {
    Report without_model;  // the sections say so
    const auto model = trained_or_reason(without_model, "", [] { return &character_model(); });
    if (model) (void)ids_of(**model, option::text.flag, request[option::text]);
}

Sections reading_sections() {
    return {{"one-sentence",
             "One sentence, step by step, through trained weights",
             show_one_sentence,
             {options::text, options::model, options::heads, options::d_model, options::layers},
             Level::deeper},
            {"look-head",
             "Block {layer}, head {head}: its map",
             show_head,
             {option::text, option::layer, option::head},
             Level::deeper},
            {"look-guesses",
             "Block by block: what the model would guess",
             show_guesses,
             {option::text, option::query},
             Level::deeper},
            {"look-way",
             "One character's way from the table to the logits, and all heads",
             show_way,
             {option::text, option::query},
             Level::deeper}};
}

}  // namespace tfs
