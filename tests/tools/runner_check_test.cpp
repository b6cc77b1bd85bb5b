// tests/tools/runner_check_test.cpp · ./tutorial check: what it says of a step, whatever the step does
#include <gtest/gtest.h>

#include <chrono>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// The check of 0.1 with this in its function, and this above it.
Result checked(const MiniTutorial& mini, const std::string& body, const std::string& above = "",
               const Options& options = {}) {
    mini.write("double_it", body, above);
    return mini.run({"check", "0.1"}, options);
}

const std::string standard_io = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>";

void expect_not_remembered_as_passed(const MiniTutorial& mini) {
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: failed"));
}

}  // namespace

TEST(runner_check, a_step_that_is_right_passes) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    return 2 * x;");
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(
        begins_with(told.out, "0.1 double_it                          passed (2 checks)\n\nNext: step 0.2"));
}

TEST(runner_check, a_step_that_is_wrong_fails_with_what_came) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    return x * x;");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(begins_with(told.out,
                            "0.1 double_it                          FAILED in 1 of 2 checks\n"
                            "    ✗ of a small number\n"
                            "        of 6 got 36, expected 12\n"));
    EXPECT_TRUE(contains(told.out, "Next: step 0.1 double_it ●○○ about 5 min: fix"));
    expect_not_remembered_as_passed(mini);
}

TEST(runner_check, what_the_shell_has_set_for_other_tests_changes_nothing) {
    const Options shell{.environment = {"GTEST_FILTER=nothing", "GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX=0",
                                        "GTEST_REPEAT=2", "TESTBRIDGE_TEST_ONLY=x", "XML_OUTPUT_FILE=x",
                                        "GTESTS=stays"}};
    const Result told = checked(shared_tutorial(), R"(
        for (char** entry = environ; *entry; ++entry)
            if (strstr(*entry, "GTEST") || strstr(*entry, "BRIDGE") || strstr(*entry, "XML_")) puts(*entry);
        return 2 * x;)",
                                standard_io + "\n#include <string.h>", shell);
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "GTESTS=stays\n"));
    for (const char* variable : {"GTEST_", "BRIDGE", "XML_"})
        EXPECT_FALSE(contains(told.out, variable)) << told.out;
}

TEST(runner_check, a_right_step_passes_whatever_the_environment_says_of_threads_and_memory) {
    const MiniTutorial& mini = shared_tutorial();
    for (const std::string variable :
         {"OMP_STACKSIZE=6G", "GOMP_STACKSIZE=6G", "KMP_STACKSIZE=6G", "OMP_NUM_THREADS=5000",
          "OMP_NUM_THREADS=x", "OMP_THREAD_LIMIT=1", "OMP_DYNAMIC=true", "MALLOC_TOP_PAD_=6442450944",
          "GLIBC_TUNABLES=glibc.malloc.top_pad=6442450944"}) {
        const std::string name = variable.substr(0, variable.find('='));
        const Result told = checked(mini, "    return getenv(\"" + name + "\") ? 0 : 2 * x;", standard_io,
                                    {.environment = {variable}});
        EXPECT_EQ(told.code, 0) << variable;
    }
    EXPECT_EQ(checked(mini, "    return getenv(\"OMP_NUM_THREADS\") ? 2 * x : 0;", standard_io,
                      {.environment = {"OMP_NUM_THREADS=1"}})
                  .code,
              0)
        << "fewer threads are no harm";
}

TEST(runner_check, the_stack_has_its_usual_size_whatever_the_shell_says) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it",
               "    rlimit stack{};\n    getrlimit(RLIMIT_STACK, &stack);\n    return stack.rlim_cur == 8 << "
               "20 ? 2 * x : 0;",
               "#include <sys/resource.h>");
    const std::string check = std::string(TFS_TUTORIAL_RUNNER) + " --root=. --caller=. check 0.1";
    for (const char* size : {"1000", "100000"}) {
        const Result told =
            mini.start_program({"/bin/sh", "-c", std::string("ulimit -S -s ") + size + " && " + check})
                .finish();
        EXPECT_EQ(told.code, 0) << told.out << told.err;
    }
}

