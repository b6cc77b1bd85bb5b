// chapters/00_tensors/program/main.cpp · a tensor layer: shapes, memory, broadcasting, products, the tape, speed
//
// Run it: ./tutorial run 0          on your own steps: ./tutorial run 0 --mine
//         ./tutorial run 0 -- --deeper
//         ./tutorial run 0 -- --largest 1024
#include "chapters/00_tensors/program/sections.hpp"

namespace {

using namespace tfs;

void show_tensors(Show& show, std::size_t largest) {
    show.section("Shapes and memory", [&] { show.figures.save(show_memory(show)); });
    show.section("Broadcasting", [&] { show_broadcasting(show); });
    show.section("A tape by hand", [&] { show.figures.save(show_tape_by_hand(show)); });
    show.deeper("Batched products", [&] { show_products(show); });
    show.deeper("Reductions over an axis", [&] { show_reductions(show); });
    show.deeper("A tape of matrices, and its gradients checked", [&] { show_tape(show); });
    show.deeper("Traps of xtensor", [&] { show_xtensor_traps(show.out); });
    show.deeper("Measured: the error of finite differences",
                [&] { show.figures.save(measure_difference_error(show)); });
    show.section("Measured: loops against BLAS (depends on the processor)",
                 [&] { show.figures.save(measure_product_speed(show, largest)); });
    show.deeper("Puzzle: six shapes", [&] { show_six_shapes(show.out); });
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t largest = 512;
    return tfs::run_chapter(
        argc, argv,
        {.name = "00_tensors",
         .description = "A tensor layer: shapes, memory, products, gradients.",
         .limits = {.max_tokens = 0, .heads = false, .max_d_model = 0},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--largest", largest,
                                "size of the largest product that is timed, 16 to 4096");
             },
         .own_checks = [&](const auto&) { tfs::require_between("--largest", largest, 16, 4096); },
         .body = [&](tfs::Show& show) { show_tensors(show, largest); }});
}
