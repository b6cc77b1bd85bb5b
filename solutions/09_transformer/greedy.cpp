// Step 9.4 · greedy · ●●○ · 15 min
// solutions/09_transformer/greedy.cpp
#include <algorithm>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
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

Ids translate_greedy(const Transformer& model, const Ids& source, std::int64_t start_id,
                     std::size_t new_tokens, std::optional<std::int64_t> end_id) {
    require_two_sequences("translate_greedy", model.config);
    require_token("translate_greedy", "start_id", model.config, start_id);
    if (end_id) require_token("translate_greedy", "end_id", model.config, *end_id);
    require_one_row("translate_greedy", "source", source);
    require_room("translate_greedy", model.config, "start_id", 1, new_tokens);
    const NoGrad no_grad;              // no gradient is needed
    Ids target = one_token(start_id);  // (1, 1)
    // begin: The target, start_id first, and up to new_tokens greedy tokens after it. end_id is the last one.
    const Memory memory = model.encode(source);
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const std::int64_t token = greedy_token(model.decode(target, memory).logits);
        target = appended(target, token);
        if (token == end_id) break;
    }
    return target;
    // end
}

}  // namespace tfs
