// tests/tools/runner_terminal_test.cpp · colours, cursor codes and widths, on terminals of all kinds and without one
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

const std::string escape = "\x1b", red = "\x1b[31m", clear_line = "\r\x1b[K";

// A check of a wrong step; something is compiled, so there is progress to show.
Result wrong_check(const Options& options) {
    static int number = 100;  // so that the file differs each time
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x == 0 ? 0 : " + std::to_string(++number) + ";");
    return mini.run({"check", "0.1"}, options);
}

// All that the commands say that are not about files: no line of it has to be wider than the terminal.
std::string said_in_all_states(const Options& options) {
    const MiniTutorial& mini = shared_tutorial();
    std::string all;
    const auto add = [&](const std::vector<std::string>& words) {
        const Result told = mini.run(words, options);
        all += told.out + told.err;
    };
    steps::write_text(
        mini.root() / "chapters/00_little/hints.md",
        "## double_it\n1. A hint that is so long that on a narrow terminal it takes two rows or even more "
        "of them.\n   - and an item that is long, too, so that it takes at least two rows\n");
    add({"--help"});
    add({});
    add({"hint", "0.1"});
    add({"hint", "0.1"});
    add({"check"});
    mini.write("double_it", "    if (x == 0) return 1;\n    throw NotImplemented(\"0.1 double_it\");");
    add({"check", "0.1"});
    mini.write("double_it", "    if (x == 0) throw NotImplemented(\"0.1 double_it\");\n    return 2 * x;");
    add({"check", "0.1"});
    add({});
    mini.write("double_it", "    return *(volatile int*)nullptr + x;");
    add({"check", "0.1"});
    mini.write("double_it", "    exit(x);", "#include <stdlib.h>");
    add({"check", "0.1"});
    mini.write("double_it", "    return x * x;");
    add({"check", "0.1"});
    add({});
    mini.solve("double_it");
    mini.solve("halve_it");
    add({"check"});
    add({});
    add({"reset", "0.1"});
    return all;
}

// A path can't be wrapped: a line that is one word behind its margin may be wider.
bool is_one_word(const std::string& line) { return steps::trimmed(line).find(' ') == std::string_view::npos; }

}  // namespace

TEST(runner_terminal, without_a_terminal_nothing_is_coloured) {
    const Result told = wrong_check({});
    EXPECT_FALSE(contains(told.out + told.err, escape));
    EXPECT_FALSE(contains(told.out + told.err, "\r"));
    EXPECT_TRUE(contains(told.out, "FAILED"));
}

TEST(runner_terminal, a_terminal_shows_colours_and_progress) {
    const Result told = wrong_check({.terminal_columns = 100});
    EXPECT_TRUE(contains(told.out, red + "FAILED"));
    EXPECT_TRUE(contains(told.out, clear_line + "["));
    EXPECT_TRUE(contains(told.out, "compiling exercises/00_little/double_it.cpp"));
    EXPECT_TRUE(contains(told.out, clear_line + "0.1 double_it ")) << "the progress is gone at the end";
}

TEST(runner_terminal, a_dumb_terminal_shows_neither) {
    const Result told = wrong_check({.environment = {"TERM=dumb"}, .terminal_columns = 100});
    EXPECT_FALSE(contains(told.out, escape));
    EXPECT_FALSE(contains(told.out, "\r"));
    EXPECT_TRUE(contains(told.out, "FAILED"));
}

TEST(runner_terminal, no_color_turns_colours_off) {
    const Result told = wrong_check({.environment = {"NO_COLOR=1"}, .terminal_columns = 100});
    EXPECT_TRUE(contains(told.out, "FAILED"));
    EXPECT_FALSE(contains(told.out, escape + "[0m"));
}

TEST(runner_terminal, errors_on_a_terminal_do_not_colour_what_goes_into_a_file) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return x * x;");
    Process check = mini.start_program(
        {"/bin/sh", "-c", "\"$0\" \"$@\" > out.txt", TFS_TUTORIAL_RUNNER, "--root=" + mini.root().string(),
         "--caller=" + mini.root().string(), "check", "0.1"},
        {.terminal_columns = 100});
    EXPECT_EQ(check.finish().code, 1);
    EXPECT_TRUE(contains(mini.text_of("out.txt"), "FAILED"));
    EXPECT_FALSE(contains(mini.text_of("out.txt"), escape));
}

TEST(runner_terminal, no_line_is_wider_than_columns_says) {
    for (const char* columns : {"60", "80"}) {
        const std::string all = said_in_all_states({.environment = {std::string("COLUMNS=") + columns}});
        for (const std::string& line : steps::split_lines(all))
            EXPECT_TRUE(width_of_line(line) <= std::stoul(columns) || is_one_word(line)) << line;
    }
}

TEST(runner_terminal, no_line_is_wider_than_the_terminal) {
    const MiniTutorial& mini = shared_tutorial();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{}, {"--help"}, {"hint", "0.1"}, {"check"}}) {
        const Result told = mini.run(words, {.terminal_columns = 60});
        for (const std::string& line : steps::split_lines(told.out))
            if (line.find(escape) == std::string::npos) {
                EXPECT_LE(width_of_line(line), 60U) << line;
            }
    }
}

TEST(runner_terminal, a_table_that_is_too_wide_shortens_titles_first) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.root() / "chapters/00_little/README.md",
                      "# Little numbers, and larger ones, and all the others\n");
    const Result told = mini.run({}, {.environment = {"COLUMNS=60"}});
    EXPECT_TRUE(has_match(told.out, "\n00  Little numbers[^\n]*… +0 of 2  0[.]1 double_it: not started\n"));
    EXPECT_TRUE(
        contains(mini.run({}, {.environment = {"COLUMNS=nonsense"}}).out, "and all the others  0 of 2"));
}

}  // namespace tfs::tools_test
