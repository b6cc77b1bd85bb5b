// chapters/05_feed_forward/program/token_independence.cpp · one token is replaced: what changes in the others, after the network and after attention
#include "chapters/05_feed_forward/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

namespace {

// How many entries of other positions than `changed` differ, in any bit.
std::size_t changed_elsewhere(const Tensor& before, const Tensor& after, std::size_t changed) {
    const std::size_t width = before.size(-1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (i / width != changed && before.values()[i] != after.values()[i]) ++count;
    return count;
}

}  // namespace

void show_independence(Show& show, const Tensor& x, const FeedForward& layer) {
    const std::size_t seq = x.size(1), changed = seq / 2;
    if (seq == 1) {
        show.out << "  One token has no neighbours: give --text at least two words.\n";
        return;
    }
    Rng rng(show.options.seed + 3);
    Array other = x.array();
    for (std::size_t i = 0; i < x.size(-1); ++i)
        other.data()[changed * x.size(-1) + i] = static_cast<float>(rng.normal());
    const Tensor y(std::move(other));
    const MultiHeadAttention attention(x.size(-1), 1, rng);
    const std::size_t entries = (seq - 1) * x.size(-1);
    fmt::print(show.out,
               "  Token {} of {} is replaced. Entries of the other tokens that change, in any bit:\n",
               changed + 1, seq);
    fmt::print(show.out, "  {:<14} {} of {}\n", "feed-forward",
               changed_elsewhere(layer(x), layer(y), changed), entries);
    fmt::print(show.out, "  {:<14} {} of {}\n", "attention",
               changed_elsewhere(attention(x, x, x).output, attention(y, y, y).output, changed), entries);
}

}  // namespace tfs
