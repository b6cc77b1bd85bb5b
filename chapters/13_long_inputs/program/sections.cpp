// chapters/13_long_inputs/program/sections.cpp · attention in tiles: which are computed, what they keep, how long they take
//
// Run it: ./tutorial run 13          on your own steps: ./tutorial run 13 --mine
//         ./tutorial run 13 -- --deeper      (the roof of this machine)
#include "chapters/13_long_inputs/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), tiles_sections(), ring_sections(), roofline_sections();

Chapter chapter() {
    return {.name = "13_long_inputs",
            .description = "Attention without the square: tiles, and texts of any length.",
            .sections = joined({by_hand_sections(), tiles_sections(), ring_sections(), roofline_sections()})};
}

}  // namespace tfs
