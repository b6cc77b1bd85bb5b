// chapters/03_positional_encoding/models/position_head.cpp · the attention of a head that sees nothing but positions
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

Array weights_among_positions(const PositionHead& head, std::size_t positions) {
    require_shapes("position head", {{"w_q", head.w_q, "d_k+ d_model"}, {"w_k", head.w_k, "d_k d_model"}},
                   {{"d_model", PositionHead::d_model, "the head"}});
    const NoGrad no_grad;
    const Tensor x = SinusoidalPositionalEncoding(PositionHead::d_model, positions).table;
    const std::size_t d_k = head.w_q.size(0);
    const auto one_head = [&](const Tensor& rows) { return reshape(rows, {1, 1, positions, d_k}); };
    const Tensor q = one_head(linear(x, head.w_q)), k = one_head(linear(x, head.w_k));
    return reshape(attention_weights(q, k), {positions, positions}).array();
}

}  // namespace tfs
