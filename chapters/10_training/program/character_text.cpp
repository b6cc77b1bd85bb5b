// chapters/10_training/program/character_text.cpp · what the character model writes by chance
#include <fmt/ostream.h>

#include <algorithm>
#include <sstream>

#include "chapters/10_training/models/character_sampling.hpp"
#include "chapters/10_training/program/character_sections.hpp"
#include "common/program/weights.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::uint64_t seed_of_samples = 5;
constexpr double temperature = 0.8;

// The end of a line, so that what follows is the beginning of one; or the first character that it knows.
std::string begin_of(const TextTransformer& model) {
    const std::vector<std::string>& characters = model.tokenizer.tokens();
    const bool has_lines = std::find(characters.begin(), characters.end(), "\n") != characters.end();
    return has_lines ? "\n" : characters.front();
}

}  // namespace

void print_sample(std::ostream& out, const TextTransformer& model, std::size_t characters) {
    Rng rng(seed_of_samples);
    std::istringstream lines(sample_text(model, begin_of(model), characters, temperature, rng));
    for (std::string line; std::getline(lines, line);)
        for (const std::string& part : wrap(harmless(line), screen_columns - 4))
            out << "    " << part << '\n';
}

// Loaded in each section: a learner's step that is not written yet ends the section alone.
void show_characters(Show& show) {
    show.section("A trained decoder: a text by chance", [&] {
        print_sample(show.out, load_network<TextTransformer>(weights_file("characters"), character_kind()),
                     150);
        show.trace.note("drawn character by character from softmax, at temperature 0.8");
    });
    show.deeper("Characters: what the heads look at", [&] {
        const auto model = load_network<TextTransformer>(weights_file("characters"), character_kind());
        print_heads(show, heads_of(model, read_corpus(shipped_corpus(), model.config.max_len)));
    });
}

}  // namespace tfs
