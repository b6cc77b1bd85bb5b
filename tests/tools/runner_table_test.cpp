// tests/tools/runner_table_test.cpp · ./tutorial without a command, and its help
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

TEST(runner_table, shows_what_passes_what_is_next_and_what_to_do) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(told.err, "");
    EXPECT_TRUE(contains(told.out, "00  Little numbers  0 of 2  0.1 double_it: not started\n"));
    EXPECT_TRUE(contains(told.out, "\nNext: chapter 00. Read chapters/00_little/README.md"));
    EXPECT_TRUE(contains(told.out, "fill in exercises/00_little/double_it.cpp\n"));
    EXPECT_EQ(mini.run({"list"}).out, told.out);
    EXPECT_EQ(mini.run({"progress"}).out, told.out);
}

TEST(runner_table, tells_a_program_when_a_step_was_checked_and_how_many_hints_were_shown) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string second = R"({"id":"0.2","name":"halve_it","chapter":"00_little",)";
    EXPECT_TRUE(has_match(mini.run({"progress", "--json"}).out,
                          R"("state":"not started","checked":"","hints":0\},)"));
    mini.solve("double_it");
    mini.run({"check", "0.1"});
    mini.run({"hint", "0.1"});
    const std::string told = mini.run({"progress", "--json"}).out;
    EXPECT_TRUE(has_match(told, R"("state":"passed","checked":"20[0-9-]{8}T[0-9:]{8}Z","hints":1\},)"));
    EXPECT_TRUE(contains(told, second));
    EXPECT_EQ(mini.run({"list", "--json"}).out, told);
}

TEST(runner_table, a_file_that_was_changed_is_not_checked_yet) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: not checked yet\n"));
}

TEST(runner_table, a_result_holds_until_the_file_changes) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.2 halve_it: not started\n"));
    mini.write("double_it", "    return x + x;");
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: not checked yet\n"));
}

TEST(runner_table, line_ends_of_other_systems_are_no_work_of_the_learner) {
    const MiniTutorial& mini = shared_tutorial();
    std::string other;
    for (const std::string& line : steps::split_lines(steps::read_text(mini.exercise("double_it"))))
        other += line + "\r\n";
    steps::write_text(mini.exercise("double_it"), other);
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not started\n"));
}

TEST(runner_table, a_missing_file_is_told_with_the_way_back) {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove(mini.exercise("double_it"));
    const std::string out = mini.run({}).out;
    EXPECT_TRUE(contains(out, "0.1 double_it: missing\n"));
    EXPECT_TRUE(contains(out, "./tutorial reset 0.1 brings it back"));
}

TEST(runner_table, files_that_belong_to_no_step_are_named_and_kept) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.exercise("treble_it"), "// mine\n");
    const Result told = mini.run({});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(
        contains(told.out, "exercises/00_little/treble_it.cpp belongs to no step any more. It is kept.\n"));
    EXPECT_EQ(steps::read_text(mini.exercise("treble_it")), "// mine\n");
    const Result refused = mini.run({"check", "exercises/00_little/treble_it.cpp"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, "treble_it.cpp belongs to no step any more"));
}

TEST(runner_table, with_all_steps_passed_says_what_to_do_with_them) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    mini.solve("halve_it");
    EXPECT_EQ(mini.run({"check"}).code, 0);
    const std::string out = mini.run({}).out;
    EXPECT_TRUE(contains(out, "2 of 2  done\n"));
    EXPECT_TRUE(
        contains(out,
                 "\nAll 2 steps pass: every part of the Transformer is your own code now. What you can "
                 "do with it:\n      ./tutorial run 10 --mine=all "));
}

// The second step of the two, made optional.
void make_optional(const MiniTutorial& mini) {
    std::string text = steps::read_text(mini.solution("halve_it"));
    text.insert(text.find('\n'), ", optional");
    steps::write_text(mini.solution("halve_it"), text);
    steps::write_text(mini.exercise("halve_it"), steps::exercise_of(text, "halve_it"));
}

TEST(runner_table, an_optional_step_is_neither_proposed_nor_waited_for) {
    const MiniTutorial& mini = shared_tutorial();
    make_optional(mini);
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 1  0.1 double_it: not started\n"));
    mini.solve("double_it");
    const Result told = mini.run({"check"});
    EXPECT_EQ(told.code, 0) << told.out;
    EXPECT_TRUE(contains(told.out, "0.2 halve_it                           not started\n"));
    EXPECT_TRUE(contains(told.out, "\nChapter 00 is done."));
    EXPECT_TRUE(contains(told.out, "\nAll 1 steps pass"));
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 1  done; optional: 0.2 halve_it\n"));
    mini.solve("halve_it");
    EXPECT_EQ(mini.run({"check", "0.2"}).code, 0);
    EXPECT_TRUE(contains(mini.run({}).out, "2 of 2  done\n"));
}

