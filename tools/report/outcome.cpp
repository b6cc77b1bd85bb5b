// tools/report/outcome.cpp · what the tests of one step came to
#include "tools/report/outcome.hpp"

#include <algorithm>

namespace tfs::report {

namespace {

constexpr std::string_view not_started_prefix = "not started: step ";

}  // namespace

std::string Outcome::waits_for() const {
    for (const Failure& failure : failures) {
        const std::string& message = failure.message;
        const std::size_t at = message.find(not_started_prefix);
        if (at == std::string::npos) continue;
        const std::size_t begin = at + not_started_prefix.size();
        return message.substr(begin, message.find_first_of("\"\n", begin) - begin);
    }
    return {};
}

bool Outcome::not_started() const { return !step.empty() && waits_for().ends_with(" " + step); }

bool Outcome::failed() const { return !passed && !left_out && waits_for().empty(); }

std::string in_words(std::string test_name) {
    std::replace(test_name.begin(), test_name.end(), '_', ' ');
    return test_name;
}

}  // namespace tfs::report
