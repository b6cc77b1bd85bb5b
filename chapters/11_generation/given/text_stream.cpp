// chapters/11_generation/given/text_stream.cpp · what of a text may be shown already
#include "chapters/11_generation/given/text_stream.hpp"

#include <algorithm>
#include <utility>

namespace tfs {

namespace {

bool continues_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The bytes of a character that begins with this one.
std::size_t length_of_character(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
}

// How many bytes at the end belong to a character that is not complete.
std::size_t unfinished(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(text.size(), 4); ++back) {
        const char byte = text[text.size() - back];
        if (!continues_a_character(byte)) return length_of_character(byte) > back ? back : 0;
    }
    return 0;
}

// How many bytes at the end are the beginning of `stop`.
std::size_t begun(std::string_view text, std::string_view stop) {
    for (std::size_t length = std::min(text.size(), stop.size()); length > 0; --length)
        if (text.ends_with(stop.substr(0, length))) return length;
    return 0;
}

}  // namespace

std::string TextStream::add(std::string_view piece) {
    if (stopped_) return {};
    held_ += piece;
    const std::size_t found = stop_.empty() ? std::string::npos : held_.find(stop_);
    if (found != std::string::npos) {
        stopped_ = true;
        return std::exchange(held_, {}).substr(0, found);
    }
    const std::size_t back = std::max(unfinished(held_), begun(held_, stop_));
    std::string shown = held_.substr(0, held_.size() - back);
    held_.erase(0, shown.size());
    return shown;
}

std::string TextStream::rest() { return std::exchange(held_, {}); }

}  // namespace tfs
