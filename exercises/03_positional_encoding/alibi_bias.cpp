// Step 3.7 · alibi_bias · ●●○ · 10 min
// exercises/03_positional_encoding/alibi_bias.cpp · check yours with ./tutorial check 3.7
#include <fmt/format.h>

#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor alibi_bias(std::size_t num_heads, std::size_t queries, std::size_t keys, std::size_t offset) {
    if (num_heads == 0 || queries == 0 || keys == 0) {
        throw ValueError(
            fmt::format("alibi_bias: {} heads, {} queries, {} keys; there must be at least 1 of each",
                        num_heads, queries, keys));
    }
    require_addressable({num_heads, queries, keys});
    // TODO 3.7: Return the bias of the contract, (1, heads, query, key): a penalty for each head and distance.
    throw NotImplemented("3.7 alibi_bias");
}

}  // namespace tfs
