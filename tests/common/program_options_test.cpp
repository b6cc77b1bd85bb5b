// tests/common/program_options_test.cpp · the options that the programs share
#include "common/program/option.hpp"

#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(options, refuse_what_does_not_fit_and_say_it) {
    EXPECT_EQ(tokens_of_text("a b c", 3), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(refuses<ValueError>([] { tokens_of_text("a b c", 2); }, {"--text", "3 tokens", "at most 2"}));
    EXPECT_TRUE(refuses<ValueError>([] { tokens_of_text("a b", 1, "--target"); }, {"--target", "2 tokens"}));
    EXPECT_TRUE(refuses<ValueError>([] { tokens_of_text(" ", 1, "--target"); }, {"--target is empty"}));
    EXPECT_EQ(tokens_of_text("a\x1b[2J \u202Eb", 2), (Tokens{"a\\x1b[2J", "\\xe2\\x80\\xaeb"}));
    require_between("--d-model", 4, 4, 4);
    EXPECT_TRUE(
        refuses<ValueError>([] { require_between("--d-model", 3, 4, 8); }, {"--d-model 3", "4 and 8"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { require_between("--d-model", 9, 4, 8); }, {"--d-model 9", "4 and 8"}));
    require_heads(4, 8);
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(3, 8); }, {"--heads 3", "--d-model 8"}));
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(0, 8); }, {"--heads 0: must be at least 1"}));
}

}  // namespace
}  // namespace tfs::test
