// Step 3.5 · rotary_attention · ●○○ · 5 min
// exercises/03_positional_encoding/rotary_attention.cpp · check yours with ./tutorial check 3.5
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, std::size_t offset) {
    // TODO 3.5: Turn what is compared, leave what is summed: queries by their positions, which begin at `offset`, keys by
    // theirs, which begin at 0. Then attend as in chapter 01.
    throw NotImplemented("3.5 rotary_attention");
}

}  // namespace tfs
