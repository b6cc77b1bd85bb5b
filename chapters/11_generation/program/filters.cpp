// chapters/11_generation/program/filters.cpp · the probabilities of the next token under five settings, and what a temperature does to a text
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

struct Filter {
    const char* name;
    Sampling sampling;
};

Report show_filters(const Request&) {
    const std::vector<std::string> words{"cat", "dog", "mat", "sky"};
    // The probabilities are 8/16, 4/16, 2/16, 2/16.
    const std::vector<float> logits{std::log(8.0f), std::log(4.0f), std::log(2.0f), std::log(2.0f)};
    Table table{.columns = {{"token"}, {"logit", fixed(2)}}};
    std::vector<std::vector<Cell>> rows;
    for (std::size_t token = 0; token < words.size(); ++token) rows.push_back({words[token], logits[token]});
    for (const auto& [name, sampling] : std::vector<Filter>{{"softmax", {}},
                                                            {"temperature 0.5", {.temperature = 0.5}},
                                                            {"top-k 3", {.top_k = 3}},
                                                            {"top-p 0.7", {.top_p = 0.7}},
                                                            {"min-p 0.6", {.min_p = 0.6}}}) {
        table.columns.push_back({name, fixed(3)});
        const std::vector<double> p = token_probabilities(logits, sampling);
        for (std::size_t token = 0; token < words.size(); ++token) rows[token].emplace_back(p[token]);
    }
    for (const std::vector<Cell>& row : rows) table.add(row);
    Report report;
    report.add(table);
    return report;
}

constexpr std::size_t tokens_shown = 6;
const std::vector<Filter> filters{{"softmax", {}},
                                  {"temperature 0.5", {.temperature = 0.5}},
                                  {"top-k 3", {.top_k = 3}},
                                  {"top-p 0.8", {.top_p = 0.8}},
                                  {"min-p 0.1", {.min_p = 0.1}}};

Report show_next(const Request& request) {
    const Writer writer = asked_writer(request);
    const NoGrad no_grad;
    const Tensor logits = writer.model().logits(one_row(writer.prompt), {});
    const std::vector<float> last = logits_at(logits, 0, logits.size(1) - 1);
    std::vector<std::size_t> shown = largest_first(last);
    shown.resize(std::min(tokens_shown, shown.size()));
    std::vector<std::vector<double>> all;
    for (const Filter& filter : filters) all.push_back(token_probabilities(last, filter.sampling));
    BarPanel panel{.title = "share of each character", .value_axis = "", .share = true};
    for (const std::size_t token : shown) {
        const std::string label = visible(writer.trained->tokenizer.token(static_cast<std::int64_t>(token)));
        panel.parts.push_back({label});
    }
    panel.parts.push_back({"others"});
    for (std::size_t f = 0; f < filters.size(); ++f) {
        Bar bar{filters[f].name};
        for (const std::size_t token : shown) bar.values.push_back(all[f][token]);
        bar.values.push_back(std::max(0.0, 1.0 - std::accumulate(bar.values.begin(), bar.values.end(), 0.0)));
        panel.bars.push_back(bar);
    }
    const std::string prompt = with_pilcrows(writer.text);
    Report report;
    report.note(fmt::format("The figure shows it for the next character after \"{}\".", prompt));
    report.add(BarFigure{
        .name = "filters",
        .title = "A low temperature favours the likely tokens; top-k, top-p and min-p remove "
                 "the unlikely",
        .panels = {panel},
        .caption =
            fmt::format("Each bar is the distribution of the next character after \"{}\" (¶ is a new "
                        "line), with one setting alone. What top-k, top-p and min-p (step sample) remove "
                        "is shared among the tokens that stay.",
                        prompt)});
    return report;
}

// --- one prompt, five settings

struct Setting {
    const char* name;
    GenerationOptions options;
};

