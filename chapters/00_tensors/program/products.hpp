// chapters/00_tensors/program/products.hpp · batched matrix products, three ways
#pragma once

#include "common/program.hpp"

namespace tfs {

// The same product by loops, by BLAS and by loops in another order; and the layer's matmul, which transposes as it goes.
void show_products(Show& show);

}  // namespace tfs
