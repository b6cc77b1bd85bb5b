// common/program/options.cpp · the options that the chapters' programs share
#include "common/program/options.hpp"

#include <fmt/format.h>

#include "common/base/errors.hpp"
#include "common/text/display.hpp"

namespace tfs {

void add_show_options(Program& program, ShowOptions& options) {
    program.option("--plots", options.plots, "folder for the figures; none are drawn without it");
    program.ascii_option(options.ascii);
    program.hidden_option("--whose", options.whose);
    program.hidden_option("--beside", options.beside);
}

Tokens tokens_of_text(const std::string& text, std::size_t most, const std::string& flag) {
    Tokens tokens = split_words(text, flag);
    if (tokens.size() > most) {
        throw ValueError(fmt::format("{} has {} tokens; at most {} can be shown", flag, tokens.size(), most));
    }
    for (std::string& token : tokens) token = harmless(token);
    return tokens;
}

void require_between(const std::string& flag, std::size_t value, std::size_t low, std::size_t high) {
    if (value < low || value > high) {
        throw ValueError(fmt::format("{} {}: must be between {} and {}", flag, value, low, high));
    }
}

void require_heads(std::size_t heads, std::size_t d_model) {
    if (heads == 0) throw ValueError("--heads 0: must be at least 1");
    if (d_model % heads != 0) {
        throw ValueError(fmt::format("--heads {} don't divide --d-model {}", heads, d_model));
    }
}

}  // namespace tfs
