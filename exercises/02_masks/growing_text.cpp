// Step 2.3 · growing_text · ●●○ · 15 min
// exercises/02_masks/growing_text.cpp · check yours with ./tutorial check 2.3
#include "chapters/02_masks/masks.hpp"

namespace tfs {

GrowingText growing_text() {
    EqualRows equal;
    ScoreCounts scores;
    // TODO 2.3: Predict 13 numbers, as in equal.no_mask = …; The contract says what each of them counts.
    // Of 10 rows, equal: no_mask, causal, window, symmetric_window, question, documents, documents_and_causal, global_token,
    // global_token_twice, question_twice
    // scores: one_pass, ten_passes, with_cache
    throw NotImplemented("2.3 growing_text");
    return {equal, scores};
}

}  // namespace tfs
