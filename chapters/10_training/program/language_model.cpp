// chapters/10_training/program/language_model.cpp · windows of a text, and a language model that learns from them in minutes
//
// Run it: ./tutorial run 10 --mine -- --section text-batches
//         ./tutorial run 10 --mine=passed -- --experiment language-model      (4 minutes on two cores; --steps 200 shortens it)
#include "chapters/10_training/models/language_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numbers>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

// On one line, with / for the ends of lines.
std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', '/');
    return text;
}

// A window, and what a table of pairs learns from such windows by plain descent: this needs none of the later steps.
Report show_windows(const Request&) {
    constexpr std::size_t shown = 40, length = 32, batch_size = 16, steps = 200;
    constexpr float rate = 50.0f;
    const Corpus corpus = read_corpus(shipped_corpus(), length);
    const Example window = text_window(corpus.ids, 0, shown);
    Report report;
    report.note("A window of the text (/ is the end of a line):");
    report.quote("input   " + on_one_line(corpus.tokenizer.decode(window.input)));
    report.quote("target  " + on_one_line(corpus.tokenizer.decode(window.target)));
    const std::size_t kinds = corpus.tokenizer.size();
    Rng rng(1), zeros = Rng::zeros();
    Embedding table(kinds, kinds, zeros);  // row i: the logits of what follows character i
    table.weight.set_requires_grad(true);
    std::vector<double> losses;
    for (std::size_t step = 0; step <= steps; ++step) {
        const Batch batch = text_batch(corpus.ids, length, batch_size, rng);
        table.weight.clear_grad();
        const Tensor loss = cross_entropy(table(batch.inputs), batch.targets);
        loss.backward();
        table.weight.mutable_array() -= rate * table.weight.grad();
        losses.push_back(loss.item());
    }
    report.note(fmt::format(
        "A table of what follows each of the {} characters learns from such windows. Its loss is {:.2f} at "
        "first, and {:.1f} after {} steps.",
        kinds, losses.front(), losses.back(), steps));
    if (losses.back() < 1.0)
        report.note("No text is so easy to guess: the model sees the answer in its input.");
    return report;
}

// The held-out bits at step 0, 1, 2, 4, …, in the middle and at the end; what it writes before, in the middle and at the end.
Report show_language_model(const Request& request) {
    constexpr std::size_t asked = 20'000, length = 100;
    LanguageModelPlan plan;
    if (request[options::steps] > 0) plan.steps = request[options::steps];
    const Corpus corpus = read_corpus(shipped_corpus(), plan.config.max_len);
    const TextTransformer model = new_language_model(corpus, plan);
    Report report, texts;
    report.note(fmt::format("{} layers of width {}, {} parameters; {} steps of {} windows of {} characters.",
                            plan.config.layers, plan.config.d_model, count_parameters(model.parameters()),
                            plan.steps, plan.batch_size, plan.config.max_len));
    Table table{.columns = {{"step", whole()}, {"bits per held-out character", fixed(2)}}};
    Series curve{.name = "the model", .hue = Hue::held_out};
    const auto ask = [&](std::size_t step) {
        const double bits = bits_per_character(model, corpus, asked);
        table.add({step, bits});
        if (step > 0) curve.add(static_cast<double>(step), bits);  // a logarithmic axis has no 0
        if (step != 0 && step != plan.steps / 2 && step != plan.steps) return;
        Rng chance(1);
        texts.note(fmt::format(
            "After {} steps it writes, the likeliest characters, then characters drawn by chance:", step));
        texts.quote(on_one_line(written(model, "First Citizen:\n", length)));
        texts.quote(on_one_line(written(model, "First Citizen:\n", length, &chance)));
    };
    ask(0);
    hold_interruptions();
    const auto begin = std::chrono::steady_clock::now();
    train_language_model(model, corpus, plan, [&](std::size_t step, double loss) {
        const double seconds =
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                     share = static_cast<double>(step) / static_cast<double>(plan.steps);
        request.tell({"progress",
                      fmt::format("step {} of {}   loss {:.3f}   {:.0f} s left", step, plan.steps, loss,
                                  seconds * (1.0 / share - 1.0)),
                      {{"step", static_cast<double>(step)}, {"loss", loss}}});
        if (std::has_single_bit(step) || step == plan.steps / 2 || step == plan.steps) ask(step);
        return !is_interrupted();
    });
    LineFigure figure{
        .name = "language_model",
        .title = "First it knows how often each character comes, then pairs, then more than triples",
        .panels = {{.x_axis = "step (logarithmic)",
                    .y_axis = "bits per held-out character",
                    .log_x = true,
                    .series = {curve}}},
        .caption =
            "The held-out bits of the model at steps 1, 2, 4 and so on. Each line is a table of counts of "
            "the same text: of "
            "single characters (unigram), of pairs, of triples and of fives."};
    const std::span<const std::int64_t> ids(corpus.ids);
    for (std::size_t n = 1; n <= 5; ++n) {
        constexpr const char* names[] = {"unigram", "bigram", "trigram", "4-gram", "5-gram"};
        const CharacterNgrams counts(ids.first(corpus.held_out_from), corpus.tokenizer.size(), n);
        const double bits = bits_per_character(counts, ids, corpus.held_out_from,
                                               std::min(ids.size(), corpus.held_out_from + asked));
        table.add({names[n - 1], bits});
        if (n != 4) figure.panels[0].limits.push_back({.from = bits, .name = names[n - 1]});
    }
    table.totals = 5;
    report.add(table);
    report.add(std::move(texts));
    report.add(figure);
    return report;
}

}  // namespace

Sections language_model_sections() {
    return {{"text-batches", "Windows of a text", show_windows, {}, Level::deeper},
            {"language-model",
             "A language model, trained in minutes",
             show_language_model,
             {options::steps},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
