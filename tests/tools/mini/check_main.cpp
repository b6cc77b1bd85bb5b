// tests/tools/mini/check_main.cpp · the checklist of both steps: two tests, told over --report-to=FD as the real ones do
//
// It is compiled with the tests of the tools and not with the mini tutorial, whose checks are linked with it. The name
// of the program says which step it checks.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "chapters/00_little/little.hpp"
#include "tools/verdict/channel.hpp"

namespace {

struct Check {
    const char* name;
    int x;
};

// What gtest says of an exception.
std::string thrown(const std::string& what) {
    return "C++ exception with description \"" + what + "\" thrown in the test body.";
}

// The message of the failure, as of an EXPECT_TRUE of gtest; empty where the check passes.
std::string failure_of(int (*step)(int), int x, int expected) {
    try {
        const int result = step(x);
        if (result == expected) return "";
        return "Value of: is(step(x), expected)\n  Actual: false (of " + std::to_string(x) + " got " +
               std::to_string(result) + ", expected " + std::to_string(expected) + ")\nExpected: true";
    } catch (const NotImplemented& error) {
        return thrown(std::string("not started: step ") + error.step);
    } catch (const std::exception& error) {
        return thrown(error.what());
    }
}

}  // namespace

int main(int count, char** arguments) {
    constexpr const char* flag = "--report-to=";
    int descriptor = -1;
    for (int i = 1; i < count; ++i)
        if (std::strncmp(arguments[i], flag, std::strlen(flag)) == 0)
            descriptor = std::atoi(arguments[i] + std::strlen(flag));
    const tfs::verdict::Channel channel(descriptor);
    const bool doubles = std::string_view(arguments[0]).ends_with("_double_it");
    bool all = true;
    channel.plan(2);
    for (const Check& check : {Check{"of_a_small_number", 6}, Check{"of_zero", 0}}) {
        channel.start(doubles ? "double_it" : "halve_it", check.name);
        const std::string failure =
            failure_of(doubles ? double_it : halve_it, check.x, doubles ? 2 * check.x : check.x / 2);
        if (!failure.empty()) channel.failure({failure});
        channel.end(failure.empty() ? "passed" : "failed");
        all = all && failure.empty();
    }
    channel.done();
    return all ? 0 : 1;
}
