// Step 9.6 · induction_head · ●●● · 25 min
// solutions/09_transformer/induction_head.cpp
#include <cmath>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

InductionModel induction_head() {
    constexpr std::size_t vocab = InductionModel::vocab_size;
    // Where the columns of these parts begin.
    [[maybe_unused]] constexpr std::size_t free_part = vocab, position_part = 2 * vocab;
    InductionModel model;  // all weights are 0
    // begin: Puzzle: fill in the weights of model.first and model.second.
    const PositionHead head = previous_token_head();  // step previous_token_head
    const Array &w_q = head.w_q.array(), &w_k = head.w_k.array();
    for (std::size_t i = 0; i < head.w_q.size(0); ++i) {
        for (std::size_t j = 0; j < InductionModel::d_position; ++j) {
            model.first.w_q(i, position_part + j) = 2.0f * w_q(i, j);
            model.first.w_k(i, position_part + j) = w_k(i, j);
        }
    }
    for (std::size_t t = 0; t < vocab; ++t) {
        model.first.w_v(free_part + t, t) = 1.0f;   // note the token before in the free columns
        model.second.w_q(t, t) = 80.0f;             // what am I?
        model.second.w_k(t, free_part + t) = 1.0f;  // what came before me?
        model.second.w_v(t, t) = 3.0f;              // what am I? More than the 1 of the current token
    }
    // end
    return model;
}

}  // namespace tfs
