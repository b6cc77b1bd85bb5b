// Step 12.1 · batch_of_texts · ●●○ · 25 min
// exercises/12_many_texts/batch_of_texts.cpp · check yours with ./tutorial check 12.1
#include <vector>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

NextScores prefill(const LanguageModel& model, const std::vector<TokenIds>& prompts, KeyValueCache& cache) {
    require_prefill(prompts, cache);
    const std::size_t most = longest(prompts);
    const Tensor logits =
        model.logits(columns(prompts, 0, most), {.earlier = &cache});  // (batch, most, vocab)
    // TODO 12.1: The logits at each prompt's last token: `logits_at(logits, row, position)`. Then the cache drops what filled up the shorter
    // prompts: `cache.drop` takes a number for each row.
    throw NotImplemented("12.1 batch_of_texts");
}

NextScores decode_step(const LanguageModel& model, const std::vector<std::size_t>& rows,
                       const TokenIds& tokens, KeyValueCache& cache) {
    require_decode(rows, tokens);
    // TODO 12.1: Rows of texts that have ended go (`cache.pick`). Then one pass over the new tokens alone, (rows, 1): `one_each`. Each text is at
    // its own position, `cache.next_position()`.
    throw NotImplemented("12.1 batch_of_texts");
}

}  // namespace tfs