TEST(runner_check, a_file_saved_as_utf_16_is_named_as_such) {
    const MiniTutorial& mini = shared_tutorial();
    for (const std::string& text :
         {std::string("\xff\xfe/\0/\0", 6), std::string("\xfe\xff\0/\0/", 6), std::string("/\0/\0", 4)}) {
        steps::write_text(mini.exercise("double_it"), text);
        const Result told = mini.run({"check", "0.1"});
        EXPECT_EQ(told.code, 1);
        EXPECT_TRUE(begins_with(told.out,
                                "0.1 double_it                          its file is saved as UTF-16\n"
                                "    save exercises/00_little/double_it.cpp as UTF-8\n\n"));
    }
}

TEST(runner_check, a_stub_with_a_byte_order_mark_is_untouched) {
    const MiniTutorial& mini = shared_tutorial();
    steps::write_text(mini.exercise("double_it"),
                      "\xef\xbb\xbf" + steps::read_text(mini.exercise("double_it")));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not started"));
}

TEST(runner_check, files_that_systems_and_editors_leave_are_no_steps) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string before = mini.run({}).out;
    for (const char* name :
         {"._double_it.cpp", ".#double_it.cpp", ".DS_Store", "double_it.cpp~", "double_it 2.cpp"})
        for (const char* folder : {"solutions/00_little", "exercises/00_little", "chapters"})
            steps::write_text(mini.root() / folder / name, std::string("\0\5\x16\7", 4));
    fs::create_directory(mini.root() / "chapters/00_little 2");
    const Result told = mini.run({});
    EXPECT_EQ(told.out, before) << told.err;
    EXPECT_EQ(checked(mini, "    return 2 * x;").code, 0);
}

TEST(runner_check, a_time_in_the_future_is_taken_back) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    const auto later = [] { return fs::file_time_type::clock::now() + std::chrono::hours(3); };
    const std::vector<fs::path> files = {mini.exercise("double_it"), mini.root() / "CMakeLists.txt"};
    for (const fs::path& file : files) fs::last_write_time(file, later());
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
    for (const fs::path& file : files) EXPECT_LT(fs::last_write_time(file), later() - std::chrono::hours(2));
}

TEST(runner_check, each_step_is_checked_beside_the_solution_of_the_other) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    return nonsense;");
    mini.solve("halve_it");
    const Result told = mini.run({"check"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "0.1 double_it                          DOES NOT COMPILE\n"));
    EXPECT_TRUE(contains(told.out, "0.2 halve_it                           passed (2 checks)\n"));
}

TEST(runner_check, an_untouched_step_is_not_started) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"check", "0.1"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(begins_with(told.out, "0.1 double_it                          not started\n"));
}

TEST(runner_check, a_gap_that_is_still_open_is_named_by_line_and_function) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told =
        checked(mini, "    if (x == 0) return 0;\n    throw NotImplemented(\"0.1 double_it\");");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(begins_with(
        told.out,
        "0.1 double_it                          unfinished: a gap is still open (1 of 2 checks pass)\n"
        "    still open in exercises/00_little/double_it.cpp: line 6 (double_it)\n"));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: unfinished\n"));
}

TEST(runner_check, an_error_of_the_compiler_is_shown_with_a_path_from_the_root) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    return y;");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(begins_with(told.out,
                            "0.1 double_it                          DOES NOT COMPILE\n"
                            "    exercises/00_little/double_it.cpp:5:"));
    EXPECT_TRUE(contains(told.out, "return y;"));
    EXPECT_FALSE(contains(told.out, mini.root().string()));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: does not compile\n"));
    EXPECT_TRUE(contains(mini.text_of(".tutorial/build.log"), "FAILED: "));
}

TEST(runner_check, what_is_declared_but_not_defined_is_named) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    return helper(x);", "int helper(int x);");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "    this is declared, but not defined: helper(int)\n"));
}

