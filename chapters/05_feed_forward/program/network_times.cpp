// chapters/05_feed_forward/program/network_times.cpp · the times of feed-forward networks of several widths
#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/05_feed_forward/program/network_sizes.hpp"
#include "chapters/05_feed_forward/program/sections.hpp"

namespace tfs {

namespace {

constexpr std::size_t timed_width = 256, timed_tokens = 512;

// The times of `networks` and of `reference` in turns. Prints a row for each network.
void time_networks(Show& show, const std::vector<NetworkSize>& networks, const NetworkSize& reference,
                   const Tensor& x) {
    std::vector<std::function<void()>> calls{[&] { (void)reference.call(x); }};
    for (const NetworkSize& network : networks) calls.push_back([&] { (void)network.call(x); });
    const Rounds rounds = measure_in_turns(calls);
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const Seconds& seconds = rounds[i + 1];
        const double gigaflop = 2e-9 * static_cast<double>(networks[i].weights * timed_tokens);
        fmt::print(show.out, "{:<18} {:>6} {:>10} {:>10} {:>24}\n", networks[i].name, networks[i].d_ff,
                   median_text(ratio(seconds, Seconds(seconds.size(), 1e-3))),
                   median_text(rate(gigaflop, seconds)), ratio_text(ratio(seconds, rounds[0])));
    }
}

}  // namespace

void measure_times(Show& show) {
    Rng rng(show.options.seed);
    const NoGrad no_grad;
    const Tensor x(rng.normal_array({1, timed_tokens, timed_width}));
    fmt::print(show.out, "{:<18} {:>6} {:>10} {:>10} {:>24}\n", "width 256, one core", "d_ff", "time, ms",
               "GFLOP/s", "against ratio 4");
    const std::vector<NetworkSize> plain = feed_forward_sizes(timed_width, rng);
    time_networks(show, plain, plain[2], x);
    time_networks(show, swiglu_sizes(timed_width, rng), plain[2], x);
}

}  // namespace tfs
