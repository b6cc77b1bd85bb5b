// chapters/09_transformer/program/one_sentence.cpp · one sentence from text to its next character; docs/overview.md quotes it
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "chapters/09_transformer/program/sections.hpp"

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

void print_guesses(Show& show, const TextTransformer& trained, std::span<const float> logits,
                   std::span<const float> chances) {
    fmt::print(show.out, "  {:<22} {:>7} {:>13}\n", "next character", "logit", "probability");
    for (const std::size_t id : largest_of(logits, guesses_shown))
        fmt::print(show.out, "  {:<22} {:>7.2f} {:>13.3f}\n", in_quotes(trained.tokenizer.tokens()[id]),
                   logits[id], chances[id]);
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

}  // namespace

void show_one_sentence(Show& show, const TextTransformer& trained) {
    const NoGrad no_grad;
    const Ids ids = trained.tokenizer.encode(show.options.text);
    const std::size_t seq = ids.size();
    std::string numbers;
    for (std::size_t i = 0; i < std::min(seq, ids_shown); ++i) {
        const std::int64_t id = ids.data()[i];
        const std::string& character = trained.tokenizer.token(id);
        numbers += fmt::format("{} {}  ", character == " " ? "space" : harmless(character), id);
    }
    const Tensor x = trained.model.embed(ids);
    const TransformerOutput output = trained.model(ids);
    const Tensor chances = softmax(slice(output.logits, 1, seq - 1, seq));
    const std::string last = in_quotes(trained.tokenizer.token(ids.data()[seq - 1]));
    fmt::print(show.out, "  text     {}\n", harmless(show.options.text));
    fmt::print(show.out, "  ids      {}{}\n", numbers, seq > ids_shown ? "…" : "");
    fmt::print(show.out, "           {} ids, from a vocabulary of {} characters\n", seq,
               trained.tokenizer.size());
    fmt::print(show.out, "  vectors  {}, each of {} numbers; that of the last {}: {}\n", seq, x.size(-1),
               last, first_numbers(last_row(x)));
    fmt::print(show.out, "  blocks   {}, and a last norm; the last vector is now: {}\n",
               trained.model.config.num_layers, first_numbers(last_row(output.hidden)));
    fmt::print(show.out, "  logits   {} for each position; the largest at the last one:\n\n",
               output.logits.size(-1));
    print_guesses(show, trained, last_row(output.logits), last_row(chances));
}

FlowFigure draw_overview(Show& show, const TextTransformer& trained) {
    const std::size_t seq = trained.tokenizer.encode(show.options.text).size();
    return {.name = "overview",
            .title = "From a text to its next character, and how a model learns it",
            .panels = {guess_panel(trained.model.config, seq), block_panel(), training_panel()},
            .caption =
                "Read from the bottom up. Left: what a decoder does with a text. Middle: what is inside each "
                "of its blocks. Right: one step of training; there are thousands of them. (03) is chapter "
                "03; (seq 43, d_model 128) means 43 vectors of 128 numbers."};
}

}  // namespace tfs
