// tests/tools/steps_text_test.cpp · lines, files that are written as a whole, and hints
#include <gtest/gtest.h>

#include <chrono>

#include "tests/tools/checks.hpp"
#include "tools/steps/text.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::tools_test {

namespace {

std::vector<std::string> hints_in(const std::string& text) {
    const TemporaryFolder folder;
    if (!text.empty()) folder.write("chapters/01_numbers/hints.md", text);
    steps::Tutorial tutorial;
    tutorial.root = folder.path();
    steps::Step step;
    step.name = "add";
    step.folder = "01_numbers";
    return steps::hints_of(tutorial, step);
}

}  // namespace

TEST(steps_text, a_text_is_split_at_line_ends_of_both_kinds) {
    EXPECT_EQ(steps::split_lines(""), steps::Lines{});
    EXPECT_EQ(steps::split_lines("\n"), steps::Lines{""});
    EXPECT_EQ(steps::split_lines("a\n\nb"), (steps::Lines{"a", "", "b"}));
    EXPECT_EQ(steps::split_lines("a\r\nb\r\n"), (steps::Lines{"a", "b"}));
    EXPECT_EQ(steps::split_lines("\xef\xbb\xbf\u00e4\nb"), (steps::Lines{"\u00e4", "b"}))
        << "a byte order mark";
}

TEST(steps_text, what_is_overwritten_is_replaced_as_a_whole_and_nothing_is_left_beside_it) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("a/b/c.txt", "the old text");  // with the folders that it needs
    fs::create_hard_link(file, folder.path() / "link.txt");
    steps::write_text(file, "new");
    EXPECT_EQ(steps::read_text(file), "new");
    EXPECT_EQ(steps::read_text(folder.path() / "link.txt"), "the old text");  // not written in its place
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);
}

TEST(steps_text, a_file_that_has_the_text_already_keeps_its_time) {
    const TemporaryFolder folder;
    const fs::path file = folder.write("a.txt", "text");
    const auto long_ago = fs::last_write_time(file) - std::chrono::hours(24);
    fs::last_write_time(file, long_ago);
    steps::write_text(file, "text");
    EXPECT_TRUE(fs::last_write_time(file) == long_ago);
    steps::write_text(file, "TEXT");
    EXPECT_FALSE(fs::last_write_time(file) == long_ago);
}

TEST(steps_text, what_cant_be_written_or_read_is_told_in_one_sentence) {
    const TemporaryFolder folder;
    const fs::path below_file = folder.write("file", "") / "a.txt", absent = folder.path() / "absent";
    EXPECT_EQ(error_of([&] { return steps::write_text(below_file, "text"), 0; }),
              below_file.string() + " can't be written");
    for (const fs::path& path : {absent, folder.path()})
        EXPECT_EQ(error_of([&] { return steps::read_text(path); }), path.string() + " can't be read");
}

TEST(steps_text, hints_are_the_items_of_the_section_of_the_step) {
    const std::vector<std::string> expected = {"Think.", "Think more,\nlonger:\n\n    indented code",
                                               "Look."};
    EXPECT_EQ(
        hints_in(
            "# Hints\n\n## multiply\n1. Not this.\n\n## add\nHere they are.\n1. Think.\n\n2. Think more,\n"
            "   longer:\n\n       indented code\n\n3.  Look.\n\n## divide\n1. Nor this.\n"),
        expected);
}

TEST(steps_text, without_the_file_or_the_section_there_are_no_hints) {
    EXPECT_TRUE(hints_in("").empty());
    EXPECT_TRUE(hints_in("## add_more\n1. Think.\n").empty());
    EXPECT_TRUE(hints_in("## add\nNo item.\n").empty());
}

}  // namespace tfs::tools_test
