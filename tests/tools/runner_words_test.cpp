// tests/tools/runner_words_test.cpp · how steps and chapters are named, and what is said of words that are not known
//
// All steps are stubs here, so a check builds nothing.
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

// The sentence of a command that is refused.
std::string refusal(const MiniTutorial& mini, const std::vector<std::string>& words,
                    const Options& options = {}) {
    const Result told = mini.run(words, options);
    EXPECT_EQ(told.code, 2);
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(lines_in(told.err), 1U) << told.err;
    EXPECT_TRUE(begins_with(told.err, "tutorial: "));
    return told.err;
}

std::string refusal(const std::vector<std::string>& words) { return refusal(shared_tutorial(), words); }

// The steps that a check of these words is about.
std::string steps_of(const std::vector<std::string>& words, const Options& options = {}) {
    std::vector<std::string> all = {"check"};
    all.insert(all.end(), words.begin(), words.end());
    const Result told = shared_tutorial().run(all, options);
    EXPECT_EQ(told.code, 1) << told.err;
    std::string steps;
    for (const char* step : {"0.1", "0.2"})
        if (told.out.find(std::string(step) + " ") == 0 ||
            told.out.find("\n" + std::string(step) + " ") != std::string::npos)
            steps += std::string(steps.empty() ? "" : " ") + step;
    return steps;
}

}  // namespace

TEST(runner_words, a_step_has_a_number_a_name_and_a_file) {
    for (const char* word :
         {"0.1", "00.1", "0.01", "double_it", "double_it.cpp", "00_little/double_it",
          "00_little/double_it.cpp", "exercises/00_little/double_it.cpp",
          "./exercises/00_little/double_it.cpp", "chapters/../exercises/00_little//double_it.cpp"})
        EXPECT_EQ(steps_of({word}), "0.1") << word;
    EXPECT_EQ(steps_of({(shared_tutorial().root() / "exercises/00_little/double_it.cpp").string()}), "0.1");
}

TEST(runner_words, a_path_may_be_relative_to_where_the_command_is_typed) {
    const Options in_exercises{.caller = shared_tutorial().root() / "exercises/00_little"};
    EXPECT_EQ(steps_of({"double_it.cpp"}, in_exercises), "0.1");
    EXPECT_EQ(steps_of({"../00_little/halve_it.cpp"}, in_exercises), "0.2");
    EXPECT_EQ(steps_of({"exercises/00_little/double_it.cpp"}, in_exercises), "0.1") << "or to the root";
    EXPECT_EQ(steps_of({"."}, in_exercises), "0.1 0.2");
}

TEST(runner_words, a_path_may_lead_over_a_link) {
    const TemporaryFolder folder;
    fs::create_directory_symlink(shared_tutorial().root() / "exercises", folder.path() / "mine");
    EXPECT_EQ(steps_of({"mine/00_little/double_it.cpp"}, {.caller = folder.path()}), "0.1");
}

TEST(runner_words, a_chapter_has_a_number_a_name_and_a_folder) {
    for (const char* word : {"0", "00", "00_little", "00_little/", "little", "chapters/00_little",
                             "chapters/00_little/", "exercises/00_little", "solutions/00_little/"})
        EXPECT_EQ(steps_of({word}), "0.1 0.2") << word;
    EXPECT_EQ(steps_of({}), "0.1 0.2");
}

TEST(runner_words, steps_come_in_their_order_and_once) {
    EXPECT_EQ(steps_of({"0.2", "0.1", "double_it", "0.2"}), "0.1 0.2");
}

TEST(runner_words, flags_may_stand_anywhere_before_the_words_of_the_program) {
    EXPECT_EQ(shared_tutorial().run({"--no-install", "check", "0.1"}).code, 1);
    EXPECT_EQ(shared_tutorial().run({"check", "--no-install", "0.1"}).code, 1);
    EXPECT_EQ(shared_tutorial().run({"check", "0.1", "--no-install"}).code, 1);
}

