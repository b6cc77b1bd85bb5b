// tests/mistakes/02_masks/causal_mask.additive_read_as_boolean.cpp · step 2.2 done wrong
// What the source notes do: 0 / -inf, asked `mask == 0`.
// The checklist must say: "only the future is allowed"
#include <limits>

#include "chapters/02_masks/given/checks.hpp"
#include "chapters/02_masks/masks.hpp"

namespace tfs {

Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset) {
    require_causal_sizes(queries, keys, offset);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Array additive = Array::from_shape({1, 1, queries, keys});
    xt::xarray<bool> allowed = xt::xarray<bool>::from_shape({1, 1, queries, keys});
    for (std::size_t i = 0; i < queries; ++i) {
        for (std::size_t j = 0; j < keys; ++j) {
            additive(0, 0, i, j) = j > i + offset ? -infinity : 0.0f;
            const bool forbidden = additive(0, 0, i, j) == 0.0f;  // as for ones and zeros
            allowed(0, 0, i, j) = !forbidden;
        }
    }
    return Mask(std::move(allowed));  // (1, 1, query, key)
}

Mask causal_mask(std::size_t seq) { return causal_mask(seq, seq, 0); }

}  // namespace tfs
