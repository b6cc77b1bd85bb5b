// chapters/10_training/program/experiment_first_tests.cpp · before a long training: the first loss, and one batch by heart
//
// Run it: ./tutorial run 10 --mine -- --experiment first_tests
#include <fmt/format.h>

#include <cmath>

#include "chapters/10_training/models/first_tests.hpp"
#include "chapters/10_training/program/experiments.hpp"

namespace tfs {

namespace {

Report test_first(const Request& request) {
    const FirstTests tests = first_tests(request[options::seed], [&](std::size_t step, double loss) {
        request.tell(
            {"progress", fmt::format("step {} of {}   loss {:.4f}", step, steps_of_first_tests, loss), {}});
    });
    Table table{.columns = {{"steps on one batch", whole()}, {"loss", fixed(3)}, {"gradient", fixed(3)}}};
    for (std::size_t step = 0; step <= steps_of_first_tests; step += 20)
        table.add({step, tests.steps[step].loss, tests.steps[step].gradient_norm});
    Report report;
    report.note(fmt::format(
        "A new reader of dates, and {0} dates. A guess among {1} characters costs ln {1} = {2:.2f}.",
        rows_of_first_tests, tests.vocab, std::log(tests.vocab)));
    report.add(table);
    return report;
}

}  // namespace

Sections experiment_first_tests_sections() {
    return {{"first_tests",
             "Before a training: the first loss, and one batch",
             test_first,
             {options::seed},
             Level::experiment}};
}

}  // namespace tfs
