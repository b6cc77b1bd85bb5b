// Step 2.3 · growing_text · ●●○ · 15 min
// solutions/02_masks/growing_text.cpp
#include "chapters/02_masks/masks.hpp"

namespace tfs {

GrowingText growing_text() {
    EqualRows equal;
    ScoreCounts scores;
    // begin: Predict 13 numbers, as in equal.no_mask = …; The contract says what each of them counts.
    // Of 10 rows, equal: no_mask, causal, window, symmetric_window, question, documents, documents_and_causal, global_token,
    // global_token_twice, question_twice
    // scores: one_pass, ten_passes, with_cache
    equal.no_mask = 1;           // only row 9: its beginning is the whole text
    equal.causal = 10;           // no row sees what its beginning does not have
    equal.window = 10;           // nor here; the beginning has the same window
    equal.symmetric_window = 1;  // all rows but the last look ahead
    equal.question = 7;          // rows 0 to 2 read the rest of the question; row 3 is its end
    equal.documents = 2;         // the last row of each document
    equal.documents_and_causal = 10;
    equal.global_token = 9;        // all but row 0; the others read its input, not its output
    equal.global_token_twice = 1;  // layer 2 reads what row 0 brought from the future
    equal.question_twice = 7;      // row 0 brings only the question, which each longer beginning has
    scores.one_pass = 10 * 10;     // also those that the mask forbids
    scores.ten_passes = 385;       // 1 · 1 + 2 · 2 + … + 10 · 10
    scores.with_cache = 55;        // 1 + 2 + … + 10
    // end
    return {equal, scores};
}

}  // namespace tfs
