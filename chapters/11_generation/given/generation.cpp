// chapters/11_generation/given/generation.cpp · a text as a batch of one, its logits, and what of it may be shown
#include "chapters/11_generation/given/generation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "chapters/11_generation/generation.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

Ids one_row(std::span<const std::int64_t> tokens) {
    Ids ids = Ids::from_shape({1, tokens.size()});
    std::copy(tokens.begin(), tokens.end(), ids.begin());
    return ids;
}

std::vector<float> logits_at(const Tensor& logits, std::size_t row, std::size_t position) {
    if (row >= logits.size(0) || position >= logits.size(1))
        throw ValueError(fmt::format("logits_at: position {} of row {}; the logits are {}", position, row,
                                     to_string(logits.shape())));
    const auto scores =
        logits.values().subspan((row * logits.size(1) + position) * logits.size(2), logits.size(2));
    return {scores.begin(), scores.end()};
}

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
