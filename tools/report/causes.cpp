// tools/report/causes.cpp · which of the known mistakes make a learner's step fail as it does
#include "tools/report/causes.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

namespace tfs::report {

namespace {

// Rounding is not the same in another order of operations.
bool is_near(double a, double b, double relative, double absolute) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= std::max(absolute, 1e-6) + std::max(relative, 1e-4) * std::abs(b);
}

bool begins_number(const std::string& text, std::size_t at) {
    const auto digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
    };
    return digit(at) || ((text[at] == '-' || text[at] == '.') && digit(at + 1));
}

// Equal texts, but that numbers with a fraction may differ by rounding, and a NaN has no sign.
bool same(const std::string& a, const std::string& b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (begins_number(a, i) && begins_number(b, j)) {
            char *a_end = nullptr, *b_end = nullptr;
            const double x = std::strtod(a.c_str() + i, &a_end), y = std::strtod(b.c_str() + j, &b_end);
            const std::string first(a.c_str() + i, static_cast<const char*>(a_end)),
                second(b.c_str() + j, static_cast<const char*>(b_end));
            const bool fraction = (first + second).find_first_of(".e") != std::string::npos;
            if (fraction ? !is_near(x, y, 0, 0) : first != second) return false;
            i += first.size(), j += second.size();
            continue;
        }
        if (a.compare(i, 4, "-nan") == 0) ++i;
        if (b.compare(j, 4, "-nan") == 0) ++j;
        if (a[i++] != b[j++]) return false;
    }
    return i == a.size() && j == b.size();
}

bool same(const Came& a, const Came& b) {
    if (a.shape != b.shape || !same(a.text, b.text) || a.values.size() != b.values.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (!is_near(a.values[i], b.values[i], 2 * a.relative, 2 * a.absolute)) return false;
    return true;
}

bool same(const Failure& a, const Failure& b) {
    if (a.where != b.where || a.exception != b.exception) return false;
    return a.came.any() ? same(a.came, b.came) : same(a.message, b.message);
}

bool same(const Outcome& a, const Outcome& b) {
    return a.finished == b.finished &&
           std::equal(a.failures.begin(), a.failures.end(), b.failures.begin(), b.failures.end(),
                      [](const Failure& x, const Failure& y) { return same(x, y); });
}

const Outcome* test_named(const Record& record, const Outcome& test) {
    const auto found = std::find_if(
        record.outcomes.begin(), record.outcomes.end(),
        [&](const Outcome& other) { return other.step == test.step && other.name == test.name; });
    return found == record.outcomes.end() ? nullptr : &*found;
}

// Bits of a set of her failed tests.
using Tests = std::vector<bool>;

bool within(const Tests& a, const Tests& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] && !b[i]) return false;
    return true;
}

Tests both(Tests a, const Tests& b, bool either) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = either ? a[i] || b[i] : a[i] && b[i];
    return a;
}

struct Candidate {
    const Known* known;
    Tests explained, failed;  // failed: explained or not
};

}  // namespace

std::vector<Cause> causes_of(const Record& hers, const Ending& ending, const std::vector<Known>& mistakes) {
    std::vector<const Outcome*> failed;
    for (const Outcome& test : hers.outcomes)
        if (test.failed()) failed.push_back(&test);
    const Tests none(failed.size(), false), all(failed.size(), true);

    std::vector<Candidate> candidates;
    for (const Known& known : mistakes) {
        Candidate candidate{&known, none, none};
        for (std::size_t i = 0; i < failed.size(); ++i) {
            const Outcome* const other = test_named(known.record, *failed[i]);
            if (other == nullptr || other->passed || other->left_out) continue;
            candidate.failed[i] = true;
            candidate.explained[i] =
                same(*failed[i], *other) &&
                (other->finished || (known.record.ending.kind == ending.kind &&
                                     (known.record.ending.kind == Ending::Kind::time_limit ||
                                      known.record.ending.code == ending.code)));
        }
        const bool fails_more =
            std::any_of(known.record.outcomes.begin(), known.record.outcomes.end(), [&](const Outcome& test) {
                const Outcome* const her = test_named(hers, test);
                return test.failed() && her != nullptr && her->passed;
            });
        if (!fails_more && candidate.explained != none) candidates.push_back(candidate);
    }

    // The smallest set; of equally small ones the first, but of single mistakes with different sentences none.
    std::vector<Candidate> chosen;
    const auto explains = [&](const std::vector<Candidate>& set) {
        Tests explained = none;
        for (const Candidate& c : set) explained = both(explained, c.explained, true);
        return explained == all;
    };
    std::vector<Candidate> strict;
    for (const Candidate& c : candidates)
        if (c.failed == c.explained) strict.push_back(c);
    for (const Candidate& c : strict)
        if (chosen.empty() && explains({c})) chosen = {c};
    for (std::size_t i = 0; i < strict.size() && chosen.empty(); ++i)
        for (std::size_t j = i + 1; j < strict.size() && chosen.empty(); ++j)
            if (explains({strict[i], strict[j]})) chosen = {strict[i], strict[j]};
    for (std::size_t i = 0; i < strict.size() && chosen.empty(); ++i)
        for (std::size_t j = i + 1; j < strict.size() && chosen.empty(); ++j)
            for (std::size_t k = j + 1; k < strict.size() && chosen.empty(); ++k)
                if (explains({strict[i], strict[j], strict[k]})) chosen = {strict[i], strict[j], strict[k]};
    // Two that meet in some tests, whose values are then those of neither.
    for (std::size_t i = 0; i < candidates.size() && chosen.empty(); ++i)
        for (std::size_t j = i + 1; j < candidates.size() && chosen.empty(); ++j) {
            const Candidate &a = candidates[i], &b = candidates[j];
            const Tests meet = both(a.failed, b.failed, false), alone = both(a.explained, b.explained, true);
            if (both(meet, alone, true) == all && within(a.failed, both(a.explained, b.failed, true)) &&
                within(b.failed, both(b.explained, a.failed, true)) && !within(a.explained, b.explained) &&
                !within(b.explained, a.explained))
                chosen = {a, b};
        }

    std::vector<Cause> causes;
    for (const Candidate& c : chosen)
        for (const std::string& sentence : c.known->sentences) {
            if (std::any_of(causes.begin(), causes.end(),
                            [&](const Cause& told) { return told.sentence == sentence; }))
                continue;
            Cause cause{sentence, {}};
            for (std::size_t i = 0; i < failed.size(); ++i)
                if (c.explained[i]) cause.tests.push_back(failed[i]->name);
            causes.push_back(cause);
        }
    return causes;
}

}  // namespace tfs::report
