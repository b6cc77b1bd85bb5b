// chapters/00_tensors/given/six_expressions.cpp · the six expressions of the puzzle six_shapes, given
#include "chapters/00_tensors/given/six_expressions.hpp"

namespace tfs {

std::array<ShapeQuestion, 6> six_expressions() {
    const Ids ids(Ids::shape_type{2, 5}, 0);
    const Tensor table = Tensor::zeros({10, 12}), x = Tensor::zeros({2, 5, 12}),
                 keys = Tensor::zeros({7, 12}), row = Tensor::zeros({12}), column = Tensor::zeros({5, 1});
    return {{{"embedding(table, ids)", embedding(table, ids)},
             {"matmul(x, keys, Transpose::b)", matmul(x, keys, Transpose::b)},
             {"mean(x, 1)", mean(x, 1)},
             {"max(x, -1, KeepDims::yes)", max(x, -1, KeepDims::yes)},
             {"transpose(reshape(x, {2, 5, 3, 4}), 1, 2)", transpose(reshape(x, {2, 5, 3, 4}), 1, 2)},
             {"row + column", row + column}}};
}

}  // namespace tfs
