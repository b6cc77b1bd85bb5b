// tests/11_generation/text_rules.cpp · dates and lines by another way: what may follow, and which mistake a rule makes
#include "tests/11_generation/text_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_set>

namespace tfs::test {
namespace {

// Bytes that begin a character.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The lines are right, and the last one can still become so.
bool lines_can_be_right(const std::string& text) {
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string_view line(text.data() + begin, end - begin);
        if (!line.ends_with(' ') || characters(line) > 40) return false;
    }
    const std::string_view last(text.data() + begin, text.size() - begin);
    return characters(last) < 40 || (characters(last) == 40 && last.ends_with(' '));
}

// The same rule, for texts that it may not expect: false where it throws.
MayFollow without_errors(const MayFollow& rule) {
    return [&rule](std::string_view written, std::string_view next) {
        try {
            return rule(written, next);
        } catch (const NotImplemented&) {
            throw;
        } catch (const std::exception&) {
            return false;
        }
    };
}

// The first symptom that is seen.
struct Symptom {
    bool seen;
    std::string cause;
};

std::string first_seen(const std::vector<Symptom>& symptoms) {
    for (const auto& [seen, cause] : symptoms)
        if (seen) return likely_if(true, cause);
    return {};
}

}  // namespace

const std::vector<std::string>& beginnings_by_calendar() {
    static const std::vector<std::string> all = [] {
        using namespace std::chrono;
        std::vector<std::string> found{""};
        std::string before;
        for (sys_days day = 1950y / January / 1; day < sys_days(2050y / January / 1); day += days(1)) {
            const year_month_day date(day);
            const std::string text =
                fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()),
                            static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
            // Those that the day before has as well are there already.
            for (std::size_t length = 1; length <= text.size(); ++length)
                if (text.compare(0, length, before, 0, length) != 0) found.push_back(text.substr(0, length));
            before = text;
        }
        return found;
    }();
    return all;
}

bool date_goes_on(std::string_view written, std::string_view next) {
    static const std::unordered_set<std::string> all(beginnings_by_calendar().begin(),
                                                     beginnings_by_calendar().end());
    const std::string text = std::string(written) + std::string(next);
    return all.contains(text) && (!next.empty() || text.size() == 10);
}

