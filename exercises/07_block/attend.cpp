// Step 7.1 · attend · ●●● · 20 min
// exercises/07_block/attend.cpp · check yours with ./tutorial check 7.1
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/checks.hpp"

namespace tfs {

KeysValues AttentionSublayer::keys_values(const Tensor& x, std::size_t offset) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: Project x by w_k and by w_v and split both into heads, as in step multi_head_attention. Where there is a
    // `rotary`, `apply_rotary` turns the keys, with this sublayer's `layout`, by the positions offset, offset + 1, …; the values stay as they
    // are.
    throw NotImplemented("7.1 attend");
}

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: Make the queries of x: w_q, heads, and with a `rotary` turned (`layout`) by the positions from pass.offset on. Let them
    // attend to what is given, with the mask, the rate `dropout` and pass.rng (step attention_with_dropout). Merge the heads,
    // project them by w_o, and return the weights as they are.
    throw NotImplemented("7.1 attend");
}

}  // namespace tfs
