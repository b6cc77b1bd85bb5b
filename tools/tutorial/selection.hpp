// tools/tutorial/selection.hpp · which chapters and steps the words of a command name
//
// A chapter is 1, 01, 01_attention, or a path to its folder. A step is 1.1, 01.1, its name, or a path to its file. Paths
// are relative to the caller's folder or to the root.
#pragma once

#include <string>
#include <vector>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// Refusal where there is no such chapter.
steps::Chapter find_chapter(const Session& session, const std::string& word);

// The chapters that the words name, in the order of the words; all where there are no words.
std::vector<steps::Chapter> chosen_chapters(const Session& session, const std::vector<std::string>& words);

// The steps of all chapters and steps that the words name, in their order and each once; all where there are no words.
std::vector<steps::Step> chosen_steps(const Session& session, const std::vector<std::string>& words);

// For the commands that take exactly one step.
steps::Step the_one_step(const Session& session, const std::string& command,
                         const std::vector<std::string>& words);

}  // namespace tfs::tutorial
