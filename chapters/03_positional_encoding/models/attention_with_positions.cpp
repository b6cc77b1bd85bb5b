// chapters/03_positional_encoding/models/attention_with_positions.cpp · rotary positions in attention, positions alone, an offset for each row of a batch
#include <fmt/format.h>

#include <tuple>

#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

RotaryEmbedding rotary_of(const std::vector<double>& frequencies, std::size_t max_len) {
    if (frequencies.empty() || max_len == 0)
        throw ValueError(
            fmt::format("rotary_of: {} frequencies, {} positions; there must be at least 1 of each",
                        frequencies.size(), max_len));
    RotaryEmbedding rotary(2, 1);
    std::tie(rotary.cos, rotary.sin) = cosines_and_sines(frequencies, max_len);
    return rotary;
}

AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary, const std::optional<Mask>& mask,
                                 RotaryLayout layout, const Offset& offset) {
    const Tensor turned_q = apply_rotary(q, rotary, layout, offset);  // (batch, heads, query, d_k)
    const Tensor turned_k = apply_rotary(k, rotary, layout);          // (batch, heads, key, d_k)
    return scaled_dot_product_attention(turned_q, turned_k, v, mask);
}

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

Tensor SinusoidalPositionalEncoding::operator()(const Tensor& x, const Offset& offset) const {
    return by_row("SinusoidalPositionalEncoding", x, offset,
                  [&](const Tensor& row, std::size_t begin) { return (*this)(row, begin); });
}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, const Offset& offset) const {
    return by_row("LearnedPositionalEmbedding", x, offset,
                  [&](const Tensor& row, std::size_t begin) { return (*this)(row, begin); });
}

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout,
                    const Offset& offset) {
    return by_row("apply_rotary", x, offset, [&](const Tensor& row, std::size_t begin) {
        return apply_rotary(row, rotary, layout, begin);
    });
}

}  // namespace tfs