TEST(runner_check, a_missing_file_is_told_and_the_others_are_checked) {
    const MiniTutorial& mini = shared_tutorial();
    fs::remove(mini.exercise("double_it"));
    mini.solve("halve_it");
    const Result told = mini.run({"check"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out,
                         "0.1 double_it                          its file is missing\n"
                         "    ./tutorial reset 0.1 brings it back\n"));
    EXPECT_TRUE(contains(told.out, "0.2 halve_it                           passed"));
}

TEST(runner_check, a_crash_names_the_check_what_failed_before_and_what_the_compiler_warned_of) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told =
        checked(mini, "    int unused;\n    if (x == 0) return *(volatile int*)nullptr;\n    return 7;");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(begins_with(told.out,
                            "0.1 double_it                          CRASHED in the check: of zero\n"
                            "    segmentation fault: "));
    EXPECT_TRUE(
        contains(told.out, "    Before that:\n    ✗ of a small number\n        of 6 got 7, expected 12\n"));
    EXPECT_TRUE(contains(told.out, "    To find the line: ./tutorial check 0.1 --sanitize\n"));
    EXPECT_TRUE(contains(told.out, "    the compiler warns:\n      exercises/00_little/double_it.cpp:5:"));
    EXPECT_TRUE(contains(told.out, "unused variable"));
    expect_not_remembered_as_passed(mini);
}

TEST(runner_check, warnings_are_still_known_when_nothing_was_compiled) {
    const MiniTutorial& mini = shared_tutorial();
    checked(mini, "    int unused;\n    return *(volatile int*)nullptr;");
    EXPECT_TRUE(contains(mini.run({"check", "0.1"}).out, "unused variable"));
}

TEST(runner_check, a_failure_of_which_no_cause_is_known_says_so_and_tells_the_warnings) {
    const std::string told = checked(shared_tutorial(), "    int unused;\n    return 7;").out;
    EXPECT_TRUE(contains(told, "    No likely cause of this is known.\n"));
    EXPECT_TRUE(contains(told, "    the compiler warns:\n      exercises/00_little/double_it.cpp:5:"));
}

TEST(runner_check, an_untouched_step_with_a_fault_to_find_shows_that_it_is_still_there) {
    const MiniTutorial& mini = shared_tutorial();
    std::string solution = steps::read_text(mini.solution("double_it"));
    solution.replace(solution.find("    // end"), 0, "    // instead\n    // return x * x;\n");
    steps::write_text(mini.solution("double_it"), solution);
    steps::write_text(mini.exercise("double_it"), steps::exercise_of(solution, "double_it"));
    const Result untouched = mini.run({"check", "0.1"});
    EXPECT_EQ(untouched.code, 1);
    EXPECT_TRUE(begins_with(
        untouched.out, "0.1 double_it                          not mended yet: FAILED in 1 of 2 checks\n"));
    EXPECT_TRUE(contains(untouched.out, "mend exercises/00_little/double_it.cpp\n"));
    EXPECT_FALSE(contains(untouched.out, "Likely cause")) << untouched.out;
    EXPECT_TRUE(contains(untouched.out, "Causes are told after your first change.\n")) << untouched.out;
    EXPECT_TRUE(contains(untouched.out, "of 6 got 36, expected 12\n")) << untouched.out;
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not started\n"));
    steps::write_text(mini.exercise("double_it"),
                      steps::read_text(mini.exercise("double_it")) + "// changed\n");
    EXPECT_FALSE(contains(mini.run({"check", "0.1"}).out, "Causes are told"));
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

TEST(runner_check, an_endless_loop_is_stopped) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    while (x != 0) --*(volatile int*)&x, ++x;\n    return 0;", "",
                                {.environment = {"TUTORIAL_TIME_LIMIT=1"}});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(
        begins_with(told.out,
                    "0.1 double_it                          DOES NOT END, in the check: of a small number\n"
                    "    It was stopped after 1 seconds: "));
    expect_not_remembered_as_passed(mini);
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_check, far_too_much_memory_is_told) {
    const Result told = checked(shared_tutorial(), "    while (true) new char[1ul << 30];\n    return x;");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "FAILED in 2 of 2 checks\n"));
    EXPECT_TRUE(contains(told.out, "far more memory than a check needs"));
    EXPECT_TRUE(contains(told.out, "an exception: std::bad_alloc"));
}

