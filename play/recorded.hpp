// play/recorded.hpp · answers of a chapter's program for a page on which nothing is computed
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "play/programs.hpp"

namespace tfs::play {

struct Recorded {
    std::string html;               // the page: a list of texts, and an empty place for each section
    Json answers = Json::object();  // by section: pieces of HTML; of one that reads a text one for each text
    std::map<std::string, std::string> drawn = {};  // by figure: the section that draws it
};

// `texts`: {"flag": "--text", "texts": […]}: what is asked of sections that read this option; the others are asked once. Experiments and
// what trains for long are only named, with their commands. Throws where the program refuses a text.
[[nodiscard]] Recorded recorded_answers(Programs& programs, const std::string& chapter, const Json& texts);

}  // namespace tfs::play
