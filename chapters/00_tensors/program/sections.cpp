// chapters/00_tensors/program/sections.cpp · a tensor layer: shapes, memory, views, broadcasting, products, the tape, speed
//
// Run it: ./tutorial run 0          on your own steps: ./tutorial run 0 --mine
//         ./tutorial run 0 -- --deeper
//         ./tutorial run 0 -- --largest 1024
#include "common/program.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section shapes_and_memory(), views(), overlapping_views(), tape_by_hand(), broadcasting(), strides_of_views(),
    shapes_that_broadcast(), batched_products(), reductions(), tape_of_matrices(), xtensor_traps(),
    difference_error(), product_speed(), expression_speed(), small_products();

Chapter chapter() {
    return {.name = "00_tensors",
            .description = "A tensor layer: shapes, memory, products, gradients.",
            .sections = {shapes_and_memory(), views(), overlapping_views(), tape_by_hand(), broadcasting(),
                         strides_of_views(), batched_products(), reductions(), tape_of_matrices(),
                         xtensor_traps(), difference_error(), product_speed(), expression_speed(),
                         small_products()}};
}

}  // namespace tfs
