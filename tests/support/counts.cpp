// tests/support/counts.cpp · one number counted in many cases
#include "tests/support/counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/text/units.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

void Counts::add(const std::string& where, std::size_t counted, std::size_t expected) {
    cases_.push_back({where, counted, expected});
}

testing::AssertionResult Counts::right() const {
    const auto wrong = [](const Case& one) { return one.counted != one.expected; };
    const auto first = std::find_if(cases_.begin(), cases_.end(), wrong);
    if (first == cases_.end()) return testing::AssertionSuccess();
    const auto others = std::count_if(first + 1, cases_.end(), wrong);
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << fmt::format("{}: got {}, expected {}", first->where, with_separators(first->counted),
                           with_separators(first->expected));
    if (others > 0) failure << fmt::format(" (and {} more of {} cases differ)", others, cases_.size());
    std::vector<std::size_t> all;
    for (const Case& one : cases_) all.push_back(one.counted);
    return failure << came(fmt::format("{}", fmt::join(all, " ")));
}

}  // namespace tfs::test
