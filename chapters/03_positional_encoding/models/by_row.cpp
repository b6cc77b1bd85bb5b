// chapters/03_positional_encoding/models/by_row.cpp · positions where each row of the batch begins at its own
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

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
