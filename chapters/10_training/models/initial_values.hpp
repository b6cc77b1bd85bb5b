// chapters/10_training/models/initial_values.hpp · the values with which GPT-2 begins its training
#pragma once

#include "common/nn.hpp"

namespace tfs {

// Draws all parameters of a stack of `layers` pre-norm blocks anew (Radford et al. 2019, section 2.3, and their code):
//   weights   N(0, 0.02²); those of the two projections of a block that are added to the residual stream, w_o and down,
//             N(0, 0.02² / (2 layers)), so that the sum of the 2 layers additions has the size of one
//   biases 0 · gamma 1 · beta 0
// ValueError if layers is 0, or a parameter is none of these.
void draw_initial_values(Parameters parameters, std::size_t layers, Rng& rng);

}  // namespace tfs
