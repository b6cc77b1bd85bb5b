// tools/tutorial/command_line.hpp · what the learner typed
#pragma once

#include <string>
#include <vector>

namespace tfs::tutorial {

struct Request {
    std::string command;             // empty: none was typed
    std::vector<std::string> words;  // chapters or steps
    std::vector<std::string> extra;  // what follows "--": arguments of the program
    std::string mine;                // "this" for --mine; "all", "passed"
    std::string port;                // of play
    std::string format;              // "pdf" or "png": the pictures also in this format
    std::string debug;               // of check: "run" for --debug; "build" only builds
    bool yes = false, sanitize = false, all = false, open = false, install = true, json = false,
         no_open = false, alone = false, solutions = false, for_play = false, no_causes = false;
};

// The arguments without the name of the program. Refusal where there is no such command or flag, or a word too many.
Request parse_command_line(const std::vector<std::string>& arguments);

// " Did you mean check?" with the nearest candidate, or nothing where none is near. Put it after a sentence.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace tfs::tutorial