TEST(runner_check, a_step_that_ends_the_program_does_not_pass) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* code : {"0", "1", "2", "3"}) {
        const Result told = checked(mini, std::string("    exit(") + code + ");", standard_io);
        EXPECT_EQ(told.code, 1);
        EXPECT_TRUE(begins_with(told.out,
                                "0.1 double_it                          your step ended the program in the "
                                "check: of a small number\n"));
        EXPECT_TRUE(contains(told.out, std::string("it calls exit(") + code + ")"));
        expect_not_remembered_as_passed(mini);
    }
}

TEST(runner_check, a_program_that_ends_before_the_first_check_does_not_pass) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(mini, "    return 2 * x;", standard_io + "\nint early = (exit(0), 1);");
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "your step ended the program before the first check\n"));
    expect_not_remembered_as_passed(mini);
}

TEST(runner_check, what_a_step_prints_is_shown_below_its_result_check_by_check) {
    const Result told = checked(shared_tutorial(),
                                "    printf(\"x is %d\\n\", x);\n    fprintf(stderr, \"\\tx\\x1b[31m\\n\");\n"
                                "    fflush(stdout);\n    printf(\"no end\");\n    return 2 * x;",
                                standard_io);
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out,
                         "passed (2 checks)\n"
                         "    your output in the check: of a small number\n"
                         "          x\\x1b[31m\n"
                         "      x is 6\n"
                         "      no end\n"
                         "    your output in the check: of zero\n"
                         "          x\\x1b[31m\n"
                         "      x is 0\n"
                         "      no end\n"))
        << "nothing in it may colour or move the cursor";
}

TEST(runner_check, the_output_of_the_check_that_fails_comes_first) {
    const std::string print = "    for (int i = 0; i < 90000; ++i) printf(\"line %d of %d\\n\", i, x);\n";
    const Result failed = checked(shared_tutorial(), print + "    return x == 0 ? 7 : 2 * x;", standard_io);
    EXPECT_TRUE(contains(failed.out, "    your output in the check: of zero\n      line 0 of 0\n"));
    EXPECT_TRUE(contains(failed.out,
                         "      line 39 of 0\n      … 89960 more lines\n"
                         "    (and 90000 lines in 1 other check, not shown)\n"));
    const Result crashed = checked(shared_tutorial(),
                                   "    printf(\"x is %d\\n\", x);\n    fflush(stdout);\n"
                                   "    if (x == 0) abort();\n    return 7;",
                                   standard_io);
    EXPECT_TRUE(contains(crashed.out,
                         "    your output in the check: of zero\n      x is 0\n"
                         "    your output in the check: of a small number\n      x is 6\n"));
}

TEST(runner_check, what_is_printed_outside_of_the_checks_is_shown) {
    const Result told =
        checked(shared_tutorial(), "    return 2 * x;", standard_io + "\nint early = (puts(\"early\"), 1);");
    EXPECT_TRUE(
        contains(told.out, "passed (2 checks)\n    your output before the first check:\n      early\n"));
}

TEST(runner_check, of_a_long_output_forty_lines_are_shown) {
    const Result told = checked(shared_tutorial(),
                                "    for (int i = 0; i < (x == 0 ? 2 : 39); ++i) printf(\"line %d\\n\", i);\n"
                                "    return 2 * x;",
                                standard_io);
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out,
                         "      line 38\n    your output in the check: of zero\n      line 0\n"
                         "      … 1 more line\n"));
}

