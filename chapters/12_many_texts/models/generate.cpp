// chapters/12_many_texts/models/generate.cpp · many texts are written; steps `batch_of_texts` and `sample` do what has an idea
#include <algorithm>
#include <numeric>
#include <vector>

#include "chapters/11_generation/models/texts.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"

namespace tfs {

namespace {

// The tokens at this place of each prompt.
TokenIds column(const std::vector<TokenIds>& prompts, std::size_t t) {
    TokenIds tokens;
    for (const TokenIds& prompt : prompts) tokens.push_back(prompt[t]);
    return tokens;
}

// A window reads its own length at once, and then one column at a time.
NextScores read_prompts(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                        const std::vector<std::size_t>& rows, KeyValueCache& cache) {
    const std::size_t most = longest(prompts), at_once = std::min(most, cache.window.value_or(most));
    std::vector<TokenIds> first = prompts;
    for (TokenIds& prompt : first) prompt.resize(std::min(prompt.size(), at_once));
    NextScores scores = prefill(model, first, cache);
    for (std::size_t t = at_once; t < most; ++t) scores = decode_step(model, rows, column(prompts, t), cache);
    return scores;
}

}  // namespace

std::vector<Generated> generate(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                                const GenerationOptions& options, std::vector<Rng>& rngs,
                                std::optional<std::size_t> window) {
    require_prompts("generate", model, prompts, options);
    if (window) require_window(prompts);
    require_rngs("generate", prompts.size(), rngs.size());
    const NoGrad no_grad;
    const std::size_t most = longest(prompts);
    KeyValueCache cache(most + std::min(options.new_tokens, model.max_len - most), window);
    Texts texts(prompts, model, options);
    std::vector<std::size_t> prompt_of(prompts.size());  // of each row: rows of texts that have ended go
    std::iota(prompt_of.begin(), prompt_of.end(), std::size_t{0});
    NextScores scores = read_prompts(model, prompts, prompt_of, cache);
    while (true) {
        std::vector<std::size_t> rows;  // that go on
        TokenIds tokens;                // the newest of each
        for (std::size_t row = 0; row < prompt_of.size(); ++row) {
            const std::size_t prompt = prompt_of[row];
            if (!texts.goes_on(prompt)) continue;
            const auto p = texts.probabilities(texts.text(prompt), scores.at(row));
            const std::int64_t token = sample(p, rngs[prompt]);
            if (!texts.add(prompt, token)) continue;
            rows.push_back(row);
            tokens.push_back(token);
        }
        if (rows.empty()) return texts.result();
        scores = decode_step(model, rows, tokens, cache);
        prompt_of = picked(prompt_of, rows, 1);
    }
}

}  // namespace tfs
