// play/anchor.hpp · the names by which links find headings
#pragma once

#include <cctype>
#include <string>

namespace tfs::play {

// "1.2 `softmax` · ●●○ · 10 min" -> "12-softmax----10-min", as the web page of a repository names this heading.
inline std::string anchor_of(const std::string& heading) {
    std::string anchor;
    bool letter =
        false;  // of the UTF-8 sequence that a byte continues; punctuation begins with 0xC2 and 0xE2
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0xC0) letter = byte != 0xC2 && byte != 0xE2;
        if (byte >= 0x80 ? letter : std::isalnum(byte) || c == '-' || c == '_')
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : c);
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

}  // namespace tfs::play
