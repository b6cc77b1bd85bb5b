// chapters/00_tensors/program/products.cpp · batched matrix products, three ways
#include <fmt/format.h>

#include <algorithm>

#include "chapters/00_tensors/program/refusal.hpp"
#include "chapters/00_tensors/program/timed/matmul_reordered.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

Report show_products(const Request& request) {
    Rng rng(request[options::seed]);
    const Array a = rng.normal_array({2, 3, 4}), b = rng.normal_array({2, 4, 5});
    Report report;
    report.step("a", Tensor(a), {"batch", "m", "k"});
    report.step("b", Tensor(b), {"batch", "k", "n"});
    const Array by_loops = matmul_loops(a, b), by_blas = matmul_blas(a, b), by_rows = matmul_reordered(a, b);
    report.step("matmul_loops(a, b)", Tensor(by_loops), {"batch", "m", "n"}, "your loops");
    report.step("matmul_blas(a, b)", Tensor(by_blas), {"batch", "m", "n"}, "one BLAS call each");
    const double difference =
        std::max(largest_difference(by_loops, by_blas), largest_difference(by_rows, by_blas));
    report.note(fmt::format("loops, BLAS, and loops in another order agree to 1e-5: {}\n",
                            difference < 1e-5 ? "yes" : "NO"));

    const Tensor keys(rng.normal_array({2, 5, 4}));
    report.note("the layer's matmul takes any leading axes, and transposes while it multiplies:");
    report.step("keys", keys, {"batch", "key", "k"});
    report.step("a keys^T", matmul(Tensor(a), keys, Transpose::b), {"batch", "m", "key"}, "Transpose::b");
    report.note(refusal([&] { return matmul(Tensor(a), keys); }));
    return report;
}

}  // namespace

Sections products_sections() {
    return {{"products", "Batched products", show_products, {options::seed}, Level::deeper}};
}

}  // namespace tfs