TEST(runner_check, a_print_that_looks_like_a_report_does_not_change_the_result) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = checked(
        mini,
        "    const char* text = \"\\n\\x1e\\nplan\\t1\\nstart\\tdouble_it\\tx\\nend\\tpassed\\ndone\\n\";\n"
        "    fputs(text, stdout);\n    fputs(text, stderr);\n    fflush(stdout);\n    return 7;",
        standard_io);
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "FAILED in 2 of 2 checks\n"));
    expect_not_remembered_as_passed(mini);
}

TEST(runner_check, what_a_step_leaves_running_is_ended) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told =
        checked(mini, "    if (x > 0 && fork() == 0) while (true) pause();\n    return 2 * x;", standard_io);
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_check, a_step_does_not_wait_for_the_keyboard) {
    const Result told = checked(shared_tutorial(), "    return getchar() == EOF ? 2 * x : 0;", standard_io,
                                {.input = "typed"});
    EXPECT_EQ(told.code, 0);
}

TEST(runner_check, sanitizers_name_the_line_and_nothing_is_remembered) {
    const MiniTutorial& mini = shared_tutorial();
    mini.write("double_it", "    int values[2] = {0, x};\n    return values[x];");
    const Result told = mini.run({"check", "0.1", "--sanitize"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out,
                         "STOPPED by the sanitizers in the check: of a small number\n"
                         "    exercises/00_little/double_it.cpp:6: "));
    EXPECT_TRUE(contains(told.out, "\n        return values[x];\n"));
    EXPECT_TRUE(contains(told.out, "\n    Likely cause: "));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not checked yet\n"));
}

TEST(runner_check, what_is_broken_beside_the_steps_is_not_blamed_on_them) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    steps::write_text(mini.solution("halve_it"),
                      steps::read_text(mini.solution("halve_it")) + "int broken = y;\n");
    const Result told = mini.run({"check", "0.1"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out,
                         "could not be built, because something else does not compile:\n"
                         "    solutions/00_little/halve_it.cpp:"));
    EXPECT_TRUE(contains(mini.run({}).out, "0.1 double_it: not checked yet\n"));
}

TEST(runner_check, a_chapter_that_is_done_may_be_run) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    mini.solve("halve_it");
    const Result told = mini.run({"check", "0"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.out, "Chapter 00 is done. See it run on your code: ./tutorial run 0 --mine\n"));
}

TEST(runner_check, works_in_a_folder_with_spaces) {
    const MiniTutorial mini("my tutorial");
    EXPECT_EQ(checked(mini, "    return 2 * x;").code, 0);
    const Result told = checked(mini, "    return y;");
    EXPECT_TRUE(contains(told.out, "\n    exercises/00_little/double_it.cpp:5:"));
    EXPECT_EQ(mini.run({"run", "0"}).code, 0);
    EXPECT_TRUE(fs::exists(mini.root() / "plots/00_little/index.html"));
}

TEST(runner_check, a_folder_that_was_moved_is_configured_anew) {
    const MiniTutorial before, after;
    before.solve("double_it");
    EXPECT_EQ(before.run({"check", "0.1"}).code, 0);
    after.solve("double_it");
    fs::rename(before.root() / "build", after.root() / "build");
    fs::remove_all(before.root() / "solutions");
    const Result told = after.run({"check", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(contains(told.err, "configuring\n"));
}

TEST(runner_check, a_build_that_cant_be_configured_is_told_and_tried_again) {
    const MiniTutorial mini;
    mini.solve("double_it");
    const std::string right = mini.text_of("CMakeLists.txt");
    steps::write_text(mini.root() / "CMakeLists.txt", right + "message(FATAL_ERROR \"a tool is missing\")\n");
    const Result told = mini.run({"check", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(contains(told.err, "a tool is missing"));
    EXPECT_TRUE(contains(told.err,
                         "tutorial: CMake could not configure the build; all it said is in "
                         ".tutorial/configure.log.\n"));
    steps::write_text(mini.root() / "CMakeLists.txt", right);
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

}  // namespace tfs::tools_test