TEST(runner_table, an_optional_step_that_is_asked_for_is_named_with_its_time) {
    const MiniTutorial& mini = shared_tutorial();
    make_optional(mini);
    const Result told = mini.run({"check", "0.2"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(has_match(told.out, "\nNext: step 0.2 halve_it .* min, optional: fill in "));
}

TEST(runner_table, an_optional_step_that_was_asked_for_does_not_stay_the_place) {
    const MiniTutorial& mini = shared_tutorial();
    make_optional(mini);
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    EXPECT_FALSE(contains(mini.run({"check", "0.2"}).out, "is done"));
    const Result told = mini.run({});
    EXPECT_TRUE(contains(told.out, "All 1 steps pass")) << told.out;
    EXPECT_FALSE(contains(told.out, "Next: step 0.2")) << told.out;
}

TEST(runner_table, after_the_last_chapter_come_the_open_steps_of_earlier_ones) {
    const MiniTutorial mini;
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    // A step of a later chapter, remembered as passed: its file is the one that just passed, and it was checked against nothing.
    std::string text = steps::read_text(mini.solution("halve_it"));
    text.replace(0, text.find('\n'), "// Step 1.1 · treble_it · ●○○ · 5 min");
    steps::write_text(mini.root() / "chapters/01_last/README.md", "# The last one\n");
    steps::write_text(mini.root() / "solutions/01_last/treble_it.cpp", text);
    steps::write_text(mini.root() / "exercises/01_last/treble_it.cpp",
                      mini.text_of(mini.exercise("double_it")));
    const std::string passed = mini.text_of(".tutorial/checks/double_it");
    steps::write_text(mini.root() / ".tutorial/checks/treble_it",
                      passed.substr(0, passed.rfind(' ')) + " cbf29ce484222325-0\n");
    steps::write_text(mini.root() / ".tutorial/last", "treble_it\n");
    EXPECT_TRUE(
        contains(mini.run({}).out, "\nStill open: 1 step of earlier chapters.\nNext: step 0.2 halve_it "));
}

TEST(runner_table, help_names_every_command) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"--help"});
    EXPECT_EQ(told.code, 0);
    for (const char* command : {"run", "check", "hint", "diff", "watch", "reset", "test", "bench"})
        EXPECT_TRUE(contains(told.out, std::string("./tutorial ") + command + " "));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"help"}, {"-h"}, {"--help", "nonsense"}})
        EXPECT_EQ(mini.run(words).out, told.out);
}

TEST(runner_table, help_of_a_command_is_of_this_command_alone) {
    const MiniTutorial& mini = shared_tutorial();
    for (const std::string command :
         {"run", "play", "check", "hint", "diff", "watch", "reset", "update", "test", "bench"})
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{command, "--help"}, {"help", command}}) {
            const Result told = mini.run(words);
            EXPECT_EQ(told.code, 0);
            EXPECT_TRUE(begins_with(told.out, "./tutorial " + command + " "));
            EXPECT_LT(lines_in(told.out), 20U);
            EXPECT_TRUE(ends_with(told.out, "\n./tutorial --help explains all commands.\n"));
        }
    EXPECT_TRUE(contains(mini.run({"check", "0.1", "-h"}).out, "  check --sanitize "));
    EXPECT_FALSE(contains(mini.run({"check", "--help"}).out, "run "));
    EXPECT_TRUE(begins_with(mini.run({"diff", "-yh"}).out, "./tutorial diff "));
    EXPECT_TRUE(contains(mini.run({"status", "--help"}).out, "  progress --json "));
}

TEST(runner_table, a_full_disk_behind_standard_output_is_an_error) {
    const MiniTutorial& mini = shared_tutorial();
    for (const std::string words :
         {"", "--help", "--version", "progress --json", "hint 0.1", "check", "reset 0.1"}) {
        const Result told = mini.start_program({"/bin/sh", "-c",
                                                std::string(TFS_TUTORIAL_RUNNER) + " --root=. --caller=. " +
                                                    words + " > /dev/full"})
                                .finish();
        EXPECT_EQ(told.code, 2) << words;
        EXPECT_TRUE(begins_with(told.err, "tutorial: can't write to standard output"));
        EXPECT_EQ(lines_in(told.err), 1U);
    }
}

TEST(runner_table, version_is_the_name_with_a_number_and_in_a_checkout_the_commit) {
    const MiniTutorial mini;
    for (const char* word : {"--version", "version"}) {
        const Result told = mini.run({word});
        EXPECT_EQ(told.code, 0);
        EXPECT_TRUE(has_match(told.out,
                              "^The Transformer, step by step, in C[+][+], version "
                              "[0-9]+[.][0-9]+[.][0-9]+\nKernels of OpenBLAS: not known yet; .*[.]\n$"));
    }
    const std::string as = "git -c user.name=A -c user.email=a@b.example ";
    const std::string make = "git init -q && " + as + "commit -q --allow-empty -m begin";
    if (mini.start_program({"/bin/sh", "-c", make}).finish().code != 0) GTEST_SKIP() << "git is missing";
    EXPECT_TRUE(has_match(mini.run({"--version"}).out,
                          "^The Transformer, [^(]* [(][0-9a-f]{7,}, [0-9]{4}-[0-9]{2}-[0-9]{2}[)]\n"));
    EXPECT_FALSE(contains(mini.run({"--version"}, {.environment = {"PATH=/nowhere"}}).out, "("));
}

TEST(runner_table, looking_and_resetting_builds_nothing) {
    const MiniTutorial mini;
    mini.write("double_it", "    return x;");
    for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                  {"hint", "0.1"},
                                                  {"reset", "0.1"},
                                                  {"--help"},
                                                  {"diff", "0.2", "--yes"}})
        EXPECT_EQ(mini.run(words).code, 0);
    EXPECT_EQ(mini.run({"check"}).code, 1) << "both are stubs";
    EXPECT_FALSE(fs::exists(mini.root() / "build"));
}

TEST(runner_table, a_tutorial_that_is_not_as_it_must_be_is_told_in_one_sentence) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.solution("halve_it"), "// no banner\n");
    const Result told = mini.run({});
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(
        told.err,
        "tutorial: solutions/00_little/halve_it.cpp:1: the first line must be like \"// Step 1.1 · softmax · "
        "●○○ · 10 min\".\n");
}

}  // namespace tfs::tools_test
