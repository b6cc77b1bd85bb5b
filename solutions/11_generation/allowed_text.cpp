// Step 11.3 · allowed_text · ●●○ · 20 min
// solutions/11_generation/allowed_text.cpp
#include <fmt/format.h>

#include <array>
#include <string>
#include <unordered_set>

#include "chapters/11_generation/generation.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

bool date_may_go_on(std::string_view written, std::string_view next) {
    // begin: True if a date begins with `written` and `next`; the end is for a whole date.
    // This is called for every character of the vocabulary: what takes long, make once (`static`).
    static const std::unordered_set<std::string> beginnings = [] {
        std::unordered_set<std::string> all;  // every date, and everything that a date begins with
        for (std::size_t year = 1950; year <= 2049; ++year) {
            const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            const std::array<std::size_t, 12> days{31, leap ? 29u : 28u, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                                                   31};
            for (std::size_t month = 1; month <= 12; ++month)
                for (std::size_t day = 1; day <= days[month - 1]; ++day) {
                    const std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
                    for (std::size_t length = 0; length <= date.size(); ++length)
                        all.insert(date.substr(0, length));
                }
        }
        return all;
    }();
    constexpr std::size_t length_of_date = 10;
    const bool begins = beginnings.contains(std::string(written) + std::string(next));
    return begins && (!next.empty() || written.size() == length_of_date);
    // end
}

bool line_may_go_on(std::string_view written, std::string_view next) {
    // begin: The length of the line so far, and its last character, decide. `characters_of` cuts a text into characters.
    if (next.empty()) return true;
    const std::string_view line = written.substr(written.rfind('\n') + 1);  // npos + 1 is 0
    const std::size_t length = characters_of(line).size();
    if (next == "\n") return line.ends_with(' ');
    if (length + 1 == longest_line) return next == " ";  // a line of this length ends with a space
    return length < longest_line;
    // end
}

}  // namespace tfs
