// chapters/03_positional_encoding/program/sections.cpp · four ways to tell positions apart, on a sentence, and the claims measured
//
// Run it: ./tutorial run 3          on your own steps: ./tutorial run 3 --mine
//         ./tutorial run 3 -- --deeper
//         ./tutorial run 3 -- --experiment all
//         ./tutorial run 3 -- --text "the dog saw the cat" --heads 2 --d-model 64
#include <fmt/format.h>

#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

Sections token_order_sections(), sinusoids_sections(), score_sections(), longer_texts_sections(),
    puzzle_sections();

namespace {

void check_widths(const Request& request) {
    const std::size_t d_model = request[options::d_model], heads = request[options::heads];
    require_heads(heads, d_model);
    if (d_model % 2 != 0)
        throw ValueError(fmt::format("--d-model {} is odd: sines and cosines come in pairs", d_model));
    if (d_model / heads % 2 != 0) {
        throw ValueError(
            fmt::format("--d-model {} in --heads {} gives heads of width {}, which is odd: rotary "
                        "positions turn columns in pairs",
                        d_model, heads, d_model / heads));
    }
    const std::size_t max_len = request[options::max_len], tokens = request.words(options::text).size();
    if (max_len < tokens)
        throw ValueError(fmt::format("--max-len {}: must be between the {} tokens of --text and {}", max_len,
                                     tokens, options::max_len.high));
}

}  // namespace

Chapter chapter() {
    return {.name = "03_positional_encoding",
            .description =
                "Sinusoids, learned positions, rotary positions and ALiBi: shapes, properties, limits.",
            .sections = joined({token_order_sections(), sinusoids_sections(), score_sections(),
                                longer_texts_sections(), puzzle_sections()}),
            .check = check_widths};
}

}  // namespace tfs
