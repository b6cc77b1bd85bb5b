// chapters/11_generation/program/cache.cpp · what the model reads in each pass with a cache and without, and the time that it saves
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/whole_model.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/io/weights.hpp"
#include "common/measure.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr const char* prompt = "To be";
constexpr std::size_t passes = 4;

std::string name_of_pass(std::size_t pass) { return pass == 0 ? "prefill" : fmt::format("decode {}", pass); }

// A row for each pass, a column for each position: what it computes is dark, what the cache keeps is light.
PlanePanel panel_of(const std::string& title, const std::vector<std::string>& labels, std::size_t first,
                    bool cached) {
    const auto width = static_cast<double>(labels.size());
    const auto height = static_cast<double>(passes);
    PlanePanel panel{.title = title, .low_x = -2.2, .high_x = width, .low_y = -height, .high_y = 0.9};
    for (std::size_t i = 0; i < labels.size(); ++i) panel.text(static_cast<double>(i) + 0.5, 0.45, labels[i]);
    for (std::size_t pass = 0; pass < passes; ++pass) {
        const double top = -static_cast<double>(pass);
        panel.text(-1.1, top - 0.5, name_of_pass(pass));
        for (std::size_t i = 0; i < first + pass; ++i) {
            const bool kept = cached && pass > 0 && i + 1 < first + pass;
            const auto x = static_cast<double>(i);
            panel.rectangle(x + 0.06, top - 0.94, x + 0.94, top - 0.06, Hue::key).light = kept;
        }
    }
    return panel;
}

PlaneFigure cache_figure(const std::vector<std::string>& labels, std::size_t first) {
    return {
        .name = "cache",
        .title = "Without a cache each pass computes every position; with one, only the new one",
        .panels = {panel_of("without a cache", labels, first, false),
                   panel_of("with a cache", labels, first, true)},
        .caption =
            "Each row is a pass of the model, each column a character; ␣ is a space. Dark: keys and values "
            "that are computed in this pass. Light: kept from earlier passes, and only read."};
}

Report show_cache(const Request&) {
    const Writer writer = character_writer(prompt);
    Rng rng(1);
    TokenIds text = writer.prompt;
    const Generated written =
        write_text(writer.model(), text, {.new_tokens = passes - 1, .sampling = {.temperature = 0.0}}, rng);
    text.insert(text.end(), written.tokens.begin(), written.tokens.end());
    std::vector<std::string> labels;
    for (const std::int64_t id : text) labels.push_back(visible(writer.trained->tokenizer.token(id)));
    Report report;
    report.note(fmt::format("The prompt is \"{}\", and the likeliest character is taken.", prompt));
    report.add(cache_figure(labels, writer.prompt.size()));
    return report;
}

// --- the same text twice

// The page of chapter 09 with the trained weights, and what follows this text.
struct Page {
    TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    Gpt gpt{trained};
};

struct TimedText {
    TokenIds text;
    double seconds = 0.0;
};

// `scores` gets all that is written so far, and returns the logits of the newest token.
TimedText written_by(const std::function<Tensor(std::span<const std::int64_t>)>& scores, TokenIds text,
                     std::size_t count, Rng rng) {
    const double begin = steady_seconds();
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor logits = scores(text);
        const auto last = logits_at(logits, 0, logits.size(1) - 1);
        text.push_back(sample(token_probabilities(last, {.temperature = 0.8}), rng));
    }
    return {text, steady_seconds() - begin};
}

Report show_twice(const Request& request) {
    const NoGrad no_grad;
    const Page page;
    const Ids ids = page.trained.tokenizer.encode("First Citizen:\nW");
    const TokenIds begin(ids.begin(), ids.end());
    constexpr std::size_t count = 200;
    const Rng rng(request[options::seed]);
    const TimedText without =
        written_by([&](std::span<const std::int64_t> text) { return page.gpt(one_row(text)).back(); }, begin,
                   count, rng);
    TextCache cache;
    const TimedText with = written_by(
        [&](std::span<const std::int64_t> text) {
            return cached_logits(page.gpt, one_row(text.subspan(cache.length())), cache);
        },
        begin, count, rng);
    // The text is read again in one pass: is the likeliest character the one that was drawn?
    const Tensor again = page.gpt(one_row(with.text)).back();
    std::size_t likeliest = 0;
    for (std::size_t t = begin.size(); t < with.text.size(); ++t)
        likeliest +=
            static_cast<std::size_t>(with.text[t]) == largest_first(logits_at(again, 0, t - 1))[0] ? 1 : 0;
    Report report;
    report.note(
        with.text == without.text
            ? fmt::format(
                  "{} characters after \"First Citizen:¶W\", written twice: letter for letter the same.",
                  count)
            : "The two texts differ: the cache changes what the model computes.");
    report.note(fmt::format("Without a cache {:.2f} s, with one {:.2f} s: {:.0f} times as fast.",
                            without.seconds, with.seconds, without.seconds / std::max(with.seconds, 1e-9)));
    report.note(fmt::format(
        "Read again in one pass, the likeliest next character is the drawn one at {} of {} places.",
        likeliest, count));
    return report;
}

// --- what it saves in time

Report show_times(const Request&) {
    const NoGrad no_grad;
    const Page page;
    Table table{.columns = {{"text so far", whole(), "tokens"},
                            {"with a cache", significant(3), "ms"},
                            {"without", significant(3), "ms"},
                            {"without / with", ratios()}}};
    for (std::size_t length = 16; length < page.gpt.config.max_len(); length *= 2) {
        const TokenIds text(length, 1);  // which tokens they are makes no difference
        TextCache cache;
        const Ids all = one_row(text), last = one_row(std::span(text).last(1));
        (void)cached_logits(page.gpt, one_row(std::span(text).first(length - 1)), cache);
        const Rounds times = measure_in_turns({[&] {
                                                   (void)cached_logits(page.gpt, last, cache);
                                                   cache.drop(1);
                                               },
                                               [&] { (void)page.gpt(all); }});
        table.add({length, 1e3 * quartiles(times[0]).median, 1e3 * quartiles(times[1]).median,
                   ratio(times[1], times[0])});
    }
    Report report;
    report.add(table);
    report.note("The time of one more character, on one core.");
    return report;
}

}  // namespace

Sections cache_sections() {
    return {
        {"cache", "What each pass reads", show_cache, {}, Level::deeper},
        {"twice",
         "The same text without and with a cache (times differ from run to run)",
         show_twice,
         {options::seed}},
        {"times",
         "The time of a token with and without a cache (times differ from run to run)",
         show_times,
         {},
         Level::deeper},
    };
}

}  // namespace tfs
