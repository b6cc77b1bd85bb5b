// chapters/13_long_inputs/models/long_attention.hpp · all blocks of a head, other ways to the same numbers; a ring of machines
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

// What the queries of a text see.
[[nodiscard]] Visible sees_all(std::size_t queries, std::size_t keys);
[[nodiscard]] Visible sees_earlier(std::size_t size);                     // causal: the keys up to itself
[[nodiscard]] Visible sees_window(std::size_t size, std::size_t window);  // the newest `window` of these
[[nodiscard]] Visible sees_prefix(std::size_t size,
                                  std::size_t prefix);  // causal, and the whole prefix from the beginning
[[nodiscard]] Visible sees_documents(const std::vector<std::size_t>& lengths);  // causal within each document

// q, k, v drawn at random.
[[nodiscard]] Head drawn_head(std::size_t size, std::size_t width, std::uint64_t seed);

struct LongOutput {
    Matrix output;      // (query, d_v)
    std::size_t tiles;  // computed
};
// attention_in_tiles, block after block, on all cores.
[[nodiscard]] LongOutput attend_in_tiles(const Head& head, const Visible& visible);
// The same as a model needs it, on the tape: q (batch, heads, query, d_k), k (batch, heads, key, d_k), v (batch, heads, key, d_v) ->
// (batch, heads, query, d_v). Backward by attention_gradient. The caller has checked q, k and v; ShapeError if the mask does not
// broadcast to (batch, heads, query, key), ValueError if it leaves a query more than one run of keys.
[[nodiscard]] Tensor attend_on_tape(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const std::optional<Mask>& mask);
// add_key, key after key: a query at a time.
[[nodiscard]] Matrix attend_key_by_key(const Head& head, const Visible& visible);

// --- a ring of machines, causal

struct Ring {
    Matrix output;
    std::vector<std::vector<std::size_t>> pairs;           // (round, machine): how many keys its queries saw
    std::size_t most_positions = 0, fewest_positions = 0;  // that a machine keeps

    // How long all rounds last, as a multiple of what it would be if all machines were busy all the time.
    [[nodiscard]] double waiting() const;
};
using MachineOf = std::function<std::size_t(std::size_t position, std::size_t length, std::size_t machines)>;
// In round r, machine m meets the keys of machine m - r. ValueError if a position is on no machine.
[[nodiscard]] Ring ring_attention(const Head& head, std::size_t machines, const MachineOf& where);

}  // namespace tfs
