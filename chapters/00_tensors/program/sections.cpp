// chapters/00_tensors/program/sections.cpp · a tensor layer: shapes, memory, views, broadcasting, products, the tape, speed
//
// Run it: ./tutorial run 0          on your own steps: ./tutorial run 0 --mine
//         ./tutorial run 0 -- --deeper
//         ./tutorial run 0 -- --largest 1024
#include "common/program.hpp"

namespace tfs {

Sections memory_sections(), views_sections(), tape_by_hand_sections(), broadcasting_sections(),
    products_sections(), reductions_sections(), tape_sections(), xtensor_traps_sections(),
    difference_error_sections(), product_speed_sections(), expression_speed_sections();

Chapter chapter() {
    return {.name = "00_tensors",
            .description = "A tensor layer: shapes, memory, products, gradients.",
            .sections =
                joined({memory_sections(), views_sections(), tape_by_hand_sections(), broadcasting_sections(),
                        products_sections(), reductions_sections(), tape_sections(), xtensor_traps_sections(),
                        difference_error_sections(), product_speed_sections(), expression_speed_sections()})};
}

}  // namespace tfs
