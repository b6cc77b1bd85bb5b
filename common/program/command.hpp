// common/program/command.hpp · how a program is called
#pragma once

#include <string>

namespace tfs {

// "01 attention" for 01_attention.
[[nodiscard]] std::string chapter_title(std::string name);

// As one types it: "./tutorial run 1 --mine -- --heads 2".
[[nodiscard]] std::string command_of(const std::string& chapter, int argc, char** argv);

}  // namespace tfs
