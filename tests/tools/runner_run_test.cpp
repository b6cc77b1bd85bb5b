// tests/tools/runner_run_test.cpp · ./tutorial run, test and bench
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// A program in a folder of its own, which PATH then begins with.
std::string path_with(const MiniTutorial& mini, const std::string& program, const std::string& script) {
    const fs::path folder = mini.root() / ("with " + program);
    fs::create_directory(folder);
    steps::write_text(folder / program, script);
    fs::permissions(folder / program, fs::perms::owner_all);
    return "PATH=" + folder.string() + ":" + std::getenv("PATH");
}

}  // namespace

TEST(runner_run, runs_the_program_and_names_its_pictures) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"run", "0"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(
        told.out,
        "twice 4 is 8, half of it 2, and nothing\n\nLook at it in a browser: plots/00_little/index.html\n");
    EXPECT_EQ(mini.text_of("plots/00_little/index.html"), "<figure id=\"little\">\n");
}

TEST(runner_run, says_nothing_of_its_own_beside_what_is_for_programs) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* flag : {"--json", "--list", "--answer"}) {
        EXPECT_EQ(mini.run({"run", "0", "--", flag}).out,
                  std::string("twice 4 is 8, half of it 2, and ") + flag + "\n");
        const Result mine = mini.run({"run", "--mine", "--", flag});
        EXPECT_FALSE(contains(mine.out, "browser") || contains(mine.out, "Building")) << mine.out;
    }
}

TEST(runner_run, names_the_pictures_as_seen_from_where_it_is_typed) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"run"}, {.caller = mini.root() / "chapters"});
    EXPECT_TRUE(contains(told.out, "\nLook at it in a browser: " +
                                       (mini.root() / "plots/00_little/index.html").string() + "\n"));
}

TEST(runner_run, refuses_what_the_program_would_refuse_before_it_builds) {
    const MiniTutorial& mini = shared_tutorial();
    ASSERT_EQ(mini.run({"run", "0"}).code, 0);
    mini.write("double_it", "an error");
    const Result told = mini.run({"run", "0", "--mine", "--", "--wrong"});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.err, "00_little: unknown argument --wrong\n");
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(mini.run({"run", "0", "--mine", "--", "words"}).code, 1) << "which does not compile";
}

TEST(runner_run, refuses_words_that_are_nowhere_in_the_sources_of_a_program_that_is_not_built) {
    const MiniTutorial mini;
    steps::write_text(mini.root() / "chapters/00_little/program/sections.cpp",
                      R"({"write", "--section", "--experiment ", "--text-size"})");
    for (const std::string section : {"--section=writing", "--section=rite", "--experiment=writing"}) {
        const Result told = mini.run({"run", "0", "--", section});
        EXPECT_EQ(told.code, 2);
        EXPECT_EQ(told.err, "tutorial: the program of chapter 0 has no section " +
                                section.substr(section.find('=') + 1) +
                                "; ./tutorial run 0 -- --list shows them.\n");
    }
    EXPECT_EQ(
        mini.run({"run", "0", "--", "--text=x"}).err,
        "tutorial: the program of chapter 0 has no option --text; ./tutorial run 0 -- --help shows them.\n");
    EXPECT_FALSE(fs::exists(mini.root() / "build"));
    EXPECT_EQ(mini.run({"run", "0", "--", "--section", "write", "--text-size=3"}).code, 0);
}

TEST(runner_run, without_a_chapter_says_first_what_it_will_do) {
    const std::string said =
        "Building and running the programs of chapters 00 to 00: several minutes the first time. For one "
        "chapter: ./tutorial run 1\n";
    EXPECT_TRUE(begins_with(shared_tutorial().run({"run"}).out, said));
    EXPECT_TRUE(begins_with(shared_tutorial().run({"run", "--mine=all"}).out, said));
}

TEST(runner_run, opens_the_page_where_it_is_asked_to) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string path =
        path_with(mini, "xdg-open", "#!/bin/sh\nprintf '%s' \"$1\" > \"$0.was_given\"\n");
    EXPECT_EQ(mini.run({"run", "0", "--open"}, {.environment = {path}}).code, 0);
    EXPECT_EQ(mini.text_of("with xdg-open/xdg-open.was_given"),
              (mini.root() / "plots/00_little/index.html").string());
}

