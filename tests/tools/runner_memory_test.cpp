// tests/tools/runner_memory_test.cpp · what is remembered: by name, also after steps are numbered anew
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// Gives a solution another number in its first line.
void renumber(const MiniTutorial& mini, const std::string& step, const std::string& from,
              const std::string& to) {
    std::string text = steps::read_text(mini.solution(step));
    const std::string old = "// Step " + from + " ";
    ASSERT_TRUE(text.starts_with(old));
    steps::write_text(mini.solution(step), "// Step " + to + " " + text.substr(old.size()));
}

}  // namespace

TEST(runner_memory, a_step_that_passed_still_passes_under_another_number) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    mini.run({"hint", "0.1"});
    renumber(mini, "double_it", "0.1", "0.2");
    renumber(mini, "halve_it", "0.2", "0.1");
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.1 halve_it: not started\n"));
    EXPECT_TRUE(contains(mini.run({"hint", "0.2"}).out, "0.2 double_it, hint 2 of 3\n"));
    EXPECT_EQ(mini.run({"check", "0.2"}).code, 0);
}

TEST(runner_memory, a_step_whose_tests_changed_is_not_checked_yet) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    const fs::path contract = mini.root() / "chapters/00_little/new_contract.hpp";
    steps::write_text(contract, "// more is asked now\n");
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not checked yet\n"));
    fs::remove(contract);
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.2 halve_it: not started\n"));
}

TEST(runner_memory, a_file_that_passed_was_changed_and_is_restored_still_passes) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    for (const char* body : {"    return y;", "    return 7;", "    return 8;"}) {
        mini.write("double_it", body);
        EXPECT_EQ(mini.run({"check", "0.1"}).code, 1);
    }
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: failed\n"));
    mini.solve("double_it");
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.2 halve_it: not started\n"));
    EXPECT_EQ(mini.run({"diff", "0.1"}).code, 0);
    mini.write("double_it", "    return 7;");
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: not checked yet\n"))
        << "of those that fail only the last is known";
}

TEST(runner_memory, a_file_that_passed_and_fails_now_does_not_pass) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string count = (mini.root() / "count").string();
    mini.write("double_it", "    return access(\"" + count + "\", F_OK) == 0 ? 7 : 2 * x;",
               "#include <unistd.h>");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    steps::write_text(count, "now it fails\n");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 1);
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: failed\n"));
}

TEST(runner_memory, a_damaged_memory_is_an_empty_one) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    for (const char* file : {"checks/double_it", "hints/double_it", "last", "warnings/double_it"})
        steps::write_text(mini.root() / ".tutorial" / file, std::string("\0\xff passed\n\n", 11));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not checked yet\n"));
    EXPECT_TRUE(contains(mini.run({"hint", "0.1"}).out, "hint 1 of 3\n"));
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

TEST(runner_memory, the_next_step_is_that_of_the_last_check) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return 7;");
    mini.write("halve_it", "    return 7;");
    EXPECT_EQ(mini.run({"check", "0.2"}).code, 1);
    EXPECT_TRUE(contains(mini.run({}).out, "\nNext: step 0.2 halve_it ●●○ about 10 min: fix "));
}

}  // namespace tfs::tools_test
