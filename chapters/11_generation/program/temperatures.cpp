// chapters/11_generation/program/temperatures.cpp · what a temperature does to a text, and to the surprise at real text
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

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
        const Tensor logits = writer.model().logits(columns({window.input}, 0, window.input.size()), {});
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
        std::vector<Rng> rngs;
        for (std::size_t text = 0; text < texts; ++text) rngs.emplace_back(request[options::seed] + text);
        const auto written =
            generate(writer.model(), std::vector<TokenIds>(texts, writer.prompt),
                     {.new_tokens = length, .sampling = {.temperature = temperatures[i]}}, rngs);
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

Sections temperatures_sections() {
    return {{"temperatures",
             "A temperature changes variety, and the fit to real text",
             show_temperatures,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
