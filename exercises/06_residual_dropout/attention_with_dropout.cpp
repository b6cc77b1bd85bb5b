// Step 6.3 · attention_with_dropout · ●●○ · 10 min
// exercises/06_residual_dropout/attention_with_dropout.cpp · check yours with ./tutorial check 6.3
#include "chapters/01_attention/attention.hpp"
#include "chapters/06_residual_dropout/given/dropout_checks.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

AttentionOutput attention_with_dropout(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const std::optional<Mask>& mask, double p, Rng* rng,
                                       const std::optional<Tensor>& bias, Weights keep) {
    require_rate("attention_with_dropout", p);
    // TODO 6.3: Attention whose weights are dropped before they meet the values. In evaluation and with p = 0 it is plain
    // attention. Return the output and the weights that were used.
    throw NotImplemented("6.3 attention_with_dropout");
}

}  // namespace tfs
