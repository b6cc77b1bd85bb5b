// Step 9.5 · generate_greedy · ●●○ · 15 min
// exercises/09_transformer/generate_greedy.cpp · check yours with ./tutorial check 9.5
#include <algorithm>

#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

std::int64_t greedy_token(const Tensor& logits) {
    require_logits("greedy_token", logits);
    // TODO 9.5: The id of the largest logit at the last position.
    throw NotImplemented("9.5 generate_greedy");
}

Ids generate_greedy(const Transformer& model, const Ids& prompt, std::size_t new_tokens,
                    std::optional<std::int64_t> end_id) {
    require_decoder("generate_greedy", model.config);
    require_one_row("generate_greedy", "prompt", prompt);
    require_room("generate_greedy", model.config, "the prompt", prompt.size(), new_tokens);
    if (end_id) require_token("generate_greedy", "end_id", model.config, *end_id);
    const NoGrad no_grad;  // no gradient is needed
    // TODO 9.5: Up to new_tokens times: append the greedy token of the ids so far (`appended`). end_id is the last one.
    throw NotImplemented("9.5 generate_greedy");
}

}  // namespace tfs