bool line_goes_on(std::string_view written, std::string_view next) {
    return next.empty() || lines_can_be_right(std::string(written) + std::string(next));
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '\n') {
            result += "\\n";
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string wrong_after(const MayFollow& rule, const MayFollow& right, const std::string& written,
                        const std::vector<std::string>& nexts) {
    for (const std::string& next : nexts) {
        const bool allowed = rule(written, next);
        if (allowed == right(written, next)) continue;
        return fmt::format("after {} {} {}", quoted(written), next.empty() ? "the end" : quoted(next),
                           allowed ? "is allowed, and must not be" : "is not allowed, and must be");
    }
    return {};
}

std::string cause_of_dates(const MayFollow& its_rule) {
    const MayFollow rule = without_errors(its_rule);
    const auto any = [&](const std::string& written, const std::string& nexts) {
        return std::any_of(nexts.begin(), nexts.end(),
                           [&](char next) { return rule(written, std::string(1, next)); });
    };
    const auto all = [&](const std::string& written, const std::string& nexts) {
        return std::all_of(nexts.begin(), nexts.end(),
                           [&](char next) { return rule(written, std::string(1, next)); });
    };
    const bool third_ten = rule("1998-02-", "3"), long_april = rule("1998-04-3", "1");
    return first_seen(
        {{!rule("", "1"), "nothing may be written at first; every date begins with an empty text"},
         {all("", "09") && all("1", "08") && third_ten,
          "only the whole date is checked; a text is allowed only if a date begins with it, else it ends in "
          "a dead end"},
         {!rule("1998-03-03", ""), "a whole date may not end"},
         {rule("1998-03", "") || rule("1998-03-0", "") || rule("", ""),
          "the text may end before the date is whole; its end is for a whole date"},
         {any("1998-03-03", "0123456789- T"), "something may follow a whole date; only the end may"},
         {any("199", "-a /") || any("1998-0", "-a :/"),
          "a character that is no digit takes the place of one"},
         {any("1998", "0123456789/. ") || any("1998-03", "0123456789/. "),
          "between year, month and day there is a \"-\", and nothing else"},
         {any("19", "01234") || any("20", "56789") || any("", "03456789") || any("1", "012345678") ||
              any("2", "123456789"),
          "a year before 1950 or after 2049 is allowed, or begun"},
         {!all("19", "56789") || !all("20", "01234") || !all("195", "0123456789") ||
              !all("204", "0123456789"),
          "a year from 1950 to 2049 is refused"},
         {any("1998-", "23456789"), "a month begins with 0 or 1; after another digit there is no month"},
         {any("1998-0", "0"), "there is no month 00"},
         {any("1998-1", "3456789"), "after 1 the month may go on with 0, 1 or 2 only"},
         {!all("1998-0", "123456789") || !all("1998-1", "012"), "a month from 01 to 12 is refused"},
         {any("1998-03-0", "0"), "there is no day 00"},
         {any("1998-03-", "456789"), "a day begins with 0, 1, 2 or 3; after another digit there is no day"},
         {any("1998-03-3", "23456789"), "after 3 the day may go on with 0 or 1 only"},
         {third_ten && long_april, "every month is given 31 days"},
         {third_ten, "a day that begins with 3 is allowed in February, where none does: a dead end"},
         {long_april || any("1998-06-3", "1") || any("1998-09-3", "1") || any("1998-11-3", "1"),
          "a month of 30 days is given 31"},
         {!all("1998-01-3", "01") || !all("1998-07-3", "01") || !all("1998-08-3", "01") ||
              !all("1998-12-3", "01"),
          "a month of 31 days is given 30"},
         {any("1998-02-2", "9"), "29 February is allowed in a year that is no leap year"},
         {!all("1996-02-2", "9"), "29 February is refused in a leap year"},
         {!all("2000-02-2", "9"), "2000 is a leap year: 400 divides it"},
         {!all("1998-02-2", "8"), "28 February is refused"}});
}

std::string cause_of_lines(const MayFollow& its_rule) {
    const MayFollow rule = without_errors(its_rule);
    const auto a = [](std::size_t count) { return std::string(count, 'a'); };
    const std::string full = a(39) + " ", e = "é", line = full + "\n";
    const auto many_e = [](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += "é";
        return text;
    };
    // Whether the rule treats so many é, and what is behind them, otherwise than letters of one byte.
    const auto counts_bytes = [&](std::size_t count, const std::string& behind, const std::string& next) {
        return rule(many_e(count) + behind, next) != rule(a(count) + behind, next);
    };
    const bool long_first = rule(full, "a") || rule(full, " "), word_first = rule(a(39), "a");
    return first_seen(
        {{!rule("", "a"), "nothing may be written at first"},
         {!rule("", "") || !rule("a", "") || !rule("a ", ""), "the text may not end; it may end anywhere"},
         {word_first && rule(a(40), " "),
          "the space is wanted as character 41; it is one of the 40, so character 40 is a space"},
         {word_first,
          "character 40 may be another one than a space: then the line can't end, and nothing may "
          "follow, a dead end"},
         {rule(a(39), "\t"), "character 40 is a space, \" \", and no other white space"},
         {long_first, "a line of 41 characters is allowed; 40 are the most"},
         {!rule(a(38), "a"), "the space is wanted too early: characters up to the 39th may be any"},
         {!rule(a(39), " "), "character 40 may be a space"},
         {rule("a", "\n") || rule(a(20), "\n"), "a new line is allowed after a character that is no space"},
         {rule("", "\n") || rule("a \n", "\n"), "an empty line is allowed; it does not end with a space"},
         {!rule("a ", "\n"), "a new line is refused after a space; a line may be shorter than 40 characters"},
         {!rule(full, "\n"), "after 40 characters, the last a space, a new line must be allowed"},
         {!rule("a ", " "), "a second space is refused; only the last character of a line matters"},
         {!rule(line, "a") || rule("a \n" + a(39), "a") || !rule("a \n" + a(38), "a"),
          "the characters of earlier lines are counted, too, or the new line is; count from behind the last "
          "new line"},
         {!rule("a \na \n" + a(38), "a") || rule("a \na \n" + a(39), "a"),
          "the length is right in the second line and wrong in the third: count from behind the LAST new "
          "line"},
         {!rule(many_e(30), "a") || !rule(a(38), e) || rule(a(39), e) || counts_bytes(20, "", "a") ||
              counts_bytes(19, " ", "a") || counts_bytes(39, " ", "a") || counts_bytes(39, " ", "\n"),
          "bytes are counted; \"é\" is one character of two bytes"}});
}

Walk random_walk(const MayFollow& rule, const std::vector<std::string>& nexts, std::size_t length, Rng& rng) {
    Walk walk;
    for (std::size_t i = 0; i < length && !walk.ended; ++i) {
        std::vector<std::string> allowed;
        std::copy_if(nexts.begin(), nexts.end(), std::back_inserter(allowed),
                     [&](const std::string& next) { return rule(walk.text, next); });
        walk.stuck = allowed.empty();
        if (walk.stuck) break;
        const std::string& next = allowed[rng.below(allowed.size())];
        walk.text += next;
        walk.ended = next.empty();
    }
    return walk;
}

}  // namespace tfs::test
