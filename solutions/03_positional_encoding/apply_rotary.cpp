// Step 3.4 · apply_rotary · ●●● · 25 min
// solutions/03_positional_encoding/apply_rotary.cpp
#include "chapters/03_positional_encoding/given/checks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    // begin: Turn each pair of columns of x by the angle of its position, in both layouts. The result has
    // the shape of x.
    const bool interleaved = layout == RotaryLayout::interleaved;
    const std::size_t seq = x.size(-2), pairs = x.size(-1) / 2;
    const int side = interleaved ? -1 : -2;        // the axis of size 2 in by_pair(2)
    const auto by_pair = [&](std::size_t sides) {  // (…, seq, pair, sides) or (…, seq, sides, pair)
        Shape shape = x.shape();
        shape.back() = interleaved ? pairs : sides;
        shape.push_back(interleaved ? sides : pairs);
        return shape;
    };
    Shape one_side = x.shape();
    one_side.back() = pairs;
    const Tensor both = reshape(x, by_pair(2));
    const Tensor a = reshape(slice(both, side, 0, 1), one_side);    // (…, seq, pair)
    const Tensor b = reshape(slice(both, side, 1, 2), one_side);    // (…, seq, pair)
    const Tensor cos = slice(rotary.cos, 0, offset, offset + seq);  // (seq, pair)
    const Tensor sin = slice(rotary.sin, 0, offset, offset + seq);  // (seq, pair)
    const Tensor turned_a = reshape(a * cos - b * sin, by_pair(1));
    const Tensor turned_b = reshape(a * sin + b * cos, by_pair(1));
    return reshape(concat({turned_a, turned_b}, side), x.shape());  // (…, seq, d_k)
    // end
}

}  // namespace tfs
