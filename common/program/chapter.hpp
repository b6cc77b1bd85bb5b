// common/program/chapter.hpp · a chapter's program: its sections in reading order
//
// chapters/NN_name/program/sections.cpp defines chapter(); common/main.cpp is the main function of all programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/program/section.hpp"

namespace tfs {

struct Chapter {
    std::string name;  // "01_attention"
    std::string description;
    std::vector<Section> sections = {};              // in reading order
    std::function<void(const Request&)> check = {};  // throws ValueError for values that don't fit together
    // Whether a section belongs to what is asked, where some values leave sections out.
    std::function<bool(const Section&, const Request&)> belongs = {};
    std::vector<Option> options = {};  // that `check` and `belongs` read, and perhaps no section
};

// Defined by each program.
[[nodiscard]] Chapter chapter();

// All options of its sections, each once, in the order of the sections, then its own; --seed last.
[[nodiscard]] std::vector<Option> options_of(const Chapter& chapter);

// The program: reads the options, checks all values before anything is printed or drawn, runs the sections, and shows their
// reports on the terminal, as JSON (--json), and on a page (--plots). Returns as MainFunction::run.
int run_program(int argc, char** argv, const Chapter& chapter);

}  // namespace tfs
