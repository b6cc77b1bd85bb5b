// tests/support/counts.cpp · one number counted in many cases, and the mistake behind the wrong ones
#include "tests/support/counts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/text/units.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

void Counts::add(const std::string& where, std::size_t counted, std::size_t expected,
                 const std::vector<WrongCount>& suspects) {
    cases_.push_back({where, counted, expected, suspects});
}

testing::AssertionResult Counts::right() const {
    const auto first = std::find_if(cases_.begin(), cases_.end(), wrong);
    if (first == cases_.end()) return testing::AssertionSuccess();
    const auto others = std::count_if(first + 1, cases_.end(), wrong);
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << fmt::format("{}: got {}, expected {}", first->where, with_separators(first->counted),
                           with_separators(first->expected));
    if (others > 0) failure << fmt::format(" (and {} more of {} cases differ)", others, cases_.size());
    for (const std::string& cause : causes()) failure << likely_if(true, cause);
    return failure;
}

bool Counts::explains(const std::function<bool(const Case&)>& mistake) const {
    return std::all_of(cases_.begin(), cases_.end(), mistake);
}

std::vector<std::string> Counts::causes() const {
    std::vector<std::string> found;
    const auto tell = [&](bool explained, const std::string& cause) {
        if (explained && std::find(found.begin(), found.end(), cause) == found.end()) found.push_back(cause);
    };
    const std::vector<WrongCount>& mistakes = cases_.front().suspects;
    for (std::size_t i = 0; i < mistakes.size(); ++i)
        tell(explains([i](const Case& one) { return one.suspects.at(i).count == one.counted; }),
             mistakes[i].message);
    // The low 32 bits are right, whatever was multiplied first.
    tell(explains([](const Case& one) { return (one.counted - one.expected) % (std::size_t{1} << 32) == 0; }),
         "the count is more than 2^32: int is too narrow, count in std::size_t");
    return found;
}

}  // namespace tfs::test
