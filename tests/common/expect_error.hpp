// tests/common/expect_error.hpp · an error must be of the right kind, and its sentence must say what is wrong
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace tfs::test {

// Fails unless f() throws an ErrorType whose sentence contains every one of `parts`.
//     expect_error<ShapeError>([&] { matmul(a, b); }, {"matmul", "(2, 3)", "(4, 5)"});
template <class ErrorType, class Function>
void expect_error(const Function& f, const std::vector<std::string>& parts) {
    try {
        f();
    } catch (const ErrorType& error) {
        const std::string sentence = error.what();
        for (const std::string& part : parts) {
            EXPECT_NE(sentence.find(part), std::string::npos) << "'" << part << "' is not in: " << sentence;
        }
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << "more than one line: " << sentence;
        return;
    } catch (const std::exception& error) {
        FAIL() << "another kind of error: " << error.what();
    }
    FAIL() << "nothing was thrown; expected an error with '" << (parts.empty() ? "" : parts.front()) << "'";
}

}  // namespace tfs::test
