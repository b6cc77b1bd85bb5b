// chapters/08_encoder_decoder/program/sections.cpp · encoder, decoder and both on a sentence and one in place of its translation
//
// Run it: ./tutorial run 8          on your own steps: ./tutorial run 8 --mine
//         ./tutorial run 8 -- --deeper
//         ./tutorial run 8 -- --text "the dog saw the cat" --target "<s> le chien" --layers 3
#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

// One for each file of this folder, or two.
Section means_by_hand(), three_kinds(), who_looks(), trained_cross_map(), influence(), mask_difference(),
    backwards(), source_padding(), model_costs(), final_norm(), memory_reuse();

Chapter chapter() {
    return {
        .name = "08_encoder_decoder",
        .description = "Encoder, decoder and both together: who looks at whom, and what it costs.",
        .sections = {means_by_hand(), three_kinds(), who_looks(), trained_cross_map(), influence(),
                     mask_difference(), backwards(), source_padding(), model_costs(), final_norm(),
                     memory_reuse()},
        .check =
            [](const Request& request) { require_heads(request[options::heads], request[options::d_model]); },
        .belongs =
            [](const Section& section, const Request& request) {
                return section.id != "cross-map" || !request[options::untrained];
            }};
}

}  // namespace tfs
