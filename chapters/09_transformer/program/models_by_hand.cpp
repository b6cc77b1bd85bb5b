// chapters/09_transformer/program/models_by_hand.cpp · models that a learner writes whole: two layers of weights by hand, a GPT on a blank page
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/program/options.hpp"
#include "chapters/09_transformer/whole_model.hpp"

namespace tfs {

namespace {

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

constexpr std::size_t blank_page_windows = 20;

Report show_blank_page(const Request& request) {
    const NoGrad no_grad;
    Report report;
    const TextTransformer* const trained = trained_decoder(report, request, "so there is nothing to compare");
    if (trained == nullptr) return report;
    const Ids ids = recorded_windows(trained->tokenizer, blank_page_windows);
    const WholeModel model(load_trained_model(weights_file("characters"), character_kind()));
    const std::vector<Stage> stages = model(ids);
    const Shape of_logits{ids.shape()[0], ids.shape()[1], trained->tokenizer.size()};
    if (stages.empty() || stages.back().x.shape() != of_logits)
        throw ShapeError(
            fmt::format("whole_model: the last stage must be the logits, {}; ./tutorial check 9.6 says more",
                        to_string(of_logits)));
    for (const Stage& stage : stages)
        report.step(stage.name, stage.x, {"window", "seq", stage.name == "logits" ? "vocab" : "d_model"});
    report.note(
        fmt::format("{} windows of {} characters: {} predicted characters, all but the first of each. A "
                    "uniform guess costs log2({}) = {:.2f} bits.",
                    ids.shape()[0], ids.shape()[1], ids.shape()[0] * (ids.shape()[1] - 1),
                    trained->tokenizer.size(), std::log2(static_cast<double>(trained->tokenizer.size()))));
    const auto says = [&](const char* who, const Tensor& logits) {
        return fmt::format("{}: {:.4f} bits per character", who,
                           next_token_loss(logits, ids) / std::log(2.0));
    };
    report.note(says("whole_model, one function", stages.back().x));
    // Where a step of Transformer is missing, what came before it stays.
    report.add(part_or_gap([&] {
        Report other;
        other.note(says("Transformer, with its stack", trained->model(ids).logits));
        return other;
    }));
    return report;
}

}  // namespace

Sections models_by_hand_sections() {
    return {{"induction", "Puzzle: an induction head", show_induction},
            {"blank-page", "A blank page: the model in one function beside Transformer", show_blank_page,
             options::of_any_model, Level::deeper}};
}

}  // namespace tfs
