// chapters/00_tensors/program/expression_speed.cpp · what an expression of xtensor costs against a loop over rows
#include "chapters/00_tensors/program/timed/row_loops.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

namespace {

Report show_expression_speed(const Request& request) {
    const Array x = Rng(request[options::seed]).normal_array({512, 256});
    Array y = x;
    Table table{.title = "x (512, 256): how many times as long an expression takes as a loop over rows",
                .columns = {{"written to y"}, {"by xtensor / by a loop (in brackets: the middle half)"}}};
    for (const Twins& twins : expressions_and_loops()) {
        const Rounds rounds =
            measure_in_turns({[&] { twins.expression(x, y); }, [&] { twins.loop(x, y); }}, usual_turns());
        table.add({twins.name, ratio_text(ratio(rounds[0], rounds[1]))});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections expression_speed_sections() {
    return {{"expression-speed",
             "Measured: expressions of xtensor against loops",
             show_expression_speed,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
