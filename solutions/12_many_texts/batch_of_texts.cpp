// Step 12.1 · batch_of_texts · ●●○ · 25 min
// solutions/12_many_texts/batch_of_texts.cpp
#include <vector>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

NextScores prefill(const LanguageModel& model, const std::vector<TokenIds>& prompts, KeyValueCache& cache) {
    require_prefill(prompts, cache);
    const std::size_t most = longest(prompts);
    const Tensor logits =
        model.logits(columns(prompts, 0, most), {.earlier = &cache});  // (batch, most, vocab)
    // begin: The logits at each prompt's last token: `logits_at(logits, row, position)`. Then the cache drops what filled up the shorter
    // prompts: `cache.drop` takes a number for each row.
    NextScores scores;
    std::vector<std::size_t> filled;
    for (std::size_t row = 0; row < prompts.size(); ++row) {
        const std::size_t length = prompts[row].size();
        scores.push_back(logits_at(logits, row, length - 1));
        filled.push_back(most - length);
    }
    cache.drop(filled);
    return scores;
    // end
}

NextScores decode_step(const LanguageModel& model, const std::vector<std::size_t>& rows,
                       const TokenIds& tokens, KeyValueCache& cache) {
    require_decode(rows, tokens);
    // begin: Rows of texts that have ended go (`cache.pick`). Then one pass over the new tokens alone, (rows, 1): `one_each`. Each text is at
    // its own position, `cache.next_position()`.
    cache.pick(rows);
    const Tensor logits =
        model.logits(one_each(tokens), {.offset = cache.next_position(), .earlier = &cache});
    NextScores scores;
    for (std::size_t row = 0; row < rows.size(); ++row) scores.push_back(logits_at(logits, row, 0));
    return scores;
    // end
}

}  // namespace tfs
