// Step 6.5 · attention_with_dropout · ●●○ · 15 min
// exercises/06_residual_dropout/attention_with_dropout.cpp · check yours with ./tutorial check 6.5
#include "chapters/06_residual_dropout/given/checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const MultiHeadAttention& attention, const Tensor& query,
                                       const Tensor& key, const Tensor& value,
                                       const std::optional<Mask>& mask, double p, Rng* rng) {
    require_rate("attention_with_dropout", p);
    // TODO 6.5: In evaluation and with p = 0: attention as it is. Else project and split as in step
    // multi_head_attention, take the *weights* of scaled_dot_product_attention, drop some of them, and only then
    // multiply by the values; merge the heads and project by w_o. Return the weights that were used. (attention.w_q … and attention.num_heads are the
    // parts of the layer.)
    throw NotImplemented("6.5 attention_with_dropout");
}

}  // namespace tfs
