// Step 9.3 · greedy · ●●○ · 10 min
// exercises/09_transformer/greedy.cpp · check yours with ./tutorial check 9.3
#include <algorithm>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "common/base/errors.hpp"

namespace tfs {

std::int64_t greedy_token(const Tensor& logits) {
    require_logits("greedy_token", logits);
    // TODO 9.3: The id of the largest logit at the last position.
    throw NotImplemented("9.3 greedy");
}

Ids generate_greedy(const NextLogits& model, const Ids& prompt, std::size_t new_tokens,
                    std::optional<std::int64_t> end_id) {
    if (!model) throw ValueError("generate_greedy: the function `model` is empty");
    require_one_row("generate_greedy", "prompt", prompt);
    const NoGrad no_grad;  // no gradient is needed
    // TODO 9.3: Up to new_tokens times: append the greedy token of the ids so far (`appended`). end_id is the last one.
    throw NotImplemented("9.3 greedy");
}

}  // namespace tfs
