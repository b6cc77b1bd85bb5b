// common/program/options.hpp · the options that the chapters' programs share: where to draw, the sentence, the sizes
#pragma once

#include <string>

#include "common/program/option.hpp"
#include "common/program/program.hpp"

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

}  // namespace tfs
