// chapters/09_transformer/program/models_by_hand.cpp · models that a learner writes whole: a GPT on a blank page, two layers of weights by hand; the texts
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/program/options.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "common/base/array.hpp"
#include "common/base/parallel.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/weights.hpp"
#include "common/nn/layers.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

// --- the blank page

constexpr std::size_t windows = 40, window = 128, characters_written = 60;

// The trained decoder on the blank page; the plays, and windows of their last tenth, which it has not learned from.
struct Page {
    TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    Gpt gpt{trained};
    Ids text = trained.tokenizer.encode(read_file(shipped_corpus()));  // (1, characters)
    std::size_t learned = text.size() - text.size() / 10;              // characters
    Ids held_out = Ids::from_shape({windows, window});

    Page() {
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(learned), held_out.size(), held_out.begin());
    }
};
const Page& blank_page() {
    static const Page page;
    return page;
}

// The logits if the model ended after so many blocks. A learner's own model is looked at by no check here.
Tensor logits_after(std::size_t blocks, const Ids& ids) {
    const Gpt& gpt = blank_page().gpt;
    Tensor x = gpt.rows(ids);
    for (std::size_t i = 0; i < blocks; ++i) x = gpt.block(i, x);
    const Tensor logits = gpt.logits(x);
    if (logits.shape() == Shape{ids.shape()[0], ids.shape()[1], gpt.config.vocab_size}) return logits;
    throw ShapeError(fmt::format("rows_and_logits: the logits are {}", to_string(logits.shape())));
}

double bits(const Tensor& logits) { return next_token_loss(logits, blank_page().held_out) / std::log(2.0); }

// What follows the first `given` tokens.
std::vector<std::int64_t> added_to(const Ids& all, std::size_t given) {
    return {all.begin() + static_cast<std::ptrdiff_t>(given), all.end()};
}

// What is written after the prompt, on one line; or that the step of the loop is missing.
std::string written_after(std::size_t blocks, const std::string& prompt) try {
    const Page& page = blank_page();
    const Ids ids = page.trained.tokenizer.encode(prompt);
    const auto model = [&](const Ids& so_far) { return logits_after(blocks, so_far); };
    const std::size_t room = page.gpt.config.max_len() - ids.size();
    const Ids all = generate_greedy(model, ids, std::min(characters_written, room));
    return with_pilcrows(page.trained.tokenizer.decode(added_to(all, ids.size())));
} catch (const NotImplemented& gap) {
    return gap.what();
}

// counts(a, b): how often b follows a in the text that the model has learned from.
Array pair_counts() {
    const Page& page = blank_page();
    const std::size_t vocab = page.gpt.config.vocab_size;
    Array counts = Tensor::zeros({vocab, vocab}).array();
    for (std::size_t t = 0; t + 1 < page.learned; ++t)
        ++counts(static_cast<std::size_t>(page.text.data()[t]),
                 static_cast<std::size_t>(page.text.data()[t + 1]));
    return counts;
}

// The four tokens with the largest scores of row i.
std::string best_of(const Tensor& scores, std::size_t i) {
    Tokens best;
    for (const std::size_t id : largest_of(scores.values().subspan(i * scores.size(-1), scores.size(-1)), 4))
        best.push_back(visible(blank_page().trained.tokenizer.tokens()[id]));
    return fmt::format("{}", fmt::join(best, " "));
}

Report show_no_blocks(const Request& request) {
    const NoGrad no_grad;
    const Threads one(1);  // a line of text is too little to share
    Report report;
    if (trained_decoder(report, request, "so there is nothing to show") == nullptr) return report;
    const Page& page = blank_page();
    const Ids ids = page.trained.tokenizer.encode("eqT,");
    const Tensor chances = softmax(logits_after(0, ids)), counts(pair_counts());
    const Tensor pairs = embedding(counts, ids), first = max(chances, -1);
    Table table{.columns = {{"read"},
                            {"likeliest next"},
                            {"probability of the first", fixed(3)},
                            {"what most often follows in the plays"}}};
    for (std::size_t i = 0; i < ids.size(); ++i)
        table.add({page.trained.tokenizer.token(ids(0, i)), best_of(chances, i), first.values()[i],
                   best_of(pairs, i)});
    report.add(table);
    report.note(fmt::format(
        "Bits per held-out character: {:.1f}. A uniform guess costs {:.2f}, counts of pairs {:.2f}.",
        bits(logits_after(0, page.held_out)), std::log2(static_cast<double>(page.gpt.config.vocab_size)),
        bits(log(embedding(counts + 0.01f, page.held_out)))));
    return report;
}

Report show_blank_page(const Request& request) {
    const NoGrad no_grad;
    const Threads one(1);
    Report report;
    const TextTransformer* const trained = trained_decoder(report, request, "so there is nothing to compare");
    if (trained == nullptr) return report;
    const std::string& prompt = request[options::text];
    Table table{
        .columns = {{"blocks", whole()}, {"bits per character", fixed(2)}, {"\"" + prompt + "\" goes on"}}};
    // Where a step is missing, the lines before it stay.
    Report gap = part_or_gap([&] {
        for (std::size_t i = 0; i <= trained->model.config.num_layers; ++i)
            table.add({i, bits(logits_after(i, blank_page().held_out)), written_after(i, prompt)});
        return Report();
    });
    report.add(table);
    report.add(std::move(gap));
    report.note(fmt::format(
        "Transformer, with its stack: {:.2f} bits. {} windows of {} held-out characters; all but the "
        "first of each are guessed.",
        bits(trained->model(blank_page().held_out).logits), windows, window));
    return report;
}

