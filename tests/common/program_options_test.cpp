// tests/common/program_options_test.cpp · the options that the programs share
#include "common/program/options.hpp"

#include <filesystem>
#include <sstream>

#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

LineFigure a_figure() {
    return {.name = "line",
            .title = "A line",
            .panels = {{.title = "",
                        .x_axis = "x",
                        .y_axis = "y",
                        .series = {{.name = "y", .x = {0, 1}, .y = {0, 1}}}}}};
}

TEST(figures, none_are_drawn_without_a_folder) {
    Figures figures(ShowOptions{});
    figures.save(a_figure());
    std::ostringstream out;
    figures.report(out);
    EXPECT_EQ(out.str(), "");
}

TEST(figures, are_drawn_into_the_folder_and_reported) {
    const ScratchFolder folder;
    Figures figures(ShowOptions{.plots = folder.path().string()});
    figures.save(a_figure());
    std::ostringstream out;
    figures.report(out);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "line.gp"));
    EXPECT_NE(out.str().find(folder.path().string()), std::string::npos);
}

TEST(figures, a_folder_in_which_nothing_was_drawn_is_said_to_be_empty) {
    const ScratchFolder folder;
    std::ostringstream out;
    Figures(ShowOptions{.plots = folder.path().string()}).report(out);
    EXPECT_NE(out.str().find("No figure was drawn"), std::string::npos);
}

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
