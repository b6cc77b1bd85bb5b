// common/terminal/utf8.cpp · utf8proc's view of a character
#include "common/terminal/utf8.hpp"

#include <utf8proc.h>

namespace tfs {

namespace {

const utf8proc_property_t& properties(std::uint32_t code) {
    return *utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
}

bool separates(std::uint32_t code) {
    const auto category = properties(code).category;
    return category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

}  // namespace

Utf8Character first_character(std::string_view utf8) {
    if (const auto byte = static_cast<unsigned char>(utf8[0]); byte < 0x80) return {byte, 1, true};
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                                                    static_cast<utf8proc_ssize_t>(utf8.size()), &code);
    if (bytes <= 0) return {static_cast<unsigned char>(utf8[0]), 1, false};
    return {static_cast<std::uint32_t>(code), static_cast<std::size_t>(bytes), true};
}

std::size_t character_width(std::uint32_t code) {
    const int bound = properties(code).boundclass;
    const bool joins =
        bound == UTF8PROC_BOUNDCLASS_V || bound == UTF8PROC_BOUNDCLASS_T;  // a syllable's later letters
    if (is_control(code) || joins) return 0;
    return static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(code)));
}

bool is_control(std::uint32_t code) {
    if (code < 0x80) return code < 0x20 || code == 0x7F;
    const utf8proc_property_t& about = properties(code);
    const bool turns = about.category == UTF8PROC_CATEGORY_CF && about.bidi_class != UTF8PROC_BIDI_CLASS_BN;
    return about.category == UTF8PROC_CATEGORY_CC || separates(code) || turns;
}

bool is_space(std::uint32_t code) {
    return properties(code).category == UTF8PROC_CATEGORY_ZS || separates(code) ||
           (code >= 0x09 && code <= 0x0D) || code == 0x85;
}

}  // namespace tfs
