// Step 10.4 · clip_by_global_norm · ●○○ · 10 min
// exercises/10_training/clip_by_global_norm.cpp · check yours with ./tutorial check 10.4
#include <cmath>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

double clip_by_global_norm(Parameters parameters, double largest) {
    // TODO 10.4: One length for all gradients together, in double. Check it (`require_norm(parameters, largest, norm)`), and where
    // it is too long, shorten all gradients by the same factor.
    throw NotImplemented("10.4 clip_by_global_norm");
}

}  // namespace tfs
