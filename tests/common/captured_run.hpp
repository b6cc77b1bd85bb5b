// tests/common/captured_run.hpp · a main function run with arguments, and what it printed
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace tfs::test {

struct CapturedRun {
    int code = -1;
    std::string out, err;
};

inline CapturedRun captured_run(std::vector<std::string> arguments,
                                const std::function<int(int argc, char** argv)>& main_function) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    CapturedRun run;
    run.code = main_function(static_cast<int>(arguments.size()), pointers.data());
    run.out = testing::internal::GetCapturedStdout();
    run.err = testing::internal::GetCapturedStderr();
    return run;
}

}  // namespace tfs::test
