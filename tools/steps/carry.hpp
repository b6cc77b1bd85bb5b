// tools/steps/carry.hpp · what a learner wrote, put into the exercises of another version
//
// A new version may have other tasks, other given lines, and steps that were several before. What a learner wrote in the
// gap of a function comes into the gap of the same function, wherever it stands now.
#pragma once

#include <string>
#include <vector>

#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

// A learner's file, and the exercise it began as; empty where that is not known.
struct Written {
    std::string text, stub;
};

struct Carried {
    std::string text;                   // the new exercise, with what was written
    std::vector<std::string> placed;    // functions that were written and are in it
    std::vector<std::string> open;      // functions whose gap is still open
    std::vector<std::string> no_place;  // functions that were written and could not be put into it
    // Only gaps were filled, and the lines around them are as before: what passed should pass here, too.
    bool exact = true;
};

// Puts what was written in these files into `stub`, the exercise of `step` in the new version.
Carried carried_over(const std::vector<Written>& parts, const Step& step, const std::string& stub);

// Whether a function of this text has a gap that is still open.
bool has_gaps(const std::string& text);

// Whether this file is the stub, but for the number of the step, its difficulty and its time, and for the ends of lines.
bool is_same_exercise(const Step& step, const std::string& text, const std::string& stub);

}  // namespace tfs::steps
