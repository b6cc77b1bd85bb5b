// tests/fuzz/text_properties.hpp · what must hold of any bytes that are given as --text
#pragma once

#include <string>
#include <string_view>

namespace tfs::test {

// Splits the text into words and shows them. Returns what went wrong, empty where all is right: text that is not valid is
// refused with a sentence; no character is lost or cut in two; nothing that is shown holds a control character, is wider
// than it may be, or is more than ASCII where only that was asked for.
std::string wrong_with_text(std::string_view text);

}  // namespace tfs::test
