// chapters/12_many_texts/program/sections.cpp · many texts in one pass, drafts that a large model checks, beams
//
// Run it: ./tutorial run 12          on your own steps: ./tutorial run 12 --mine=all
//         ./tutorial run 12 -- --deeper      (when drafts pay, beams, the memory of a cache)
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/12_many_texts/program/options.hpp"
#include "common/io/weights.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

Sections batch_sections(), drafts_sections(), memory_sections();

Characters::Characters()
    : trained(load_network<TextTransformer>(weights_file("characters"), character_kind())),
      model(language_model(trained.model)) {}

TokenIds Characters::ids(const std::string& text) const {
    const Ids all = trained.tokenizer.encode(text);
    return {all.begin(), all.end()};
}

std::string Characters::text(const TokenIds& ids) const {
    return with_pilcrows(trained.tokenizer.decode(ids));
}

Chapter chapter() {
    return {.name = "12_many_texts",
            .description = "Many texts, fast: batches of prompts, and drafts that a large model checks.",
            .sections = joined({batch_sections(), drafts_sections(), memory_sections()})};
}

}  // namespace tfs
