// Step 7.1 · attend · ●●● · 20 min
// exercises/07_block/attend.cpp · check yours with ./tutorial check 7.1
#include "chapters/01_attention/attention.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

KeysValues AttentionSublayer::keys_values(const Tensor& x, const Offset& offset) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: The keys and values of x, in `kv_heads` heads; with rotary positions where there is a `rotary`.
    throw NotImplemented("7.1 attend");
}

AttentionOutput AttentionSublayer::attend(const Tensor& x, const KeysValues& given,
                                          const std::optional<Mask>& mask, const Pass& pass) const {
    require_block_input("AttentionSublayer", x, attention.w_q.weight.size(1));
    // TODO 7.1: The queries of x attend to the keys and values that are given, in training with dropout on the weights.
    // `repeat_heads` (step grouped_queries, the next one) makes as many heads of keys and values as there are of queries.
    throw NotImplemented("7.1 attend");
}

}  // namespace tfs
