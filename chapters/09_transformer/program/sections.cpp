// chapters/09_transformer/program/sections.cpp · whole models: on a blank page, by their config, at work
//
// Run it: ./tutorial run 9          on your own steps: ./tutorial run 9 --mine=all
//         ./tutorial run 9 -- --deeper
//         ./tutorial run 9 -- --model tiny-encoder-decoder --text "the dog saw the cat"
//         ./tutorial run 9 -- --model textbook          (the Transformer of 2017, at a size that runs here)
//         ./tutorial run 9 -- --model llama-7b          (a table; nothing is allocated)
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

Sections configs_sections(), whole_model_sections(), reading_sections(), models_by_hand_sections();

namespace {

// Of a model that is too large to run, the whole model alone; of a small one what its kind can do.
bool belongs(const Section& section, const Request& request) {
    const TransformerConfig config = asked_model(request).config;
    if (!small_enough(config)) return section.id == "model";
    if (section.id == "greedy") return config.architecture != Architecture::encoder_only;
    if (section.id == "one-sentence" || section.id == "no-blocks" || section.id == "blank-page" ||
        section.id.starts_with("look-"))
        return wants_trained(request) && request[options::model] == options::model.value;
    return true;
}

}  // namespace

Chapter chapter() {
    return {
        .name = "09_transformer",
        .description = "The whole Transformer: a model on a blank page, one at work, the sizes of others.",
        .sections = joined(
            {configs_sections(), models_by_hand_sections(), whole_model_sections(), reading_sections()}),
        .check =
            [](const Request& request) {
                (void)asked_model(request);
                check_read_text(request);
            },
        .belongs = belongs,
        .options = options::of_any_model};
}

}  // namespace tfs
