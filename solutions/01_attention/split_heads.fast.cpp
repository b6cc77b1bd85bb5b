// Step 1.4 · split_heads, fast
// solutions/01_attention/split_heads.fast.cpp · one copy each way, where reshape and transpose make two
#include <algorithm>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/given/attention_checks.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

// Swaps the two middle axes: (outer, a, b, inner) -> (outer, b, a, inner). Split and merge are this, the one with a =
// positions and b = heads, the other with a = heads and b = positions; each is the other's gradient.
void swap_middle(const float* x, std::size_t outer, std::size_t a, std::size_t b, std::size_t inner,
                 float* y) {
    parallel_rows(outer * b, a * inner, [=](std::size_t row) {
        const float* from = x + row / b * a * b * inner + row % b * inner;
        for (std::size_t i = 0; i < a; ++i)
            std::copy_n(from + i * b * inner, inner, y + (row * a + i) * inner);
    });
}

// The result of swap_middle as a tensor of this shape.
Tensor swapped_middle(const Tensor& x, std::size_t outer, std::size_t a, std::size_t b, std::size_t inner,
                      const Shape& shape) {
    Array y = make_array(shape);
    swap_middle(x.values().data(), outer, a, b, inner, y.data());
    return record(std::move(y), {x}, [=](const Array&, const Array& grad) {
        Array dx = Array::from_shape(x.shape());
        swap_middle(grad.data(), outer, b, a, inner, dx.data());
        add_to_grad(x, std::move(dx));
    });
}

}  // namespace

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
    require_splittable(x, num_heads);
    const std::size_t batch = x.size(0), seq = x.size(1), d = x.size(2) / num_heads;
    return swapped_middle(x, batch, seq, num_heads, d, {batch, num_heads, seq, d});
}

Tensor merge_heads(const Tensor& x) {
    require_split(x);
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    return swapped_middle(x, batch, heads, seq, d, {batch, seq, heads * d});
}

}  // namespace tfs
