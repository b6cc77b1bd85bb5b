// Step 11.2 · text_cache · ●●● · 30 min
// solutions/11_generation/text_cache.cpp
#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "common/nn/keys_values.hpp"

namespace tfs {

KeysValues TextCache::append(std::size_t layer, const KeysValues& own) {
    require_append(*this, layer, own);
    // begin: `layers` has an entry for each layer that was read; the first time, this one is not there yet (contains, emplace, at: a
    // KeysValues needs its .keys and .values from the start). The new tokens come behind those that are kept: concat({a, b}, axis) of
    // chapter 00 joins two tensors.
    if (!layers.contains(layer)) {
        layers.emplace(layer, own);
    } else {
        KeysValues& kept = layers.at(layer);
        kept = {concat({kept.keys, own.keys}, 2), concat({kept.values, own.values}, 2)};
    }
    return layers.at(layer);
    // end
}

void TextCache::drop(std::size_t newest) {
    require_drop(*this, newest);
    // begin: In every layer. slice(x, axis, begin, end) of chapter 00 keeps a part.
    for (auto& [layer, kept] : layers) {
        const std::size_t stay = kept.keys.size(2) - newest;
        kept = {slice(kept.keys, 2, 0, stay), slice(kept.values, 2, 0, stay)};
    }
    // end
}

Tensor cached_attention(TextCache& cache, std::size_t layer, const Tensor& q, const Tensor& k,
                        const Tensor& v, const RotaryEmbedding& angles, RotaryLayout layout) {
    require_cached_attention(q, k, v);
    [[maybe_unused]] const std::size_t seq = q.size(2);
    [[maybe_unused]] const std::size_t earlier = cache.lengths(layer).largest();  // tokens of the text before
    // begin: The lines of your block of chapter 09, with a cache: where in the text do these tokens begin, which keys and values
    // do they attend to, and which of them may each query see?
    const Tensor turned_q = apply_rotary(q, angles, layout, earlier);
    const Tensor turned_k = apply_rotary(k, angles, layout, earlier);
    const KeysValues all = cache.append(layer, {turned_k, v});
    const Mask mask = causal_mask(seq, earlier + seq, earlier);
    return scaled_dot_product_attention(turned_q, all.keys, all.values, mask).output;
    // end
}

}  // namespace tfs
