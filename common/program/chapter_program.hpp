// common/program/chapter_program.hpp · all that the main functions of the chapters' programs have in common
//
//     int main(int argc, char** argv) {
//         std::size_t window = 3;
//         return tfs::run_chapter(argc, argv,
//                                 {.name = "02_masks",
//                                  .description = "Masks: who may attend to whom.",
//                                  .limits = {.max_tokens = 32},
//                                  .own_options = [&](tfs::Program& program) {
//                                      program.option("--window", window, "keys that a query sees");
//                                  },
//                                  .own_checks = [&](const auto&) { tfs::require_between("--window", window, 1, 32); },
//                                  .body = [&](tfs::Show& show) { show_masks(show, window); }});
//     }
#pragma once

#include <functional>
#include <string>

#include "common/program/show.hpp"

namespace tfs {

// What a program accepts for the options that the chapters share.
struct Limits {
    std::size_t max_tokens = 64;  // of --text: a map with more rows can't be read; 0: there is no --text
    bool heads = true;            // whether there is --heads, which must divide --d-model
    std::size_t min_d_model = 1;
    std::size_t max_d_model = 4096;  // a wider model shows nothing new; 0: there is no --d-model
};

struct ChapterProgram {
    std::string name;  // "01_attention"
    std::string description;
    Limits limits = {};
    std::function<void(Program&)> own_options = {};             // adds the options of this chapter
    std::function<void(const SharedOptions&)> own_checks = {};  // throws ValueError for values that don't fit
    std::function<void(Show&)> body = {};
};

// Reads the options: those of the sentence, the chapter's own, then --seed, --deeper, --plots, --ascii. Checks all
// values before anything is printed or drawn, runs the body, and ends with Show::finish. Returns as Program::run.
int run_chapter(int argc, char** argv, const ChapterProgram& chapter);

}  // namespace tfs
