// chapters/08_encoder_decoder/program/costs.hpp · what the kinds cost, what the last norm does, one encoding for many tokens
#pragma once

#include "chapters/08_encoder_decoder/cost.hpp"
#include "common/program.hpp"

namespace tfs {

// The model above by formula and by counting; parameters, FLOPs and bytes of each kind at the sizes of the base
// model of Vaswani et al.
BarFigure compare_costs(std::ostream& out, const EncoderDecoder& model, const StackConfig& config,
                        const Tensor& source, const Tensor& target);

// The size of what leaves a stack, with and without the final norm, and how sharply a decoder looks at it.
LineFigure measure_final_norm(std::ostream& out, std::uint64_t seed);

// FLOPs of writing n tokens with the encoder run for each token, or once; and that the results are equal.
LineFigure measure_reuse(std::ostream& out, const EncoderDecoder& model, const Tensor& source,
                         const Tensor& target);

// The encoder's and the decoder's block, with shapes, and the arrow of the memory.
FlowFigure draw_flow(const StackConfig& config, std::size_t source, std::size_t target);

}  // namespace tfs
