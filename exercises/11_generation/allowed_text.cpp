// Step 11.5 · allowed_text · ●●○ · 20 min
// exercises/11_generation/allowed_text.cpp · check yours with ./tutorial check 11.5
#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "chapters/11_generation/generation.hpp"

namespace tfs {

namespace {

std::size_t days_of(std::size_t year, std::size_t month) {
    if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Every date, and everything that a date begins with.
std::unordered_set<std::string> beginnings_of_dates() {
    std::unordered_set<std::string> all;
    for (std::size_t year = 1950; year < 2050; ++year)
        for (std::size_t month = 1; month <= 12; ++month)
            for (std::size_t day = 1; day <= days_of(year, month); ++day) {
                const std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
                for (std::size_t length = 0; length <= date.size(); ++length)
                    all.insert(date.substr(0, length));
            }
    return all;
}

}  // namespace

bool date_may_go_on(std::string_view written, std::string_view next) {
    // TODO 11.5: True if a date begins with `written` and `next`; the end is for a whole date.
    throw NotImplemented("11.5 allowed_text");
}

bool line_may_go_on(std::string_view written, std::string_view next) {
    // TODO 11.5: The length of the line so far, and its last character, decide.
    throw NotImplemented("11.5 allowed_text");
}

}  // namespace tfs