TEST(runner_words, an_unknown_command_is_refused_with_the_nearest_one) {
    EXPECT_EQ(refusal({"chekc"}),
              "tutorial: there is no command \"chekc\"; ./tutorial --help lists them. Did you mean check?\n");
    EXPECT_EQ(refusal({"nonsense", "0.1"}),
              "tutorial: there is no command \"nonsense\"; ./tutorial --help lists them.\n");
    EXPECT_TRUE(contains(refusal({""}), "there is no command \"\""));
    EXPECT_TRUE(contains(refusal({"0.1"}), "there is no command \"0.1\""));
}

TEST(runner_words, the_table_has_several_names) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* word : {"list", "next", "progress", "status"})
        EXPECT_EQ(mini.run({word}).out, mini.run({}).out) << word;
}

TEST(runner_words, what_a_terminal_would_obey_is_not_repeated) {
    for (const char* word : {"\x1b[31m", "\u009b31m", "\u0085", "\u202e", "\u2066", "\u2028", "a\nb"})
        for (const std::vector<std::string>& words : {std::vector<std::string>{word},
                                                      {"run", word},
                                                      {"check", word},
                                                      {"check", std::string("--") + word},
                                                      {"hint", "0.1", word},
                                                      {"run", "--format", word}})
            EXPECT_FALSE(contains(refusal(words), word));
}

TEST(runner_words, an_unknown_step_is_refused_with_the_nearest_one) {
    EXPECT_EQ(
        refusal({"check", "dubble_it"}),
        "tutorial: there is no step \"dubble_it\"; a step is a chapter and a number, as in 0.1. Did you mean "
        "double_it?\n");
    EXPECT_EQ(refusal({"check", "exercises/00_little/halv_it.cpp"}),
              "tutorial: there is no step \"exercises/00_little/halv_it.cpp\"; a step is a chapter and a "
              "number, as in "
              "0.1. Did you mean halve_it?\n");
    EXPECT_FALSE(contains(refusal({"check", "softmax"}), "Did you mean"));
    for (const char* word :
         {"", " ", ".", "..", "/", "0.", ".1", "0.1.1", "-1", "1e9", "0.99999999999999999999"})
        if (std::string(word) != "-1") refusal({"hint", word});
}

TEST(runner_words, a_comma_for_the_point_of_a_step_is_noticed) {
    for (const char* command : {"check", "hint"})
        EXPECT_EQ(refusal({command, "0,2"}),
                  "tutorial: there is no step \"0,2\"; a step is a chapter and a number, as in 0.1. "
                  "Did you mean 0.2?\n");
    EXPECT_FALSE(contains(refusal({"check", "0,3"}), "Did you mean"));
}

TEST(runner_words, a_file_that_is_not_in_exercises_is_refused_with_the_one_that_is) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* file : {"solutions/00_little/halve_it.fast.cpp", "tests/00_little/halve_it_test.cpp"})
        steps::write_text(mini.root() / file, "// ours\n");
    const std::string is_other = " is not a file of exercises/, where your steps are.",
                      meant = " Did you mean exercises/00_little/halve_it.cpp?\n";
    for (const std::string file :
         {"solutions/00_little/halve_it.cpp", "solutions/00_little/halve_it.fast.cpp",
          "tests/00_little/halve_it_test.cpp"})
        for (const char* command : {"check", "hint", "diff", "reset"})
            EXPECT_EQ(refusal(mini, {command, file}), "tutorial: " + file + is_other + meant);
    EXPECT_EQ(refusal(mini, {"check", "chapters/00_little/main.cpp"}),
              "tutorial: chapters/00_little/main.cpp" + is_other + "\n");
    const Options in_solutions{.caller = mini.root() / "solutions/00_little"};
    EXPECT_EQ(refusal(mini, {"check", "./halve_it.cpp"}, in_solutions),
              "tutorial: ./halve_it.cpp" + is_other + meant);
    EXPECT_EQ(steps_of({"halve_it.cpp"}, in_solutions), "0.2") << "a name that a step has everywhere";
}

TEST(runner_words, a_number_that_a_chapter_does_not_have_is_refused_with_those_it_has) {
    for (const char* word : {"0.3", "0.0", "00.7"})
        EXPECT_EQ(refusal({"check", word}), std::string("tutorial: there is no step ") + word +
                                                "; chapter 0 has the steps 0.1 to 0.2.\n");
}

