// tests/common/occurrences.hpp · how often a text contains a part
#pragma once

#include <string>

namespace tfs::test {

inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

}  // namespace tfs::test
