// tests/support/refusal.hpp · bad input must be refused: by the right error, in one sentence that names the numbers
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace tfs::test {

// Success where call() throws an ErrorType whose sentence, of one line, contains each of `named`. A number is looked for
// as a whole: "1" is not in "10" or "0.1". Of "12|17", one is enough.
//     EXPECT_TRUE(refuses<ShapeError>([&] { return layer(x); }, {"(2, 3, 8)", "(10, 6)"}));
//     EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(7, 16); }, {"7"}, "d_k 7"));
// Else the failure begins with `what` was called, and says what came instead. NotImplemented passes through: the step is
// not started.
// ErrorType: ShapeError, ValueError, FileError, or Error for any of them.
template <class ErrorType>
testing::AssertionResult refuses(const std::function<void()>& call, const std::vector<std::string>& named,
                                 const std::string& what = {});

// One of our errors comes, with each of these in its sentence.
#define EXPECT_REFUSED(call, ...) EXPECT_TRUE(refuses<Error>([&] { (void)(call); }, {__VA_ARGS__}, #call))

// Many such calls: each must be refused by what it names.
struct Refused {
    std::function<void()> call;
    std::vector<std::string> named;
};
template <class ErrorType>
void expect_refused(const std::vector<Refused>& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_TRUE(refuses<ErrorType>(all[i].call, all[i].named)) << "call " << i << " of the table";
}

// What a call threw.
struct Thrown {
    std::string
        type;  // "ShapeError"; of what is none of this project's, "error of another library"; empty where nothing came
    std::string sentence;
};
Thrown thrown_by(const std::function<void()>& call);

// Whether the sentence contains this part: as above, with whole numbers and "12|17".
bool names(const std::string& sentence, const std::string& part);

}  // namespace tfs::test
