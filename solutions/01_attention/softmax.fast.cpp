// Step 1.2 · softmax, fast
// solutions/01_attention/softmax.fast.cpp · one fused kernel over contiguous rows, with its gradient
#include "chapters/01_attention/attention.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs {

Tensor softmax(const Tensor& x, int axis) {
    const std::size_t along = normalize_axis(axis, x.rank(), "softmax");
    if (along + 1 != x.rank()) return transpose(softmax(transpose(x, axis, -1)), axis, -1);
    const std::size_t size = x.size(-1);
    if (size == 0) throw ShapeError("softmax: the axis is empty, so there is nothing to share the weight");
    Array y = Array::from_shape(x.shape());
    kernels::softmax_rows(x.values(), {y.data(), y.size()}, size);
    return record(std::move(y), {x}, [x, size](const Array& result, const Array& grad) {
        Array dx = Array::from_shape(result.shape());  // dx = y (dy - sum(dy y))
        kernels::softmax_rows_backward({result.data(), result.size()}, {grad.data(), grad.size()},
                                       {dx.data(), dx.size()}, size);
        add_to_grad(x, std::move(dx));
    });
}

}  // namespace tfs
