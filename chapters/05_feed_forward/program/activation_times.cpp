// chapters/05_feed_forward/program/activation_times.cpp · the time of each activation, beside a copy and beside the network around it
#include <fmt/ostream.h>

#include <functional>
#include <vector>

#include "chapters/05_feed_forward/program/activation_curves.hpp"
#include "chapters/05_feed_forward/program/sections.hpp"

namespace tfs {

void measure_activation_times(Show& show) {
    constexpr std::size_t tokens = 256, d_model = 768;
    Rng rng(show.options.seed);
    const NoGrad no_grad;
    const FeedForward network(d_model, 4 * d_model, rng);
    const Tensor x(rng.normal_array({tokens, d_model})), raised = network.up(x);
    std::vector<std::function<void()>> calls{[&] { (void)Tensor(raised.array()); },
                                             [&] { (void)network.down(network.up(x)); }};
    for (const NamedActivation& each : all_activations())
        calls.push_back([&] { (void)activate(each.activation, raised); });
    const Rounds rounds = measure_in_turns(calls);
    fmt::print(show.out, "{:<30} {:>10} {:>24} {:>30}\n", "256 x 3072 numbers, one core", "time, us",
               "against a copy", "of the time of up and down, %");
    for (std::size_t i = 0; i < all_activations().size(); ++i) {
        const Seconds& seconds = rounds[i + 2];
        Seconds hundredths = rounds[1];
        for (double& each : hundredths) each /= 100.0;
        const Quartiles percent = ratio(seconds, hundredths);
        fmt::print(show.out, "{:<30} {:>10} {:>24} {:>30}\n", all_activations()[i].name,
                   median_text(ratio(seconds, Seconds(seconds.size(), 1e-6))),
                   ratio_text(ratio(seconds, rounds[0])), median_text(percent));
    }
}

}  // namespace tfs
