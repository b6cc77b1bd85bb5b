// chapters/09_transformer/program/reading_and_writing.cpp · a trained decoder reads a text: all heads, one head, the guesses of each block; and goes on with it
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/09_transformer/program/options.hpp"
#include "common/base/array.hpp"
#include "common/base/parallel.hpp"
#include "common/terminal/display.hpp"

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
const CountOption new_tokens{
    "--new-tokens", 0, 0, 255,
    "how many tokens are generated: at most 60 words, or characters up to a text of 256; 0: 8 or 130"};
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
                                         rounded(attention_map(look.reading.weights[layer], 0, head))});
        report.add(figure);
    });
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
        const std::size_t seq = look.labels.size(), asked = request[option::query];
        if (asked > 0) require_between(option::query.flag, asked, 1, seq);
        const std::size_t query = asked > 0 ? asked - 1 : seq - 1;
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

constexpr std::size_t most_new_words = 60;  // with the text they fit into a tiny model

// What follows the first `given` tokens.
std::vector<std::int64_t> added_to(const Ids& all, std::size_t given) {
    return {all.begin() + static_cast<std::ptrdiff_t>(given), all.end()};
}

// What a decoder adds to the text, or an encoder-decoder writes after <start>.
Report written_words(const Transformer& model, const TextIds& text, std::size_t count) {
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const std::vector<std::int64_t> added =
        both ? added_to(translate_greedy(model, text.ids, TextIds::start, count, TextIds::end), 1)
             : added_to(generate_greedy(model, text.ids, count, TextIds::end), text.ids.size());
    Tokens words;
    for (const std::int64_t id : added) words.push_back(text.words[static_cast<std::size_t>(id)]);
    Report report;
    report.note(fmt::format("up to {} new tokens", count));
    report.quote(fmt::format("{} | {}", fmt::join(both ? Tokens{"<start>"} : text.tokens, " "),
                             fmt::join(words, " ")));
    return report;
}

// What the trained model adds to the text, and how many different words that has.
Report written_characters(const TextTransformer& trained, const std::string& text, std::size_t count) {
    const Ids prompt = trained.tokenizer.encode(text);
    const std::size_t room = trained.config.max_len - prompt.size();  // trained_decoder: there is some
    const Ids all = generate_greedy(trained.model, prompt, std::min(count, room));
    const std::string written = trained.tokenizer.decode(added_to(all, prompt.size()));
    Report report;
    report.note(fmt::format("up to {} new characters, from trained weights", count));
    report.quote(text + "|" + written);
    std::istringstream words_written(written);
    const Tokens words(std::istream_iterator<std::string>(words_written), {});
    report.note(
        fmt::format("{} words, {} of them different: greedy text repeats itself (chapter 11 draws by chance)",
                    words.size(), std::set<std::string>(words.begin(), words.end()).size()));
    return report;
}

// Where there is a trained model, it is that one that writes.
Report show_greedy(const Request& request) {
    const std::size_t count = request[option::new_tokens];  // 0: the default
    Report report;
    if (wants_trained(request))
        if (const TextTransformer* const trained =
                trained_decoder(report, request, "so these weights are random"))
            return written_characters(*trained, request[options::text], count > 0 ? count : 130);
    const AskedModel asked = asked_model(request);
    report.add(written_words(asked_weights(request, asked), asked.text,
                             count > 0 ? std::min(count, most_new_words) : 8));
    if (!asked.from_file) report.note("untrained: the words mean nothing, chapter 10 trains such models");
    return report;
}

}  // namespace

void check_read_text(const Request& request) {
    Report without_model;  // the sections say so
    const auto model = trained_or_reason(without_model, "", [] { return &character_model(); });
    if (model) (void)ids_of(**model, option::text.flag, request[option::text]);
}

Sections reading_and_writing_sections() {
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
             Level::deeper},
            {"greedy", "Greedy: always the best token", show_greedy,
             with(options::of_any_model, option::new_tokens)}};
}

}  // namespace tfs
