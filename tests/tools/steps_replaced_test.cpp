// tests/tools/steps_replaced_test.cpp · what contracts said in earlier versions
#include <gtest/gtest.h>

#include "tests/tools/error_of.hpp"
#include "tests/tools/temporary_folder.hpp"
#include "tools/steps/replaced.hpp"

namespace tfs::tools_test {

namespace {

std::vector<steps::Replaced> of_this_repository() {
    steps::Tutorial tutorial;
    tutorial.root = TFS_TOOLS_SOURCE_DIR;
    return steps::read_replaced(tutorial);
}

// What is told of a line of which the compiler says this.
std::string told(const std::string& line, const std::string& said, const std::string& step = "embed") {
    const steps::Lines sentences =
        steps::replaced_in({{line, {"embed.cpp:3:4: error: " + said}}}, step, of_this_repository());
    return sentences.empty() ? "" : sentences[0].substr(0, sentences[0].find(' '));
}

}  // namespace

TEST(steps_replaced, what_gcc_and_clang_say_of_earlier_contracts_is_known) {
    const std::string positions = "    n = config.positions == Positions::learned ? 1 : 0;";
    EXPECT_EQ(told(positions, "‘const struct TransformerConfig’ has no member named ‘positions’"),
              "positions");
    EXPECT_EQ(told(positions, "use of undeclared identifier 'Positions'; did you mean 'NoPositions'?"),
              "positions");
    EXPECT_EQ(told("    n = config.max_len * 2;", "reference to non-static member function must be called"),
              "max_len");
    EXPECT_EQ(told("    pass.with_earlier(0, own);", "no member named 'with_earlier' in 'tfs::Pass'"), "a");
    for (const char* said : {"cannot convert ‘const tfs::Offset’ to ‘const std::size_t’ in initialization",
                             "no match for ‘operator>’ (operand types are ‘const tfs::Offset’ and ‘int’)",
                             "invalid ‘static_cast’ from type ‘const tfs::Offset’ to type ‘int’",
                             "no viable conversion from 'const tfs::Offset' to 'const std::size_t'",
                             "value of type 'const tfs::Offset' is not contextually convertible to 'bool'"})
        EXPECT_EQ(told("    const std::size_t first = pass.offset;", said), "pass.offset") << said;
    for (const char* said :
         {"cannot convert ‘tfs::Rng*’ to ‘const tfs::Pass&’",
          "reference to type 'const tfs::Pass' could not bind to an lvalue of type 'Rng *'",
          "no known conversion from 'tfs::Rng *const' to 'const tfs::Pass' for 2nd argument"})
        EXPECT_EQ(told("    return feed_forward(x, pass.rng);", said), "what") << said;
}

TEST(steps_replaced, other_errors_are_not_put_down_to_an_earlier_contract) {
    EXPECT_EQ(told("    x = x + 1;  // Positions::learned", "‘Positions’ has not been declared"), "");
    EXPECT_EQ(told("    n = my_config.max_length;", "no member named 'max_length'"), "");
    EXPECT_EQ(told("    x = (*sinusoids)(y, pass.offset);", "‘y’ was not declared in this scope"), "");
    EXPECT_EQ(told("    x = (*sinusoids)(ids, pass.offset);",
                   "no match for call to ‘(const SinusoidalPositionalEncoding) (const Ids&, const Offset&)’"),
              "");
}

TEST(steps_replaced, a_name_that_is_not_declared_is_put_down_to_a_contract_only_in_its_steps) {
    const std::string line = "    return dropout(x, 0.1, rng);",
                      said = "‘rng’ was not declared in this scope";
    EXPECT_EQ(told(line, said, "dropout"), "");
    EXPECT_EQ(told(line, said, "block_forward"), "the");
}

TEST(steps_replaced, a_line_without_four_parts_is_refused) {
    const TemporaryFolder folder;
    steps::Tutorial tutorial;
    tutorial.root = folder.path();
    EXPECT_TRUE(steps::read_replaced(tutorial).empty());
    folder.write("solutions/earlier_contracts.txt", "# a comment\n\n* | a | b | c | d\n");
    EXPECT_EQ(error_of([&] { steps::read_replaced(tutorial); }),
              "solutions/earlier_contracts.txt: this line has not four parts: * | a | b | c | d");
}

}  // namespace tfs::tools_test
