// Step 11.4 · speculative · ●●● · 20 min
// exercises/11_generation/speculative.cpp · check yours with ./tutorial check 11.4
#include <algorithm>
#include <span>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs {

TokenIds accepted(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                  const std::vector<std::vector<double>>& p, Rng& rng) {
    require_drafted("accepted", drafted, q, p);
    // TODO 11.4: The tokens that stay, then one more. `divide_by_sum` divides.
    throw NotImplemented("11.4 speculative");
}

Speculation generate_speculatively(const LanguageModel& model, const Draft& draft, const TokenIds& prompt,
                                   std::size_t length, const GenerationOptions& options, Rng& rng) {
    require_prompts("generate_speculatively", model, {prompt}, options);
    require_drafts("generate_speculatively", draft, length, options);
    const NoGrad no_grad;
    KeyValueCache cache(prompt.size() + std::min(options.new_tokens, model.max_len - prompt.size()));
    Texts texts({prompt}, model, options);
    Speculation result;
    TokenIds unread = prompt;  // what the large model has not read of the text
    // TODO 11.4: As long as the text goes on: draft, read `unread` and the draft in one pass, choose, add the tokens to the text, and
    // drop what the cache holds of tokens that went. Count in `result`. After a drafted end, or a token that can't stay, the rules
    // may allow nothing: put a valid distribution there, such as the last row again. What is drawn from it is thrown away.
    throw NotImplemented("11.4 speculative");
    result.text = texts.result()[0];
    return result;
}

}  // namespace tfs
