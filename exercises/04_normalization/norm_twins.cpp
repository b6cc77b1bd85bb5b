// Step 4.3 · norm_twins · ●○○ · 10 min
// exercises/04_normalization/norm_twins.cpp · check yours with ./tutorial check 4.3
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

NormTwins norm_twins() {
    NormTwins twins;
    // TODO 4.3: Puzzle: two pairs of rows, as the contract wants them. Any rows that do it will do.
    throw NotImplemented("4.3 norm_twins");
    return twins;
}

}  // namespace tfs
