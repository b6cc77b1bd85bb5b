// tests/support/gradients_reach.cpp · which parameters a backward pass reaches
#include "tests/support/gradients_reach.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

// The shortest beginning of the name, up to a dot, under which no parameter received a gradient; else the name itself.
std::string without_gradient(const std::string& name, const Parameters& parameters) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        const std::string prefix = name.substr(0, dot + 1);
        if (std::none_of(parameters.begin(), parameters.end(), [&](const NamedTensor& p) {
                return p.name.starts_with(prefix) && p.tensor.has_grad();
            }))
            return prefix;
    }
    return name;
}

}  // namespace

testing::AssertionResult gradients_reach(const Parameters& parameters) {
    std::set<std::string> missing;
    std::size_t count = 0;
    for (const NamedTensor& p : parameters) {
        if (p.tensor.has_grad()) continue;
        missing.insert(without_gradient(p.name, parameters));
        ++count;
    }
    if (count == 0) return testing::AssertionSuccess();
    const std::string text =
        count == parameters.size()
            ? fmt::format("none of the {} parameters received a gradient: the way to them is cut", count)
            : fmt::format(
                  "nothing under {} received a gradient ({} of {} parameters): it is not used, or the "
                  "way to it is cut",
                  fmt::join(missing, ", "), count, parameters.size());
    return testing::AssertionFailure() << text;
}

}  // namespace tfs::test
