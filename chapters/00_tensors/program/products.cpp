// chapters/00_tensors/program/products.cpp · batched matrix products, three ways
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

#include "chapters/00_tensors/program/refusal.hpp"
#include "chapters/00_tensors/program/timed/matmul_reordered.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

void show_products(Show& show) {
    Rng rng(show.options.seed);
    const Array a = rng.normal_array({2, 3, 4}), b = rng.normal_array({2, 4, 5});
    show.trace.step("a", Tensor(a), {"batch", "m", "k"});
    show.trace.step("b", Tensor(b), {"batch", "k", "n"});
    const Array by_loops = matmul_loops(a, b);
    show.trace.step("matmul_loops(a, b)", Tensor(by_loops), {"batch", "m", "n"}, "your loops");
    const Array by_blas = matmul_blas(a, b);
    show.trace.step("matmul_blas(a, b)", Tensor(by_blas), {"batch", "m", "n"}, "one BLAS call each");
    const Array by_rows = matmul_reordered(a, b);
    fmt::print(show.out, "  check  loops, BLAS, and loops in another order agree to 1e-5: {}\n",
               std::max(largest_difference(by_loops, by_blas), largest_difference(by_rows, by_blas)) < 1e-5);

    const Tensor keys(rng.normal_array({2, 5, 4}));
    const Tensor scores = matmul(Tensor(a), keys, Transpose::b);
    fmt::print(show.out,
               "\n  the layer's matmul takes any leading axes, and transposes while it multiplies:\n");
    show.trace.step("keys", keys, {"batch", "key", "k"});
    show.trace.step("a keys^T", scores, {"batch", "m", "key"}, "Transpose::b");
    show_refusal(show.trace, [&] { return matmul(Tensor(a), keys); });
}

}  // namespace tfs