Report show_settings(const Request& request) {
    const Writer writer = character_writer("First Citizen:\n");
    constexpr std::size_t characters = 140;
    const std::vector<Setting> settings{
        {"the likeliest (greedy)", {.sampling = {.temperature = 0.0}}},
        {"the likeliest, penalty 1.2",
         {.sampling = {.temperature = 0.0}, .rules = {repetition_penalty(1.2)}}},
        {"drawn", {}},
        {"drawn, temperature 0.5", {.sampling = {.temperature = 0.5}}},
        {"drawn, top-p 0.8", {.sampling = {.top_p = 0.8}}}};
    Table table{.columns = {{"setting"}, {"text"}}};
    for (auto [name, options] : settings) {
        options.new_tokens = characters;
        Rng rng(request[options::seed]);
        table.add({name, with_pilcrows(writer.trained->tokenizer.decode(
                             write_text(writer.model(), writer.prompt, options, rng).tokens))});
    }
    Report report;
    report.add(table);
    return report;
}

// --- temperatures

constexpr std::size_t texts = 4, length = 200, asked = 20'000;

// The share of different ones among all sequences of n tokens.
double distinct(const std::vector<Generated>& written, std::size_t n) {
    std::set<TokenIds> different;
    std::size_t all = 0;
    for (const Generated& text : written)
        for (std::size_t begin = 0; begin + n <= text.tokens.size(); ++begin, ++all)
            different.insert({text.tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                              text.tokens.begin() + static_cast<std::ptrdiff_t>(begin + n)});
    return static_cast<double>(different.size()) / static_cast<double>(all);
}

// -log2 p of the held-out characters at each temperature: the last quarter of each window is asked.
std::vector<double> bits_at(const Writer& writer, const Corpus& corpus,
                            const std::vector<double>& temperatures) {
    const NoGrad no_grad;
    std::vector<double> bits(temperatures.size(), 0.0);
    std::size_t count = 0;
    for (const Example& window : scoring_windows(corpus, writer.trained->config.max_len, asked)) {
        const Tensor logits = writer.model().logits(one_row(window.input), {});
        for (std::size_t t = 0; t < window.target.size(); ++t) {
            if (window.target[t] == ignored) continue;
            const std::vector<float> one = logits_at(logits, 0, t);
            for (std::size_t i = 0; i < temperatures.size(); ++i) {
                const std::vector<double> p = token_probabilities(one, {.temperature = temperatures[i]});
                bits[i] -= std::log2(p[static_cast<std::size_t>(window.target[t])]);
            }
            ++count;
        }
    }
    for (double& one : bits) one /= static_cast<double>(count);
    return bits;
}

Report show_temperatures(const Request& request) {
    const Writer writer = character_writer("First Citizen:");
    const Corpus corpus = read_corpus(shipped_corpus(), writer.trained->config.max_len);
    const std::vector<double> temperatures{0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5};
    const std::vector<double> bits = bits_at(writer, corpus, temperatures);
    Table table{.columns = {{"temperature", fixed(1)},
                            {"different 4-grams written", fixed(2)},
                            {"bits per held-out character", fixed(2)}}};
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        request.tell({"progress", fmt::format("temperature {}", temperatures[i])});
        std::vector<Generated> written;
        for (std::size_t text = 0; text < texts; ++text) {
            Rng rng(request[options::seed] + text);
            written.push_back(write_text(writer.model(), writer.prompt,
                                         {.new_tokens = length, .sampling = {.temperature = temperatures[i]}},
                                         rng));
        }
        table.add({temperatures[i], distinct(written, 4), bits[i]});
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "{} texts of {} characters for each temperature; the share of sequences of 4 characters that "
        "occur for the first time. Bits: how surprised the model is by the held-out text.",
        texts, length));
    return report;
}

}  // namespace

Sections filters_sections() {
    return {{"settings",
             "After \"First Citizen:¶\" (¶ is a new line), under five settings",
             show_settings,
             {options::seed}},
            {"next-token",
             "What may come next, before and after each filter",
             show_next,
             {options::model, options::prompt, options::tokens}},
            {"by-hand", "By hand: four tokens", show_filters},
            {"temperatures",
             "A temperature changes variety, and the fit to real text",
             show_temperatures,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
