// tests/10_training/clipped.hpp · gradients to clip, and the mistakes behind what came out
#pragma once

#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"

namespace tfs::test {

// Parameters with these gradients: weight, bias, kernel.
Parameters with_gradients(const std::vector<Tensor>& gradients);

struct ClipCase {
    std::string name;
    std::vector<Tensor> gradients;
    double largest;
    double norm;      // of all gradients together
    Tensor expected;  // all gradients after clipping, one behind the other
};

// PyTorch's; and gradients of length 3 and 4, together 5, with limits between these, at 5 and on both sides.
const std::vector<ClipCase>& clip_cases();

// What clip_by_global_norm did.
struct Clipped {
    double returned = 0.0;
    Tensor gradients, values, values_before;
};

Clipped clipped(const ClipCase& c);

// Whether the learner's lengths are right in all cases; and whether her gradients and the parameters are, too.
bool lengths_are_right();
bool clipping_is_right();

// Whether the learner's function throws where a gradient is NaN.
bool clipping_refuses_nan();

// The mistake that returns the learner's lengths in all cases; empty where there is none.
std::string likely_length();

// The mistake that leaves the learner's gradients in all cases; empty where there is none.
std::string likely_clipping();

}  // namespace tfs::test
