// chapters/08_encoder_decoder/program/sections.cpp · encoder, decoder and both on a sentence and one in place of its translation
//
// Run it: ./tutorial run 8          on your own steps: ./tutorial run 8 --mine
//         ./tutorial run 8 -- --deeper
//         ./tutorial run 8 -- --text "the dog saw the cat" --target "<s> le chien" --layers 3
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

Sections by_hand_sections(), three_models_sections(), attention_maps_sections(), influence_sections(),
    mask_difference_sections(), backwards_sections(), source_padding_sections(), model_costs_sections(),
    final_norm_sections(), memory_reuse_sections();

Chapter chapter() {
    return {
        .name = "08_encoder_decoder",
        .description = "Encoder, decoder and both together: who looks at whom, and what it costs.",
        .sections = joined({by_hand_sections(), three_models_sections(), attention_maps_sections(),
                            influence_sections(), mask_difference_sections(), backwards_sections(),
                            source_padding_sections(), model_costs_sections(), final_norm_sections(),
                            memory_reuse_sections()}),
        .check =
            [](const Request& request) { require_heads(request[options::heads], request[options::d_model]); },
        .belongs =
            [](const Section& section, const Request& request) {
                return section.id != "cross-map" || !request[options::untrained];
            }};
}

}  // namespace tfs
