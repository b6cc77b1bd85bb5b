// chapters/06_residual_dropout/program/sections.cpp · dropout and residuals by hand, what decided about a guess, and deep stacks
//
// Run it: ./tutorial run 6          on your own steps: ./tutorial run 6 --mine
//         ./tutorial run 6 -- --deeper
//         ./tutorial run 6 -- --section one-guess --position 12
#include "common/program.hpp"

namespace tfs {

Sections by_hand_sections(), deciding_parts_sections(), deep_stacks_sections(), stream_sizes_sections();

Chapter chapter() {
    return {.name = "06_residual_dropout",
            .description = "Dropout and residual connections: what they do to numbers and to deep stacks.",
            .sections = joined({by_hand_sections(), deciding_parts_sections(), deep_stacks_sections(),
                                stream_sizes_sections()})};
}

}  // namespace tfs
