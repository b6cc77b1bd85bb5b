// chapters/09_transformer/program/claims.hpp · what the lesson claims of whole models, measured
#pragma once

#include <cstdint>
#include <iosfwd>

#include "common/figures/figure.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

// One sequence of random ids: first … end - 1.
[[nodiscard]] Ids random_ids(std::uint64_t seed, std::size_t length, std::size_t first, std::size_t end);

// How the table of the tokens is drawn, and the factor sqrt(d_model): tokens against positions, and the first
// logits.
void measure_scale(std::ostream& out, std::uint64_t seed);

// The loss at the start against d_model, for three ways to begin.
LineFigure measure_first_loss(std::ostream& out, std::uint64_t seed);

// The logits where the last norm of a pre-norm stack, or that on top of post-norm blocks, is left out.
void measure_final_norm(std::ostream& out, std::uint64_t seed);

// Logits before a changed token, and those of a sentence that is padded on the right.
void measure_leaks(std::ostream& out, std::uint64_t seed);

// Translating, the encoder run once or anew for every token: the same text.
void measure_encoder_once(std::ostream& out, std::uint64_t seed);

}  // namespace tfs
