// chapters/09_transformer/program/one_sentence.cpp · one sentence from text to its next character; docs/overview.md quotes it
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "chapters/09_transformer/program/options.hpp"

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

// The ids of the largest values, the largest first.
std::vector<std::size_t> largest_of(std::span<const float> row, std::size_t count) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    order.resize(std::min(count, order.size()));
    return order;
}

Table guesses(const TextTransformer& trained, std::span<const float> logits, std::span<const float> chances) {
    Table table{.columns = {{"next character"}, {"logit", fixed(2)}, {"probability", fixed(3)}}};
    for (const std::size_t id : largest_of(logits, guesses_shown))
        table.add({in_quotes(trained.tokenizer.tokens()[id]), logits[id], chances[id]});
    return table;
}

FlowPanel guess_panel(const TransformerConfig& config, std::size_t seq) {
    const std::string x = named_shape({seq, config.block.d_model}, {"seq", "d_model"});
    FlowPanel panel{.title = "a guess (09)"};
    panel.boxes = {{"text", fmt::format("{} characters", seq), FlowKind::input},
                   {"ids", named_shape({seq}, {"seq"})},
                   {"embedding", x},
                   {fmt::format("{} blocks (07)", config.num_layers), x, FlowKind::attention},
                   {"final norm (08)", x, FlowKind::norm},
                   {"logits", named_shape({seq, config.vocab_size}, {"seq", "vocab"})},
                   {"softmax (01)", "probabilities"}};
    return panel;
}

// A block of GPT-2's kind with rotary positions.
FlowPanel block_panel() {
    const std::string branch = "what is added";
    FlowPanel panel{.title = "one block (07)"};
    panel.boxes = {{"vectors", "", FlowKind::input},
                   {"norm (04)", "", FlowKind::norm},
                   {"attention (01)", branch, FlowKind::attention},
                   {"+", "", FlowKind::add},
                   {"norm (04)", "", FlowKind::norm},
                   {"feed-forward (05)", branch, FlowKind::feed_forward},
                   {"+", "new vectors", FlowKind::add}};
    panel.residuals = {{0, 3, "residual (06)"}, {3, 6, "residual (06)"}};
    panel.inputs = {{2, "mask (02), positions (03)"}};
    return panel;
}

FlowPanel training_panel() {
    FlowPanel panel{.title = "a step of training (10)"};
    panel.boxes = {
        {"pieces of a text", "ids", FlowKind::input}, {"the model", "logits"},
        {"cross-entropy", "loss: one number"},        {"backward (00)", "a gradient for each weight"},
        {"clip", "gradients of limited length"},      {"AdamW", "weights, moved a little"}};
    panel.inputs = {{1, "weights"}, {2, "what came next"}, {5, "learning rate"}};
    return panel;
}

FlowFigure overview(const TransformerConfig& config, std::size_t seq) {
    return {.name = "overview",
            .title = "From a text to its next character, and how a model learns it",
            .panels = {guess_panel(config, seq), block_panel(), training_panel()},
            .caption = fmt::format(
                "Read from the bottom up. Left: what a decoder does with a text. Middle: what is inside each "
                "of its blocks. Right: one step of training; there are thousands of them. (03) is chapter "
                "03; (seq {0}, d_model {1}) means {0} vectors of {1} numbers.",
                seq, config.block.d_model)};
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
             fmt::format("{} for each position; the largest at the last one:", output.logits.size(-1))});
    report.add(way);
    report.add(guesses(*trained, last_row(output.logits), last_row(chances)));
    report.add(overview(config, seq));
    return report;
}

}  // namespace

Section one_sentence() {
    return {.id = "one-sentence",
            .title = "One sentence, step by step, through trained weights",
            .level = Level::deeper,
            .options = {options::text, options::model, options::heads, options::d_model, options::layers},
            .run = show_one_sentence};
}

}  // namespace tfs