// --- greedy texts of whole models

namespace option {
const CountOption new_tokens{
    "--new-tokens", 0, 0, 255,
    "how many tokens are generated: at most 60 words, or characters up to a text of 256; 0: 8 or 130"};
}  // namespace option

constexpr std::size_t most_new_words = 60;  // with the text they fit into a tiny model

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

// What the trained model adds to the text.
Report written_characters(const TextTransformer& trained, const std::string& text, std::size_t count) {
    const Ids prompt = trained.tokenizer.encode(text);
    const std::size_t room = trained.config.max_len - prompt.size();  // trained_decoder: there is some
    const Ids all = generate_greedy(trained.model, prompt, std::min(count, room));
    const std::string written = trained.tokenizer.decode(added_to(all, prompt.size()));
    Report report;
    report.note(fmt::format("up to {} new characters, from trained weights", count));
    report.quote(text + "|" + written);
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

// --- the puzzle

// words[id]: the 16 tokens.
const std::vector<std::string> words_by_id{"<start>", "a",   "big", "old", "dog", "ran", "to", "the",
                                           "cat",     "sat", "on",  "mat", "red", "his", "in", "and"};
constexpr std::size_t again = 7;  // from this position on the prompt has tokens that it had before
constexpr std::size_t back = 5;   // to the token after the earlier copy

Ids prompt_ids() { return {{0, 1, 2, 3, 4, 5, 6, 1, 2, 3}}; }
// The prompt, and how it must go on.
Ids whole_ids() { return {{0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}}; }

Tokens words_of(const Ids& ids) {
    Tokens words;
    for (const std::int64_t id : ids) words.push_back(words_by_id[static_cast<std::size_t>(id)]);
    return words;
}

// What the model says after the prompt, and after each token that must follow: the greedy text, if all of them are right.
Tokens words_after_prompt(const InductionModel& model) {
    const Ids text = whole_ids();
    const Tensor logits = run_induction(model, text).logits;
    Tokens words;
    for (std::size_t i = prompt_ids().size(); i < text.size(); ++i)
        words.push_back(words_by_id[static_cast<std::size_t>(greedy_token(slice(logits, 1, i - 1, i)))]);
    return words;
}

// The smallest weight, from row `first` on, on the key that is `distance` before the query.
float smallest_weight(const Array& weights, std::size_t first, std::size_t distance) {
    float least = INFINITY;
    for (std::size_t i = first; i < weights.shape(0); ++i) least = std::min(least, weights(i, i - distance));
    return least;
}

// What one word looks at, in hundredths: nobody sees more.
std::vector<Arc> arcs_from(std::size_t word, const Array& weights) {
    std::vector<Arc> arcs;
    for (std::size_t key = 0; key <= word; ++key) {
        const double hundredths = std::round(100.0 * static_cast<double>(weights(word, key)));
        if (hundredths > 0.0) arcs.push_back({word, key, hundredths / 100.0});
    }
    return arcs;
}

Report show_induction(const Request&) {
    const InductionModel model = induction_head();
    const Ids prompt = prompt_ids();
    const Tokens words = words_of(prompt);
    const InductionRun run = run_induction(model, prompt);
    Report report;
    report.quote(fmt::format("{} | {}", fmt::join(words, " "), fmt::join(words_after_prompt(model), " ")));
    report.note(fmt::format("smallest weight on the right key: {:.3f} in layer 1, {:.3f} in layer 2",
                            smallest_weight(run.first_weights, 1, 1),
                            smallest_weight(run.second_weights, again, back)));
    const std::size_t last = words.size() - 1, next = last - back;
    report.add(ArcFigure{
        .name = "induction",
        .title = fmt::format("Layer 1: \"{}\" notes the word before it, \"{}\". Layer 2: the last \"{}\" "
                             "finds this note and answers \"{}\"",
                             words[next], words[next - 1], words[last], words[next]),
        .panels = {{.words = words,
                    .storeys = {arcs_from(next, run.first_weights), arcs_from(last, run.second_weights)},
                    .names = {fmt::format("layer 1: \"{}\" notes \"{}\"", words[next], words[next - 1]),
                              fmt::format("layer 2: the last \"{}\" finds \"{}\"", words[last], words[next])},
                    .answer = "→ " + words[next]}},
        .caption = "Read upwards; an arrow points at what is looked at. Drawn from the weights of the "
                   "puzzle. In layer "
                   "1 each token looks at the one before it and notes it; one of these looks is drawn. In "
                   "layer 2 the "
                   "last token finds the token that noted the same word: that one comes next."});
    return report;
}

}  // namespace

Sections models_by_hand_sections() {
    return {{"no-blocks", "A model without blocks: it repeats what it reads", show_no_blocks,
             options::of_any_model},
            {"blank-page", "A blank page: the same model after 0 to 4 blocks", show_blank_page,
             options::of_any_model},
            {"greedy", "Greedy: always the best token", show_greedy,
             with(options::of_any_model, option::new_tokens), Level::deeper},
            {"induction", "Puzzle: an induction head", show_induction}};
}

}  // namespace tfs
