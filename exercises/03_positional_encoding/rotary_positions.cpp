// Step 3.2 · rotary_positions · ●●○ · 20 min
// exercises/03_positional_encoding/rotary_positions.cpp · check yours with ./tutorial check 3.2
#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

ShiftedScores scores_that_stay() {
    ShiftedScores stays;
    // TODO 3.2: Predict, before you write the next function: true where a score stays, as in stays.rows = …; The contract has all
    // four: rows, word_and_row, both_turned, only_query_turned. The check compares them with a run.
    throw NotImplemented("3.2 rotary_positions");
    return stays;
}

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // TODO 3.2: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x. Compute with operations on tensors, so that the gradient goes back to x.
    throw NotImplemented("3.2 rotary_positions");
}

}  // namespace tfs