TEST(runner_run, an_overview_links_all_pages_with_their_first_picture) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    mini.solve("halve_it");
    EXPECT_EQ(mini.run({"run", "0", "--mine"}).code, 0);
    EXPECT_EQ(mini.run({"run", "0"}).code, 0);
    const std::string overview = mini.text_of("plots/index.html");
    const std::size_t own = overview.find(
                          "<a href=\"00_little/index.html\"><img src=\"00_little/little.svg\" "
                          "alt=\"\">00 little</a>"),
                      mine = overview.find(">00 little, your steps</a>");
    EXPECT_NE(own, std::string::npos) << overview;
    EXPECT_NE(mine, std::string::npos) << overview;
    EXPECT_LT(own, mine);
}

TEST(runner_run, makes_pictures_in_another_format) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string path = path_with(
        mini, "rsvg-convert", "#!/bin/sh\nprintf '%s ' \"$2\" \"$4\" > \"$6\"; cat \"$7\" >> \"$6\"\n");
    const Result told = mini.run({"run", "0", "--format", "png"}, {.environment = {path}});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "1 picture as png in "));
    EXPECT_EQ(mini.text_of("plots/00_little/little.png"), "2 png a picture");
    EXPECT_EQ(mini.run({"run", "0", "--format=pdf"}, {.environment = {path}}).code, 0);
    EXPECT_EQ(mini.text_of("plots/00_little/little.pdf"), "1 pdf a picture");
}

TEST(runner_run, leaves_no_pictures_of_an_earlier_run_in_its_own_folder) {
    const MiniTutorial& mini = shared_tutorial();
    const fs::path own = mini.root() / "plots/00_little", given = mini.root() / "given";
    for (const fs::path& folder : {own, given}) {
        fs::create_directories(folder);
        for (const char* name : {"old.svg", "old.png", "notes.txt"}) {
            steps::write_text(folder / name, "old");
            fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
        }
    }
    EXPECT_EQ(mini.run({"run", "0"}).code, 0);
    EXPECT_FALSE(fs::exists(own / "old.svg") || fs::exists(own / "old.png"));
    EXPECT_TRUE(fs::exists(own / "notes.txt") && fs::exists(own / "little.svg"));
    EXPECT_EQ(mini.run({"run", "0", "--", "--plots", given.string()}).code, 0);
    EXPECT_TRUE(fs::exists(given / "old.svg")) << "a folder of the learner's own";
}

TEST(runner_run, a_format_that_cant_be_made_is_refused_before_anything_runs) {
    const MiniTutorial& mini = shared_tutorial();
    const Result unknown = mini.run({"run", "0", "--format", "gif"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.err, "--format gif: must be pdf or png"));
    const Result missing = mini.run({"run", "0", "--format", "png"}, {.environment = {"PATH=/nowhere"}});
    EXPECT_EQ(missing.code, 2);
    EXPECT_TRUE(contains(missing.err, "apt-get install librsvg2-bin"));
    EXPECT_EQ(unknown.out + missing.out, "");
    const std::string failing = path_with(mini, "rsvg-convert", "#!/bin/sh\nexit 1\n");
    const Result broken = mini.run({"run", "0", "--format", "png"}, {.environment = {failing}});
    EXPECT_EQ(broken.code, 2);
    EXPECT_TRUE(contains(broken.err, "rsvg-convert can't make "));
}

TEST(runner_run, the_words_after_two_dashes_are_the_programs) {
    const MiniTutorial& mini = shared_tutorial();
    EXPECT_TRUE(contains(mini.run({"run", "0", "--", "some words"}).out, ", and some words\n"));
    EXPECT_TRUE(contains(mini.run({"run", "0", "--", "--mine"}).out, ", and --mine\n"));
    const Result told = mini.run({"run", "0", "--", "--plots", "mine"}, {.caller = mini.root() / "chapters"});
    EXPECT_TRUE(contains(told.out, "\nLook at it in a browser: mine/index.html\n"));
    EXPECT_TRUE(fs::exists(mini.root() / "chapters/mine/index.html"));
}

TEST(runner_run, the_program_may_read_what_is_typed) {
    EXPECT_TRUE(contains(shared_tutorial().run({"run", "0", "--", "--read"}, {.input = "a line\n"}).out,
                         "read a line\n"));
}

