// chapters/02_masks/program/sections.cpp · an example by hand, every mask, a trained head under each, and what a mask must not let through
//
// Run it: ./tutorial run 2          on your own steps: ./tutorial run 2 --mine
//         ./tutorial run 2 -- --deeper
//         ./tutorial run 2 -- --text "the dog was tired" --window 2
#include "chapters/02_masks/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), every_mask_sections(), trained_head_sections(), later_words_sections(),
    misused_masks_sections(), puzzle_sections();

Chapter chapter() {
    return {.name = "02_masks",
            .description = "Masks: which keys a query may attend to.",
            .sections = joined({by_hand_sections(), every_mask_sections(), trained_head_sections(),
                                later_words_sections(), misused_masks_sections(), puzzle_sections()})};
}

}  // namespace tfs
