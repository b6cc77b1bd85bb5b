// chapters/11_generation/program/cache_at_work.cpp · what the model reads in each pass, with and without a cache
#include <fmt/format.h>

#include "chapters/11_generation/program/options.hpp"
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
            panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                    .from_x = static_cast<double>(i) + 0.06,
                                    .from_y = top - 0.94,
                                    .to_x = static_cast<double>(i) + 0.94,
                                    .to_y = top - 0.06,
                                    .hue = Hue::key,
                                    .light = kept});
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
    Report report;
    std::vector<std::string> labels;
    for (const std::int64_t id : writer.prompt)
        labels.push_back(visible(writer.trained->tokenizer.token(id)));
    LanguageModel model = writer.model();
    Table table{.columns = {{"pass"},
                            {"tokens read", whole()},
                            {"at position", whole()},
                            {"keys and values after it", whole()},
                            {"next"}}};
    const auto read = model.logits;
    std::vector<std::pair<std::size_t, std::size_t>> seen;  // tokens, position
    model.logits = [&](const Ids& tokens, const Pass& pass) {
        seen.emplace_back(tokens.size(), pass.offset[0]);
        return read(tokens, pass);
    };
    std::vector<Rng> rngs{Rng(1)};
    std::vector<std::string> written;
    (void)generate(model, {writer.prompt},
                   {.new_tokens = passes,
                    .sampling = {.temperature = 0.0},
                    .on_token =
                        [&](std::size_t, std::int64_t token) {
                            written.push_back(visible(writer.trained->tokenizer.token(token)));
                            return true;
                        }},
                   rngs);
    for (std::size_t i = 0; i < seen.size(); ++i)
        table.add(
            {name_of_pass(i), seen[i].first, seen[i].second, seen[i].first + seen[i].second, written[i]});
    report.note(fmt::format("The prompt is \"{}\", and the likeliest character is taken.", prompt));
    report.add(table);
    labels.insert(labels.end(), written.begin(), written.end() - 1);
    report.add(cache_figure(labels, writer.prompt.size()));
    return report;
}

}  // namespace

Sections cache_at_work_sections() { return {{"cache", "What each pass reads", show_cache}}; }

}  // namespace tfs
