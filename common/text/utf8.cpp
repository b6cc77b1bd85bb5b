// common/text/utf8.cpp · decoding UTF-8, and how wide a character is
#include "common/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace tfs {
namespace {

struct Range {
    std::uint32_t first, last;
};

template <std::size_t count>
bool within(const std::array<Range, count>& ranges, std::uint32_t code) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [code](Range range) { return code >= range.first && code <= range.last; });
}

// Combining marks, joiners and the vowels and finals of decomposed Hangul, which are drawn into the character
// before.
constexpr std::array<Range, 12> zero_width = {{{0x0300, 0x036F},
                                               {0x0483, 0x0489},
                                               {0x0591, 0x05BD},
                                               {0x064B, 0x065F},
                                               {0x0E47, 0x0E4E},
                                               {0x1160, 0x11FF},
                                               {0x1AB0, 0x1AFF},
                                               {0x1DC0, 0x1DFF},
                                               {0x200B, 0x200F},
                                               {0x20D0, 0x20FF},
                                               {0xFE00, 0xFE0F},
                                               {0xFE20, 0xFE2F}}};

// East Asian wide and fullwidth (Unicode Annex 11), and emoji.
constexpr std::array<Range, 11> double_width = {{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0xA4CF},
                                                 {0xA960, 0xA97F},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFE30, 0xFE6F},
                                                 {0xFF01, 0xFF60},
                                                 {0xFFE0, 0xFFE6},
                                                 {0x1F300, 0x1FAFF},
                                                 {0x20000, 0x3FFFD}}};

}  // namespace

Utf8Character first_character(std::string_view utf8) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(utf8[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};

    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    const bool bad_lead = lead < 0xC2 || lead > 0xF4;
    if (bad_lead || utf8.size() < bytes) return {lead, 1, false};

    std::uint32_t code = lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1, false};
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {lead, 1, false};
    return {code, bytes, true};
}

std::size_t character_width(std::uint32_t code) {
    if (is_control(code) || within(zero_width, code)) return 0;
    return within(double_width, code) ? 2 : 1;
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_space(std::uint32_t code) {
    return code == ' ' || (code >= 0x09 && code <= 0x0D) || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
           code == 0x205F || code == 0x3000;
}

}  // namespace tfs