TEST(runner_words, an_unknown_chapter_is_refused_with_the_nearest_one) {
    EXPECT_EQ(refusal({"run", "7"}), "tutorial: there is no chapter \"7\"; ./tutorial lists the chapters.\n");
    EXPECT_EQ(refusal({"run", "00_litle"}),
              "tutorial: there is no chapter \"00_litle\"; ./tutorial lists the chapters. Did you mean "
              "00_little?\n");
    EXPECT_TRUE(contains(refusal({"check", "7"}), "there is no chapter \"7\""));
    EXPECT_TRUE(contains(refusal({"test", "7"}), "there is no chapter \"7\""));
    EXPECT_TRUE(contains(refusal({"play", "7"}), "there is no chapter \"7\""));
    EXPECT_TRUE(contains(refusal({"run", "litle"}), " Did you mean little?\n"));
    EXPECT_TRUE(contains(refusal({"check", "litle"}), " Did you mean little?\n"));
}

TEST(runner_words, a_step_where_a_chapter_is_needed_is_refused_and_the_other_way_round) {
    EXPECT_EQ(refusal({"run", "0.1"}), "tutorial: 0.1 is a step; its chapter is 0.\n");
    for (const char* command : {"hint", "diff", "reset"})
        EXPECT_EQ(refusal({command, "0"}), "tutorial: 0 is a chapter; its steps are 0.1 to 0.2.\n");
}

TEST(runner_words, a_command_for_one_step_asks_for_it) {
    for (const std::string command : {"hint", "diff", "reset"}) {
        EXPECT_EQ(refusal({command}), "tutorial: which step? As in: ./tutorial " + command + " 0.1\n");
        EXPECT_EQ(refusal({command, "0.1", "0.2"}), "tutorial: ./tutorial " + command +
                                                        " takes no \"0.2\"; ./tutorial " + command +
                                                        " --help explains it.\n");
    }
}

TEST(runner_words, an_unknown_flag_is_refused_with_the_nearest_one) {
    EXPECT_EQ(
        refusal({"check", "--sanitise"}),
        "tutorial: ./tutorial check does not know the flag --sanitise; ./tutorial check --help explains it. "
        "Did you mean "
        "--sanitize?\n");
    EXPECT_EQ(
        refusal({"--hlep"}),
        "tutorial: ./tutorial does not know the flag --hlep; ./tutorial --help explains it. Did you mean "
        "--help?\n");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "--yes"},
                                                  {"--nonsense"},
                                                  {"diff", "0.1", "--sanitize"},
                                                  {"test", "-x"},
                                                  {"check", "--sanitize=maybe"},
                                                  {"hint", "--"},
                                                  {"check", "0.1", "--", "more"}})
        refusal(words);
}

TEST(runner_words, a_flag_without_its_value_or_with_a_wrong_one_says_what_it_takes) {
    EXPECT_EQ(refusal({"run", "0", "--format"}),
              "tutorial: --format needs a value, as in: ./tutorial run 1 --format png\n");
    EXPECT_EQ(refusal({"play", "--port"}),
              "tutorial: --port needs a value, as in: ./tutorial play --port 8642\n");
    for (const std::string port : {"0", "65536", "banana", "80x"})
        EXPECT_EQ(refusal({"play", "--port", port}),
                  "tutorial: --port " + port + ": must be a number from 1 to 65535.\n");
    EXPECT_EQ(refusal({"run", "--mine=some"}),
              "tutorial: --mine=some: there are --mine, --mine=all and --mine=passed.\n");
}

TEST(runner_words, a_flag_of_the_program_is_refused_with_the_way_to_give_it) {
    EXPECT_EQ(
        refusal({"run", "0", "--text", "Hello"}),
        "tutorial: unknown flag --text; the program's own come after --: ./tutorial run 0 -- --text …\n");
}

TEST(runner_words, a_command_that_takes_no_words_refuses_them) {
    EXPECT_TRUE(contains(refusal({"list", "0"}), "./tutorial list takes no \"0\""));
    EXPECT_TRUE(contains(refusal({"bench", "0"}), "./tutorial bench takes no \"0\""));
}

}  // namespace tfs::tools_test
