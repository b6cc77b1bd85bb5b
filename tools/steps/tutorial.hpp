// tools/steps/tutorial.hpp · what the tutorial consists of: its chapters, and their steps in order
//
// A chapter is a folder chapters/NN_name. A step of it is a file solutions/NN_name/STEP.cpp whose first line says all
// that is known of the step:
//
//     // Step 1.3 · scaled_dot_product_attention · ●●○ · 10 min
//
// An optional step ends with "· 60 min, optional". It is proposed only where it was asked for, and nothing waits for it.
// Nothing else numbers the steps: to move one, change this line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/steps/text.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

// The first line of a solution, taken apart.
struct Banner {
    int chapter = 0, number = 0;
    std::string name;
    int difficulty = 0;  // 1 to 3
    int minutes = 0;
    bool optional = false;

    std::string id() const;                // "1.2"
    std::string difficulty_shown() const;  // "●●○"
    std::string time_shown() const;        // "15 min", "60 min, optional"
};

// Nothing where the line is no banner of a step.
std::optional<Banner> parse_banner(std::string_view line);

// All paths are relative to the folder of the tutorial.
struct Step : Banner {
    std::string folder;  // of its chapter: "01_attention"

    fs::path solution() const;            // solutions/01_attention/softmax.cpp
    fs::path fast_solution() const;       // solutions/01_attention/softmax.fast.cpp, which need not exist
    fs::path exercise() const;            // exercises/01_attention/softmax.cpp
    fs::path hints() const;               // chapters/01_attention/hints.md
    std::string check_target() const;     // check_01_attention_softmax
    std::string sanitize_target() const;  // sanitize_01_attention_softmax, the same under the sanitizers
    std::string debug_target() const;     // debug_01_attention_softmax, the same for a debugger
};

struct Chapter {
    int number = 0;
    std::string folder;  // "01_attention"
    std::string title;   // the heading of its lesson
    std::vector<Step> steps;

    std::string padded() const { return folder.substr(0, 2); }  // "01"
    std::string name() const { return folder.substr(3); }       // "attention"
};

struct Tutorial {
    fs::path root;
    std::vector<Chapter> chapters;  // by number

    std::vector<Step> steps() const;  // those of all chapters, in order
    // Files below exercises/ that belong to no step: a learner's work on a step that is gone.
    std::vector<fs::path> strays() const;
};

// Reads the folders. Error where there are no chapters, where a solution has no banner or another name than its banner
// says, where two steps share a name or a number, or a number is left out.
Tutorial read_tutorial(const fs::path& root);

// The hints of a step, each without its number and margin; a paragraph, or an item of a list, is one line. None where the file
// or the section is missing.
std::vector<std::string> hints_of(const Tutorial& tutorial, const Step& step);

}  // namespace tfs::steps
