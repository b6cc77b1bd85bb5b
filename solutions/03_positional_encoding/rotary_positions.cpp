// Step 3.2 · rotary_positions · ●●○ · 20 min
// solutions/03_positional_encoding/rotary_positions.cpp
#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

ShiftedScores scores_that_stay() {
    ShiftedScores stays;
    // begin: Predict, before you write the next function: true where a score stays, as in stays.rows = …; The contract has all
    // four: rows, word_and_row, both_turned, only_query_turned. The check compares them with a run.
    stays.rows = true;                // sin sin + cos cos of a pair is the cosine of ω (m - n)
    stays.word_and_row = false;       // the same word, beside another row
    stays.both_turned = true;         // both turn by 7 ω more: the angle between them stays
    stays.only_query_turned = false;  // the query turns by 7 ω more, the key does not
    // end
    return stays;
}

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // begin: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x. Compute with operations on tensors, so that the gradient goes back to x.
    const bool interleaved = layout == RotaryLayout::interleaved;
    const std::size_t seq = x.size(-2), pairs = x.size(-1) / 2;
    const Tensor halves = interleaved ? even_columns_first(x) : x;  // all a, then all b
    const Tensor a = slice(halves, -1, 0, pairs);                   // (…, seq, pair)
    const Tensor b = slice(halves, -1, pairs, 2 * pairs);           // (…, seq, pair)
    const Tensor cos = slice(rotary.cos, 0, offset, offset + seq);  // (seq, pair)
    const Tensor sin = slice(rotary.sin, 0, offset, offset + seq);  // (seq, pair)
    const Tensor turned = concat({a * cos - b * sin, a * sin + b * cos}, -1);
    return interleaved ? even_columns_back(turned) : turned;  // (…, seq, d_k)
    // end
}

}  // namespace tfs
