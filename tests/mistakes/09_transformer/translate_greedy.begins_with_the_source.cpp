// tests/mistakes/09_transformer/translate_greedy.begins_with_the_source.cpp · step 9.7 done wrong
// The source as a prompt.
// The checklist must say: "the target begins with the source"
#include "chapters/09_transformer/given/checks.hpp"
#include "chapters/09_transformer/given/parts.hpp"

namespace tfs {

Ids translate_greedy(const Transformer& model, const Ids& source, std::int64_t start_id,
                     std::size_t new_tokens, std::optional<std::int64_t> end_id) {
    require_two_sequences("translate_greedy", model.config);
    require_token("translate_greedy", "start_id", model.config, start_id);
    if (end_id) require_token("translate_greedy", "end_id", model.config, *end_id);
    Ids target = one_token(start_id);  // (1, 1)
    require_one_row("translate_greedy", "source", source);
    require_room("translate_greedy", model.config, "start_id", 1, new_tokens);
    const NoGrad no_grad;  // nobody will ask for a gradient
    target = source;
    const Tensor memory = model.encode(source).output;  // (1, source, d_model)
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const std::int64_t token = greedy_token(model.decode(target, memory, source).logits);
        target = appended(target, token);
        if (token == end_id) break;
    }
    return target;
}

}  // namespace tfs
