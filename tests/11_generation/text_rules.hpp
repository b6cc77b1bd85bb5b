// tests/11_generation/text_rules.hpp · dates and lines by another way: what may follow, and which mistake a rule makes
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// By the calendar of the standard library, day by day; by the lines of the whole text.
bool date_goes_on(std::string_view written, std::string_view next);
bool line_goes_on(std::string_view written, std::string_view next);
// Every date, and everything that a date begins with, in order.
const std::vector<std::string>& beginnings_by_calendar();

// What a rule says wrongly after this text; empty where it is right about all of `nexts`.
std::string wrong_after(const MayFollow& rule, const MayFollow& right, const std::string& written,
                        const std::vector<std::string>& nexts);

// The likely cause, from what the rule says about a few texts; empty where it is right about them.
std::string cause_of_dates(const MayFollow& rule);
std::string cause_of_lines(const MayFollow& rule);

// A text in quotes, with \n for a new line.
std::string quoted(const std::string& text);

// A text of at most `length` characters, each drawn from those of `nexts` that the rule allows; the end, if it is drawn, is the last
// one. `stuck`: nothing could follow.
struct Walk {
    std::string text;
    bool stuck = false, ended = false;
};
Walk random_walk(const MayFollow& rule, const std::vector<std::string>& nexts, std::size_t length, Rng& rng);

}  // namespace tfs::test
