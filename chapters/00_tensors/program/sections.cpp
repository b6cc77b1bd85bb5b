// chapters/00_tensors/program/sections.cpp · a tensor layer: memory, gradients, views, the speed of products
//
// Run it: ./tutorial run 0          on your own steps: ./tutorial run 0 --mine
//         ./tutorial run 0 -- --deeper
//         ./tutorial run 0 -- --largest 1024
#include "common/program.hpp"

namespace tfs {

Sections memory_sections(), gradients_sections(), views_sections(), product_speed_sections();

Chapter chapter() {
    return {.name = "00_tensors",
            .description = "A tensor layer: shapes, memory, products, gradients.",
            .sections = joined(
                {memory_sections(), gradients_sections(), views_sections(), product_speed_sections()})};
}

}  // namespace tfs
