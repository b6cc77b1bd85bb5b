// chapters/11_generation/program/filters_by_hand.cpp · four tokens, small enough for pencil and paper: temperature and filters
#include <fmt/format.h>

#include <cmath>

#include "chapters/11_generation/program/options.hpp"

namespace tfs {

namespace {

const std::vector<std::string> words{"cat", "dog", "mat", "sky"};
// ln 8, ln 4, ln 2, ln 2: the probabilities are 8/16, 4/16, 2/16, 2/16.
const std::vector<float> logits{std::log(8.0f), std::log(4.0f), std::log(2.0f), std::log(2.0f)};

struct Choice {
    const char* name;
    Sampling sampling;
};
const std::vector<Choice> choices{{"softmax", {}},
                                  {"temperature 0.5", {.temperature = 0.5}},
                                  {"top-k 3", {.top_k = 3}},
                                  {"top-p 0.7", {.top_p = 0.7}},
                                  {"min-p 0.6", {.min_p = 0.6}}};

Report show_filters(const Request&) {
    Table table{.columns = {{"token"}, {"logit", fixed(2)}}};
    std::vector<std::vector<double>> columns;
    for (const Choice& choice : choices) {
        table.columns.push_back({choice.name, fixed(3)});
        columns.push_back(token_probabilities(logits, choice.sampling));
    }
    for (std::size_t token = 0; token < words.size(); ++token) {
        std::vector<Cell> row{words[token], logits[token]};
        for (const std::vector<double>& p : columns) row.emplace_back(p[token]);
        table.add(row);
    }
    Report report;
    report.add(table);
    Rng rng(1);
    const double u = Rng(rng).uniform();
    report.note(fmt::format("From the softmax: the number {:.3f} was drawn, and it falls on \"{}\".", u,
                            words[static_cast<std::size_t>(sample(columns[0], rng))]));
    return report;
}

}  // namespace

Section filters_by_hand() { return {.id = "by-hand", .title = "By hand: four tokens", .run = show_filters}; }

}  // namespace tfs