TEST(runner_run, mine_is_the_program_on_the_learners_steps) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return 5 * x;");
    mini.solve("halve_it");
    EXPECT_EQ(mini.run({"check", "0.2"}).code, 0);
    const Result told = mini.run({"run", "0", "--mine"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(begins_with(told.out,
                            "on your steps 0.1 … 0.2 (1 of 2 pass, 1 not checked yet)\n"
                            "your steps 0.1 … 0.2 (1 of 2 pass, 1 not checked yet) " +
                                (mini.root() / "plots/00_little").string() +
                                " twice 4 is 20, half of it 2, and nothing\n"));
    EXPECT_TRUE(contains(told.out, "Look at it in a browser: plots/00_little_mine/index.html\n"));
    EXPECT_TRUE(contains(told.out, "step 0.1 is not checked yet: ./tutorial check 0.1\n"));
    EXPECT_TRUE(contains(mini.run({"run", "--mine=all"}).out,
                         "Look at it in a browser: plots/00_little_mine_all/index.html\n"));
}

TEST(runner_run, mine_says_which_step_is_not_started) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"run", "0", "--mine"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.err, "not started: step 0.1 double_it\n"));
    EXPECT_TRUE(contains(told.out, "step 0.1 is not started: ./tutorial check 0.1\n"));
    EXPECT_FALSE(contains(told.out, "Pictures"));
}

TEST(runner_run, a_crash_of_the_program_is_told_in_one_sentence) {
    const Result told = shared_tutorial().run({"run", "0", "--", "--crash"});
    EXPECT_EQ(told.code, 134);
    EXPECT_TRUE(contains(told.err, "tutorial: the program of chapter 00 crashed: aborted"));
}

TEST(runner_run, what_does_not_compile_is_told_with_the_error) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return y;");
    const Result told = mini.run({"run", "0", "--mine"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.err, "    exercises/00_little/double_it.cpp:5:"));
    EXPECT_TRUE(contains(told.err, "tutorial: the build failed; all it said is in .tutorial/build.log.\n"));
    EXPECT_EQ(mini.run({"run", "0"}).code, 0) << "on the solutions it runs all the same";
}

TEST(runner_run, what_takes_long_to_compile_is_said_before_with_the_time_that_earlier_builds_took) {
    const MiniTutorial mini;
    mini.solve("double_it");
    EXPECT_FALSE(contains(mini.run({"check", "0.1"}).err, "compiling"));
    std::string slow;
    for (const std::string& line : steps::split_lines(mini.text_of("build/release/.ninja_log"))) {
        const std::size_t start = line.find('\t'), end = line.find('\t', start + 1);
        slow += line.starts_with('#') ? line : line.substr(0, start) + "\t60000" + line.substr(end);
        slow += '\n';
    }
    steps::write_text(mini.root() / "build/release/.ninja_log", slow);
    const Result told = mini.run({"run", "0"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(has_match(told.err, "^compiling chapter 00 once: about [0-9]+ (s|min)\n"));
    EXPECT_FALSE(contains(mini.run({"run", "0"}).err, "compiling")) << "once";
}

TEST(runner_run, bench_gives_its_words_to_the_benchmarks) {
    EXPECT_TRUE(contains(shared_tutorial().run({"bench", "--", "fast"}).out, ", and fast\n"));
}

TEST(runner_run, test_is_the_suite) {
    const Result told = shared_tutorial().run({"test"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "100% tests passed, 0 tests failed out of 2\n"));
    EXPECT_TRUE(contains(told.out, "00_little.checklist "));
    EXPECT_TRUE(contains(told.out, "common "));
}

TEST(runner_run, test_of_a_chapter_is_that_part_of_the_suite) {
    const Result told = shared_tutorial().run({"test", "0"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "100% tests passed, 0 tests failed out of 1\n"));
    EXPECT_TRUE(contains(told.out, "00_little.checklist "));
}

TEST(runner_run, test_all_is_every_test) {
    const MiniTutorial& mini = shared_tutorial();
    EXPECT_TRUE(contains(mini.run({"test", "--all"}).out, "0 tests failed out of 3\n"));
    EXPECT_TRUE(contains(mini.run({"test", "--all", "0"}).out, "0 tests failed out of 2\n"));
}

TEST(runner_run, a_test_that_fails_is_exit_code_1) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(
        mini.solution("double_it"),
        "// Step 0.1 · double_it · ●○○ · 5 min\n// solutions/00_little/double_it.cpp\n"
        "#include <stdlib.h>\nint double_it(int) {\n    // begin: Twice x.\n    exit(7);\n    // end\n}\n");
    EXPECT_EQ(mini.run({"test", "0"}).code, 1);
}

}  // namespace tfs::tools_test
