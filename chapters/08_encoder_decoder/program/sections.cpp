// chapters/08_encoder_decoder/program/sections.cpp · encoder, decoder and both on a sentence and one in place of its translation
//
// Run it: ./tutorial run 8          on your own steps: ./tutorial run 8 --mine
//         ./tutorial run 8 -- --deeper
//         ./tutorial run 8 -- --text "the dog saw the cat" --target "<s> le chien" --layers 3
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

Sections three_models_sections(), influence_sections(), attention_maps_sections(), model_costs_sections();

Chapter chapter() {
    return {.name = "08_encoder_decoder",
            .description = "Encoder, decoder and both together: who looks at whom, and what it costs.",
            .sections = joined({three_models_sections(), influence_sections(), attention_maps_sections(),
                                model_costs_sections()}),
            .check = [](const Request& request) {
                require_heads(request[options::heads], request[options::d_model]);
            }};
}

}  // namespace tfs
