// Step 11.3 · allowed_text · ●●○ · 20 min
// exercises/11_generation/allowed_text.cpp · check yours with ./tutorial check 11.3
#include <fmt/format.h>

#include <array>
#include <string>
#include <unordered_set>

#include "chapters/11_generation/generation.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

bool date_may_go_on(std::string_view written, std::string_view next) {
    // TODO 11.3: True if a date begins with `written` and `next`; the end is for a whole date.
    // This is called for every character of the vocabulary: what takes long, make once (`static`).
    throw NotImplemented("11.3 allowed_text");
}

bool line_may_go_on(std::string_view written, std::string_view next) {
    // TODO 11.3: The length of the line so far, and its last character, decide. `characters_of` cuts a text into characters.
    throw NotImplemented("11.3 allowed_text");
}

}  // namespace tfs
