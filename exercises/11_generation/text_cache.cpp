// Step 11.2 · text_cache · ●●● · 30 min
// exercises/11_generation/text_cache.cpp · check yours with ./tutorial check 11.2
#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "common/nn/keys_values.hpp"

namespace tfs {

KeysValues TextCache::append(std::size_t layer, const KeysValues& own) {
    require_append(*this, layer, own);
    // TODO 11.2: `layers` has an entry for each layer that was read; the first time, this one is not there yet (contains, emplace, at: a
    // KeysValues needs its .keys and .values from the start). The new tokens come behind those that are kept: concat({a, b}, axis) of
    // chapter 00 joins two tensors.
    throw NotImplemented("11.2 text_cache");
}

void TextCache::drop(std::size_t newest) {
    require_drop(*this, newest);
    // TODO 11.2: In every layer. slice(x, axis, begin, end) of chapter 00 keeps a part.
    throw NotImplemented("11.2 text_cache");
}

Tensor cached_attention(TextCache& cache, std::size_t layer, const Tensor& q, const Tensor& k,
                        const Tensor& v, const RotaryEmbedding& angles, RotaryLayout layout) {
    require_cached_attention(q, k, v);
    [[maybe_unused]] const std::size_t seq = q.size(2);
    [[maybe_unused]] const std::size_t earlier = cache.lengths(layer).largest();  // tokens of the text before
    // TODO 11.2: The lines of your block of chapter 09, with a cache: where in the text do these tokens begin, which keys and values
    // do they attend to, and which of them may each query see?
    throw NotImplemented("11.2 text_cache");
}

}  // namespace tfs
