// chapters/03_positional_encoding/program/token_order.cpp · what another order of the tokens changes, for each way of telling positions
#include "chapters/03_positional_encoding/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <numeric>

#include "chapters/02_masks/masks.hpp"

namespace tfs {

namespace {

using Order = std::vector<std::size_t>;

// Fisher and Yates; a whole turn by one where the draw left everything in place.
Order shuffled(std::size_t count, Rng& rng) {
    Order order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) std::swap(order[i], order[rng.below(i + 1)]);
    if (std::is_sorted(order.begin(), order.end()))
        std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
}

Tensor rows_in_order(const Tensor& x, const Order& order) {
    std::vector<Tensor> rows;
    for (const std::size_t i : order) rows.push_back(slice(x, 1, i, i + 1));
    return concat(rows, 1);
}

}  // namespace

void measure_orders(Show& show, const PositionedAttention& layer, const Tensor& x) {
    const std::size_t seq = x.size(1);
    if (seq == 1) {
        show.out << "  One token has one order: nothing to compare.\n";
        return;
    }
    Rng rng(show.options.seed);
    const Order order = shuffled(seq, rng);
    const bool all_equal =
        largest_difference(slice(x, 1, 1, seq).array(), slice(x, 1, 0, seq - 1).array()) == 0.0;
    const char* const no_order = all_equal ? "equal tokens, equal values: no output can differ"
                                           : "the output is reordered, nothing else";
    const auto row = [&](const char* name, const std::function<Tensor(const Tensor&)>& output) {
        const double difference = largest_difference(output(rows_in_order(x, order)).array(),
                                                     rows_in_order(output(x), order).array());
        fmt::print(show.out, "  {:<36} {:>12}   {}\n", name, small_or_number(difference),
                   difference < 1e-5 ? no_order
                   : all_equal       ? "the positions count"
                                     : "the order counts");
    };
    fmt::print(show.out, "  {} tokens in another order: output(reordered x) against reordered output(x)\n\n",
               seq);
    fmt::print(show.out, "  {:<36} {:>12}\n", "positions", "difference");
    row("none", [&](const Tensor& t) { return layer.plain(t); });
    row("none, but a causal mask", [&](const Tensor& t) { return layer.plain(t, causal_mask(seq)); });
    row("sinusoids, added to x", [&](const Tensor& t) { return layer.plain(layer.sinusoids()(t)); });
    row("learned rows, added to x", [&](const Tensor& t) { return layer.plain(layer.learned()(t)); });
    row("rotary, turning q and k", [&](const Tensor& t) { return layer.with_rotary(t); });
    row("ALiBi, added to the scores", [&](const Tensor& t) { return layer.with_alibi(t); });
}

}  // namespace tfs
