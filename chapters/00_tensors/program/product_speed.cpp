// chapters/00_tensors/program/product_speed.cpp · the same product by loops, by loops in another order, and by BLAS: how fast each is
#include <fmt/format.h>

#include "chapters/00_tensors/program/timed/matmul_reordered.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

const CountOption largest_size{"--largest", 512, 16, 4096,
                               "size of the largest product that is timed, 16 to 4096"};

// One volatile write, so that no result counts as unused.
void use(const Array& result) {
    [[maybe_unused]] static volatile float sink;
    sink = result.data()[0];
}

// 2 multiply_adds operations, in GFLOP/s.
Quartiles gflops(std::size_t multiply_adds, const Seconds& seconds) {
    return rate(2e-9 * static_cast<double>(multiply_adds), seconds);
}

// The times of a product of this size by loops, by loops in another order, and by BLAS, on one core.
Rounds time_products(std::size_t size, Rng& rng) {
    const Array a = rng.normal_array({1, size, size}), b = rng.normal_array({1, size, size});
    return measure_in_turns({[&] { use(matmul_loops(a, b)); }, [&] { use(matmul_reordered(a, b)); },
                             [&] { use(matmul_blas(a, b)); }},
                            usual_turns({.rounds = 7}));
}

LineFigure speed_figure(const Table& table) {
    return {.name = "product_speed",
            .title = "The same work: the order of the loops matters, and for large matrices BLAS is fastest",
            .panels = {{"(n, n) x (n, n) on one core: higher is faster",
                        "size n",
                        "GFLOP/s",
                        true,
                        true,
                        {series(table, "n", "BLAS"), series(table, "n", "loops i, p, j"),
                         series(table, "n", "loops i, j, p")}}},
            .panels_per_row = 1,
            .caption =
                "All three do the same multiplications. The plain loops (i, j, p) go down the columns of b, "
                "and get slower once the matrices are large. GFLOP/s: billions of operations per second. "
                "Both axes are logarithmic."};
}

Report show_product_speed(const Request& request) {
    Table table{.title = "one (n, n) x (n, n) product on one core, in GFLOP/s (2 n^3 operations):",
                .columns = {{"n", whole()},
                            {"loops i, j, p", significant(3)},
                            {"loops i, p, j", significant(3)},
                            {"BLAS", significant(3)}}};
    Rng rng(request[options::seed]);
    std::string factors;
    for (std::size_t size = 16; size <= request[largest_size]; size *= 2) {
        request.tell({"progress", fmt::format("n = {}", size), {{"n", static_cast<double>(size)}}});
        const Rounds rounds = time_products(size, rng);
        const std::size_t work = size * size * size;
        table.add({size, gflops(work, rounds[0]), gflops(work, rounds[1]), gflops(work, rounds[2])});
        factors = fmt::format(
            "at n = {}, how many times as fast as the loops i, j, p (in brackets: the middle half of 7 "
            "rounds)\nloops i, p, j: {}; BLAS: {}",
            size, ratio_text(ratio(rounds[0], rounds[1])), ratio_text(ratio(rounds[0], rounds[2])));
    }
    Report report;
    report.add(table);
    report.note(factors);
    report.add(speed_figure(table));
    return report;
}

}  // namespace

Sections product_speed_sections() {
    return {{"product-speed",
             "Measured: loops against BLAS (depends on the processor)",
             show_product_speed,
             {largest_size, options::seed}}};
}

}  // namespace tfs
