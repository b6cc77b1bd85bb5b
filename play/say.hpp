// play/say.hpp · a line in the terminal in which ./tutorial play was typed
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace tfs::play {

inline void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

}  // namespace tfs::play
