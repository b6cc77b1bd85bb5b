// Step 4.3 · norm_twins · ●○○ · 10 min
// solutions/04_normalization/norm_twins.cpp
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

NormTwins norm_twins() {
    NormTwins twins;
    // begin: Puzzle: two pairs of rows, as the contract wants them. Any rows that do it will do.
    const Tensor row = Tensor::from({4}, {-1.0f, 5.0f, 5.0f, 7.0f});
    twins.for_layer_norm = {row, row + 10.0f};  // shifted
    twins.for_both = {row, row * 2.0f};         // stretched
    // end
    return twins;
}

}  // namespace tfs
