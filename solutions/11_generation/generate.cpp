// Step 11.3 · generate · ●●● · 20 min
// solutions/11_generation/generate.cpp
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
    // begin: Prefill: all prompts in one pass (`columns`), then drop what filled up the shorter ones. A window reads only its
    // length at once, then one column at a time. Decode: draw a token for each text that goes on (`texts`, `logits_at`),
    // `pick` the rows of these texts, and run the model on the new tokens alone (`one_each`).
    const std::size_t at_once = std::min(most, options.window.value_or(most));
    Tensor logits =
        model.logits(columns(prompts, 0, at_once), {.earlier = &cache});  // (prompts, at_once, vocab)
    std::vector<std::size_t> filled,
        last;  // for each row: columns without a token, and the last one with a token
    for (const TokenIds& prompt : prompts) {
        last.push_back(std::min(prompt.size(), at_once) - 1);
        filled.push_back(at_once - 1 - last.back());
    }
    cache.drop(filled);
    for (std::size_t t = at_once; t < most; ++t) {
        logits =
            model.logits(columns(prompts, t, t + 1), {.offset = cache.next_position(), .earlier = &cache});
        last.assign(prompts.size(), 0);
    }

    std::vector<std::size_t> prompt_of(prompts.size());  // of each row
    std::iota(prompt_of.begin(), prompt_of.end(), std::size_t{0});
    while (true) {
        std::vector<std::size_t> rows;  // that go on
        TokenIds tokens;                // the newest of each
        for (std::size_t row = 0; row < prompt_of.size(); ++row) {
            const std::size_t prompt = prompt_of[row];
            if (!texts.goes_on(prompt)) continue;
            const auto p = texts.probabilities(texts.text(prompt), logits_at(logits, row, last[row]));
            const std::int64_t token = sample(p, rngs[prompt]);
            if (!texts.add(prompt, token)) continue;
            rows.push_back(row);
            tokens.push_back(token);
        }
        if (rows.empty()) return texts.result();
        if (rows.size() < prompt_of.size()) cache.pick(rows);
        prompt_of = picked(prompt_of, rows, 1);
        logits = model.logits(one_each(tokens), {.offset = cache.next_position(), .earlier = &cache});
        last.assign(rows.size(), 0);
    }
    // end
}

}  // namespace tfs
