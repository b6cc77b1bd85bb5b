// Step 3.2 · rotary_positions, fast
// solutions/03_positional_encoding/rotary_positions.fast.cpp · apply_rotary in one loop over the rows, forward and backward
#include "chapters/03_positional_encoding/given/position_checks.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

// The table's rows for the positions of x, which begin at `offset`.
struct Angles {
    const float *cos, *sin;  // of position 0
    std::size_t pairs, seq, offset;

    // Where the angles of row `row` of (leading * seq) begin.
    std::size_t start(std::size_t row) const { return (offset + row % seq) * pairs; }
};

// (a, b) -> (a cos - b sin, a sin + b cos) for each pair of a row; direction -1 turns by the negative angle.
// a and b of pair i lie at i * step and i * step + apart: the layouts differ in nothing else.
template <std::size_t step>
void turn_row(const float* x, float* y, const float* cos, const float* sin, float direction,
              std::size_t pairs, std::size_t apart) {
#pragma omp simd
    for (std::size_t i = 0; i < pairs; ++i) {
        const float a = x[i * step], b = x[i * step + apart], s = direction * sin[i];
        y[i * step] = a * cos[i] - b * s;
        y[i * step + apart] = a * s + b * cos[i];
    }
}

Array turned(const Array& x, const Angles& angles, RotaryLayout layout, float direction) {
    Array y = Array::from_shape(x.shape());
    const std::size_t pairs = angles.pairs, width = 2 * pairs;
    parallel_rows(x.size() / width, width, [&](std::size_t row) {
        const float *in = x.data() + row * width, *cos = angles.cos + angles.start(row);
        const float* sin = angles.sin + angles.start(row);
        float* out = y.data() + row * width;
        if (layout == RotaryLayout::interleaved) {
            turn_row<2>(in, out, cos, sin, direction, pairs, 1);
        } else {
            turn_row<1>(in, out, cos, sin, direction, pairs, pairs);
        }
    });
    return y;
}

}  // namespace

ShiftedScores scores_that_stay() { return {.rows = true, .both_turned = true}; }

Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout, std::size_t offset) {
    require_rotary(x, rotary, offset);
    const auto angles = [rotary, offset, seq = x.size(-2)] {
        return Angles{rotary.cos.values().data(), rotary.sin.values().data(), rotary.cos.size(-1), seq,
                      offset};
    };
    return record(turned(x.array(), angles(), layout, 1.0f), {x},
                  [x, angles, layout](const Array&, const Array& grad) {
                      // y = R x with a rotation R, so dx = Rᵀ dy: the rotation by the negative angle.
                      add_to_grad(x, turned(grad, angles(), layout, -1.0f));
                  });
}

}  // namespace tfs
