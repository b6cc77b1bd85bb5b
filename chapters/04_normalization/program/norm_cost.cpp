// chapters/04_normalization/program/norm_cost.cpp · parameters of the norms, and their time beside that of a copy
#include <fmt/format.h>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Report show_cost(const Request& request) {
    constexpr std::size_t tokens = 1024, d_model = 768;
    Rng rng(request[options::seed]);
    const Tensor x(rng.normal_array({tokens, d_model}));
    const LayerNorm layer(d_model);
    const RMSNorm root(d_model);
    const NoGrad no_grad;
    const Rounds rounds =
        measure_in_turns({[&] { (void)Tensor(x.array()); }, [&] { (void)layer(x); }, [&] { (void)root(x); }});
    Table table{.columns = {{""},
                            {fmt::format("parameters at d = {}", d_model), whole()},
                            {"time", significant(3), "us"},
                            {"against the copy", ratios()}}};
    const auto add = [&](const char* name, std::size_t parameters, const Seconds& seconds) {
        table.add(
            {name, parameters, ratio(seconds, Seconds(seconds.size(), 1e-6)), ratio(seconds, rounds[0])});
    };
    add("a copy of x", 0, rounds[0]);
    add("LayerNorm", count_parameters(layer.parameters()), rounds[1]);
    add("RMSNorm", count_parameters(root.parameters()), rounds[2]);
    Report report;
    report.note(fmt::format("{} tokens, on one core", tokens));
    report.add(table);
    return report;
}

}  // namespace

Sections norm_cost_sections() {
    return {{"cost",
             "Parameters, and time (times differ from run to run)",
             show_cost,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
