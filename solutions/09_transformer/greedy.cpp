// Step 9.3 · greedy · ●●○ · 10 min
// solutions/09_transformer/greedy.cpp
#include <algorithm>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "common/base/errors.hpp"

namespace tfs {

std::int64_t greedy_token(const Tensor& logits) {
    require_logits("greedy_token", logits);
    // begin: The id of the largest logit at the last position.
    const Tensor last = slice(logits, 1, logits.size(1) - 1, logits.size(1));  // (1, 1, vocab)
    const auto scores = last.values();
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
    // end
}

Ids generate_greedy(const NextLogits& model, const Ids& prompt, std::size_t new_tokens,
                    std::optional<std::int64_t> end_id) {
    if (!model) throw ValueError("generate_greedy: the function `model` is empty");
    require_one_row("generate_greedy", "prompt", prompt);
    const NoGrad no_grad;  // no gradient is needed
    // begin: Up to new_tokens times: append the greedy token of the ids so far (`appended`). end_id is the last one.
    Ids ids = prompt;  // (1, seq)
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const std::int64_t token = greedy_token(model(ids));
        ids = appended(ids, token);
        if (token == end_id) break;
    }
    return ids;
    // end
}

}  // namespace tfs
