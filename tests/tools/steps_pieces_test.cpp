// tests/tools/steps_pieces_test.cpp · a step's file taken apart into its functions
#include <gtest/gtest.h>

#include "tools/steps/pieces.hpp"

namespace tfs::tools_test {

TEST(steps_pieces, a_constructor_ends_with_its_body_wherever_that_is) {
    for (const std::string constructor :
         {"Half::Half(int x)\n    : norm(x),\n      rows{x, 2} {}\n",
          "Half::Half(int x)\n    : a{x}\n    , b{x}\n{\n}\n",
          "Half::Half(int x) : a(x) {\n    if (x) { a = 1; }\n}\n",
          "Half::Half(int x)\n    : a(x) {\n    a = {1};\n}\n",
          "Half::Half(int x)\n{   int y = 1;\n    if (x) { a = y; }\n}\n", "Half::Half() {}\n"}) {
        const auto pieces = steps::pieces_of(constructor + "int Half::of(int x) const {\n    return x;\n}\n");
        ASSERT_EQ(pieces.size(), 2U) << constructor;
        EXPECT_EQ(steps::join_lines(pieces[0].lines), constructor);
        EXPECT_EQ(pieces[1].name, "Half::of");
    }
}

}  // namespace tfs::tools_test
