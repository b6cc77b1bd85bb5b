// chapters/11_generation/given/text_stream.cpp · what of a text may be shown already
#include "chapters/11_generation/given/text_stream.hpp"

#include <algorithm>
#include <utility>

#include "common/terminal/display.hpp"

namespace tfs {

namespace {

// How many bytes at the end begin a character that is not complete.
std::size_t unfinished(std::string_view text) {
    constexpr std::size_t longest_beginning = 3;
    constexpr unsigned char first_of_several = 0xC0;  // bytes from here on begin a character of several bytes
    for (std::size_t back = 1; back <= std::min(text.size(), longest_beginning); ++back) {
        const std::string_view tail = text.substr(text.size() - back);
        if (is_ascii(tail.substr(0, 1))) return 0;
        if (static_cast<unsigned char>(tail[0]) >= first_of_several)
            return first_character(tail).valid ? 0 : back;
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
