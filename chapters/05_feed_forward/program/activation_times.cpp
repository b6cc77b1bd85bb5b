// chapters/05_feed_forward/program/activation_times.cpp · the time of each activation, beside a copy and beside the network around it
#include <fmt/format.h>

#include <functional>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

Report show_times(const Request& request) {
    constexpr std::size_t tokens = 256, d_model = 768;
    Rng rng(request[options::seed]);
    const NoGrad no_grad;
    const FeedForward network(d_model, 4 * d_model, rng);
    const Tensor x(rng.normal_array({tokens, d_model})), raised = network.up(x);
    std::vector<std::function<void()>> calls{[&] { (void)Tensor(raised.array()); },
                                             [&] { (void)network.down(network.up(x)); }};
    for (const NamedActivation& each : all_activations)
        calls.push_back([&] { (void)activate(each.activation, raised); });
    const Rounds rounds = measure_in_turns(calls);
    Seconds hundredths = rounds[1];
    for (double& each : hundredths) each /= 100.0;
    Report report;
    report.note(fmt::format("{} x {} numbers, on one core", tokens, 4 * d_model));
    Table table{.columns = {{"activation"},
                            {"time", significant(3), "us"},
                            {"against a copy", ratios()},
                            {"of the time of up and down", significant(3), "%"}}};
    for (std::size_t i = 0; i < all_activations.size(); ++i) {
        const Seconds& seconds = rounds[i + 2];
        table.add({all_activations[i].name, ratio(seconds, Seconds(seconds.size(), 1e-6)),
                   ratio(seconds, rounds[0]), ratio(seconds, hundredths)});
    }
    report.add(table);
    return report;
}

}  // namespace

Sections activation_times_sections() {
    return {{"activation-times",
             "What an activation costs (times differ from run to run)",
             show_times,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
