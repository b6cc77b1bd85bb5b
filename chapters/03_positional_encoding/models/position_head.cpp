// chapters/03_positional_encoding/models/position_head.cpp · the attention of a head that sees nothing but positions
#include <fmt/format.h>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

namespace {

void require_projection(const char* name, const Tensor& weight) {
    if (weight.rank() != 2 || weight.size(0) == 0 || weight.size(1) != PositionHead::d_model) {
        throw ShapeError(fmt::format("position head: {} must be (d_k, {}), not {}", name,
                                     PositionHead::d_model, to_string(weight.shape())));
    }
}

}  // namespace

Array weights_among_positions(const PositionHead& head, std::size_t positions) {
    require_projection("w_q", head.w_q);
    require_projection("w_k", head.w_k);
    if (head.w_q.size(0) != head.w_k.size(0)) {
        throw ShapeError(
            fmt::format("position head: w_q {} and w_k {} must have the same number of rows, d_k",
                        to_string(head.w_q.shape()), to_string(head.w_k.shape())));
    }
    const NoGrad no_grad;
    const Tensor x = SinusoidalPositionalEncoding(PositionHead::d_model, positions).table;
    const std::size_t d_k = head.w_q.size(0);
    const auto one_head = [&](const Tensor& rows) { return reshape(rows, {1, 1, positions, d_k}); };
    const Tensor q = one_head(linear(x, head.w_q)), k = one_head(linear(x, head.w_k));
    return reshape(attention_weights(q, k), {positions, positions}).array();
}

}  // namespace tfs
