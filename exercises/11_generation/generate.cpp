// Step 11.3 · generate · ●●● · 20 min
// exercises/11_generation/generate.cpp · check yours with ./tutorial check 11.3
#include <algorithm>
#include <numeric>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs {

std::vector<Generated> generate(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                                const GenerationOptions& options, std::vector<Rng>& rngs) {
    require_prompts("generate", model, prompts, options);
    require_rngs("generate", prompts.size(), rngs.size());
    const NoGrad no_grad;
    const std::size_t most = longest(prompts);
    KeyValueCache cache(most + std::min(options.new_tokens, model.max_len - most), options.window);
    Texts texts(prompts, model, options);
    // TODO 11.3: Prefill: all prompts in one pass (`columns`), then drop what filled up the shorter ones. A window reads only its
    // length at once, then one column at a time. Decode: draw a token for each text that goes on (`texts`, `logits_at`),
    // `pick` the rows of these texts, and run the model on the new tokens alone (`one_each`).
    throw NotImplemented("11.3 generate");
}

}  // namespace tfs
