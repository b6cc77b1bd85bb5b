// chapters/02_masks/program/growing_text.cpp · one masked pass over a text against a pass over each of its beginnings
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/02_masks/models/growing_text_rows.hpp"
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

// "0 to 4, 9"
std::string rows_that_are_equal(const std::vector<float>& differences) {
    std::vector<std::string> ranges;
    for (std::size_t row = 0; row < differences.size(); ++row) {
        if (differences[row] > equal_rows_differ_by) continue;
        const std::size_t first = row;
        while (row + 1 < differences.size() && differences[row + 1] <= equal_rows_differ_by) ++row;
        ranges.push_back(first == row ? fmt::format("{}", row) : fmt::format("{} to {}", first, row));
    }
    return fmt::format("{}", fmt::join(ranges, ", "));
}

std::string at_most(double difference) {
    return difference <= equal_rows_differ_by ? "at most 1e-5" : fmt::format("{:.2g}", difference);
}

Report show_growing_text(const Request& request) {
    Table rows{.columns = {{"mask"},
                           {"equal rows", whole(fmt::format(" of {}", tokens_of_growing_text))},
                           {"which"}}};
    for (const GrowingTrial& trial : growing_trials()) {
        const std::vector<float> differences = growing_differences(trial, request[options::seed]);
        rows.add({trial.name, equal_rows(differences), rows_that_are_equal(differences)});
    }
    Table scores{.columns = {{"tokens", whole()},
                             {"scores of one pass", whole()},
                             {"of all beginnings", whole()},
                             {"with a cache", whole()}}};
    CausalPasses passes;
    for (const std::size_t tokens : {tokens_of_growing_text, 10 * tokens_of_growing_text}) {
        passes = causal_passes(tokens, request[options::seed]);
        scores.add({tokens, passes.one_pass, passes.all_beginnings, passes.with_cache});
    }
    Report report;
    report.add(rows);
    report.add(scores);
    report.note(fmt::format("Rows of the one pass and rows with a cache differ by {}.",
                            at_most(passes.cache_difference)));
    report.note(fmt::format(
        "Gradients of the one pass and of all beginnings together differ by {} of the largest one.",
        at_most(passes.gradient_difference)));
    return report;
}

}  // namespace

Sections growing_text_sections() {
    return {{"growing-text",
             "Which rows of one pass equal the last row of a pass over their beginning?",
             show_growing_text,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
