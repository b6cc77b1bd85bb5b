// Step 9.5 · generate_greedy · ●●○ · 15 min
// solutions/09_transformer/generate_greedy.cpp
#include <algorithm>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

std::int64_t greedy_token(const Tensor& logits) {
    require_logits("greedy_token", logits);
    // begin: The id of the largest logit at the last position.
    const Tensor last = slice(logits, 1, logits.size(1) - 1, logits.size(1));  // (1, 1, vocab)
    const auto scores = last.values();
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
    // end
}

Ids generate_greedy(const Transformer& model, const Ids& prompt, std::size_t new_tokens,
                    std::optional<std::int64_t> end_id) {
    require_decoder("generate_greedy", model.config);
    require_one_row("generate_greedy", "prompt", prompt);
    require_room("generate_greedy", model.config, "the prompt", prompt.size(), new_tokens);
    if (end_id) require_token("generate_greedy", "end_id", model.config, *end_id);
    const NoGrad no_grad;  // no gradient is needed
    // begin: Up to new_tokens times: append the greedy token of the ids so far (`appended`). end_id is the last one.
    Ids ids = prompt;  // (1, seq)
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const std::int64_t token = greedy_token(model(ids).logits);
        ids = appended(ids, token);
        if (token == end_id) break;
    }
    return ids;
    // end
}

}  // namespace tfs
