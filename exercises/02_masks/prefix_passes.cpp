// Step 2.4 · prefix_passes · ●●○ · 15 min
// exercises/02_masks/prefix_passes.cpp · check yours with ./tutorial check 2.4
#include "chapters/02_masks/masks.hpp"

namespace tfs {

PrefixPasses prefix_passes() {
    EqualRows equal;
    ScoreCounts scores;
    // TODO 2.4: Predict 13 numbers, as in equal.no_mask = …; The contract says what each of them counts.
    // Of 10 rows, equal: no_mask, causal, window, symmetric_window, question, documents, documents_and_causal, global_token,
    // global_token_twice, question_twice
    // scores: one_pass, ten_passes, with_cache
    throw NotImplemented("2.4 prefix_passes");
    return {equal, scores};
}

}  // namespace tfs
