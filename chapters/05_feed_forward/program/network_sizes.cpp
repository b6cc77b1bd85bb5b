// chapters/05_feed_forward/program/network_sizes.cpp · feed-forward networks of several widths, and their parameters
#include "chapters/05_feed_forward/program/network_sizes.hpp"
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/05_feed_forward/feed_forward.hpp"

namespace tfs {

std::vector<NetworkSize> feed_forward_sizes(std::size_t d, Rng& rng) {
    std::vector<NetworkSize> sizes;
    for (const std::size_t ratio : {1u, 2u, 4u, 8u}) {
        const std::size_t d_ff = ratio * d;
        const FeedForward layer(d, d_ff, rng);
        sizes.push_back({fmt::format("plain, ratio {}", ratio), d_ff, 2 * d * d_ff,
                         count_parameters(layer.parameters()), layer});
    }
    return sizes;
}

std::vector<NetworkSize> swiglu_sizes(std::size_t d, Rng& rng) {
    std::vector<NetworkSize> sizes;
    for (const bool reduced : {false, true}) {
        const std::size_t d_ff = reduced ? swiglu_hidden_size(4 * d, 64) : 4 * d;
        const SwiGLU layer(d, d_ff, rng);
        sizes.push_back({reduced ? "SwiGLU, 2/3 of 4" : "SwiGLU, ratio 4", d_ff, 3 * d * d_ff,
                         count_parameters(layer.parameters()), layer});
    }
    return sizes;
}

void show_sizes(Show& show) {
    constexpr std::size_t d = 768, attention = 4 * (d * d + d);
    Rng rng(show.options.seed);
    fmt::print(show.out, "{:<18} {:>6} {:>12} {:>16} {:>20}\n", "network", "d_ff", "parameters",
               "MFLOP per token", "share of a block, %");
    const auto row = [&](const NetworkSize& size) {
        const double share =
            static_cast<double>(size.counted) / static_cast<double>(size.counted + attention);
        fmt::print(show.out, "{:<18} {:>6} {:>12} {:>16.2f} {:>20.1f}\n", size.name, size.d_ff, size.counted,
                   2e-6 * static_cast<double>(size.weights), 100 * share);
    };
    for (const NetworkSize& size : feed_forward_sizes(d, rng)) row(size);
    for (const NetworkSize& size : swiglu_sizes(d, rng)) row(size);
    const std::size_t in_twelve = 12 * (2 * d * 4 * d + 4 * d + d);
    const auto share = [&](std::size_t whole) {
        return 100.0 * static_cast<double>(in_twelve) / static_cast<double>(whole);
    };
    fmt::print(show.out,
               "  12 networks of ratio 4: {} parameters, {:.1f} % of GPT-2 small, {:.1f} % of BERT-base\n",
               in_twelve, share(124'439'808), share(109'482'240));
}

}  // namespace tfs
