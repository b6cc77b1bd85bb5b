// tools/tutorial/mine_passed.hpp · the program of a chapter on the learner's steps that pass, and the solutions of the others
#pragma once

#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

inline constexpr const char* mine_passed_suffix = "_mine_passed";

// The object of the learner's step.
std::string target_of_mine(const steps::Step& step);
// What must be built before it can be linked. `passed`: her steps of this chapter and of earlier ones.
std::vector<std::string> targets_of_mine_passed(const steps::Chapter& chapter, const Steps& passed);

// Links NN_name_mine_passed beside the program on the solutions, and into a folder of their own the libraries of earlier
// chapters, which this program takes before those of the solutions. They are no targets: the steps that pass change all the
// time. Refusal where the linker fails.
void link_mine_passed(const steps::Tutorial& tutorial, const steps::Chapter& chapter, const Steps& passed);

}  // namespace tfs::tutorial
