// common/program/options.hpp · the options that the chapters' programs share: where to draw, the sentence, the sizes
#pragma once

#include <string>

#include "common/program/program.hpp"
#include "common/text/words.hpp"

namespace tfs {

// How a program shows what it computes.
struct ShowOptions {
    std::string plots;  // a folder for the figures; empty: none are drawn
    bool ascii = false;
    std::string whose;  // steps computed it, for the page: "your steps 1.1 … 1.5"; empty: the solutions
    std::string
        beside;  // a folder with the figures of the solutions; empty: they are not shown beside the own ones
};

// --plots and --ascii: the last ones of every program. --whose and --beside, which ./tutorial run --mine gives, are hidden.
void add_show_options(Program& program, ShowOptions& options);

// The words of the option `flag`, harmless for a terminal. Throws ValueError, which names it, where there are none or more than `most`.
Tokens tokens_of_text(const std::string& text, std::size_t most, const std::string& flag = "--text");

// ValueError if the value of a flag is not in low … high.
void require_between(const std::string& flag, std::size_t value, std::size_t low, std::size_t high);

// ValueError if --heads is 0 or does not divide --d-model.
void require_heads(std::size_t heads, std::size_t d_model);

}  // namespace tfs
