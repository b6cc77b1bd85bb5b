// tests/common/program_chapter_test.cpp · the frame of a chapter's program: what is checked, shown and left out
#include "common/program/chapter_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "common/io/atomic_file.hpp"
#include "common/program/chapter.hpp"
#include "tests/common/captured_run.hpp"
#include "tests/common/environment_variable.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/common/scratch_folder.hpp"

namespace tfs::test {
namespace {

CapturedRun run_chapter_with(const std::vector<std::string>& arguments, const ChapterProgram& chapter) {
    const Variable locale("LC_ALL", "C.UTF-8");
    return captured_run(arguments, [&](int argc, char** argv) { return run_chapter(argc, argv, chapter); });
}

LineFigure figure_named(const std::string& name) {
    LinePanel panel{"", "x", "y"};
    panel.series = {{.name = "y", .x = {0, 1}, .y = {0, 1}}};
    return {.name = name, .title = "A line", .panels = {panel}};
}

// One section, and two that go deeper; a figure in the first and in the last.
ChapterProgram three_sections() {
    return {.name = "99_test", .description = "A program with three sections.", .body = [](Show& show) {
                show.section("first", [&] { show.figures.save(figure_named("shown")); });
                show.deeper("second", [&] { show.trace.note("the second speaks"); });
                show.deeper("third", [&] { show.figures.save(figure_named("deep")); });
            }};
}

TEST(chapter_program, leaves_deeper_sections_out_and_counts_them) {
    const CapturedRun run = run_chapter_with({}, three_sections());
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "\nfirst\n-----\n\n--deeper shows 2 more sections: ./tutorial run 99 -- --deeper\n");
}

TEST(chapter_program, shows_all_sections_with_deeper) {
    const CapturedRun run = run_chapter_with({"--deeper"}, three_sections());
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "\nfirst\n-----\n\nsecond\n------\n  the second speaks\n\nthird\n-----\n");
}

TEST(chapter_program, says_in_the_singular_that_one_section_is_left_out) {
    const CapturedRun run = run_chapter_with(
        {},
        {.name = "99_test", .description = "One.", .body = [](Show& show) { show.deeper("only", [] {}); }});
    EXPECT_EQ(run.out, "\n--deeper shows 1 more section: ./tutorial run 99 -- --deeper\n");
}

TEST(chapter_program, draws_the_figures_of_the_sections_it_shows) {
    const ScratchFolder shallow, deep;
    const CapturedRun run = run_chapter_with({"--plots", shallow.path().string()}, three_sections());
    EXPECT_TRUE(std::filesystem::exists(shallow / "shown.json"));
    EXPECT_FALSE(std::filesystem::exists(shallow / "deep.json"));
    const std::size_t hint = run.out.find("--deeper shows"), folder = run.out.find(shallow.path().string());
    EXPECT_LT(hint, folder);  // the figures come last
    EXPECT_NE(folder, std::string::npos);
    (void)run_chapter_with({"--deeper", "--plots", deep.path().string()}, three_sections());
    EXPECT_TRUE(std::filesystem::exists(deep / "shown.json"));
    EXPECT_TRUE(std::filesystem::exists(deep / "deep.json"));
}

std::string page_of(const ScratchFolder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--plots", folder.path().string()});
    (void)run_chapter_with(arguments, three_sections());
    return read_file(folder / "index.html");
}

TEST(chapter_program, says_on_its_page_whose_steps_computed_it_and_with_which_settings) {
    const ScratchFolder folder;
    const std::string solutions = page_of(folder, {"--seed", "3"});
    EXPECT_NE(solutions.find("computed by the solutions"), std::string::npos);
    EXPECT_TRUE(has_settings(solutions,
                             "--text The cat sat on the mat because it was tired --heads 4 --d-model "
                             "32 --seed 3 "));
    EXPECT_FALSE(
        has_settings(page_of(folder, {"--seed", "3", "--deeper"}),
                     "--text The cat sat on the mat because it was tired --heads 4 --d-model 32 --seed 3 "));
    const std::string mine =
        page_of(folder, {"--whose", "your steps 9.1 … 9.2", "--beside", "/nowhere", "--seed", "3"});
    EXPECT_NE(mine.find("-- --seed 3 · seed 3 · computed by your steps 9.1 … 9.2"), std::string::npos)
        << mine;
    EXPECT_NE(mine.find("there is none yet"), std::string::npos);
}

TEST(chapter_program, ends_a_section_at_an_unfinished_step_and_goes_on) {
    const CapturedRun run =
        run_chapter_with({}, {.name = "99_test", .description = "Unfinished.", .body = [](Show& show) {
                                  show.section("first", [] { throw NotImplemented("1.1 softmax"); });
                                  show.section("second", [&] { show.trace.note("goes on"); });
                              }});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(occurrences(run.out, "this section ends here"), 1U) << run.out;
    EXPECT_EQ(occurrences(run.out, "goes on"), 1U) << run.out;
}

// A program that has every option, and one of its own.
CapturedRun run_with_limits(const std::vector<std::string>& arguments) {
    std::size_t window = 3;
    return run_chapter_with(
        arguments,
        {.name = "99_test",
         .description = "Limits.",
         .limits = {.max_tokens = 4, .min_d_model = 2, .max_d_model = 64},
         .own_options = [&](Program& program) { program.option("--window", window, "keys"); },
         .own_checks = [&](const SharedOptions&) { require_between("--window", window, 1, 8); },
         .body =
             [&](Show& show) {
                 show.trace.note(fmt::format("{} {} {} {} {}", show.tokens.size(), show.options.heads,
                                             show.options.d_model, show.options.seed, window));
             }});
}

TEST(chapter_program, hands_the_values_of_the_options_to_the_body) {
    const CapturedRun run = run_with_limits(
        {"--text", "a b c", "--heads", "2", "--d-model", "8", "--seed", "7", "--window", "5"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "  3 2 8 7 5\n");
}

TEST(chapter_program, refuses_bad_values_with_one_sentence_before_it_prints) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"--text", "a b c d e"}, "--text has 5 tokens; at most 4"},
        {{"--text", "  "}, "--text is empty"},
        {{"--text", "a", "--heads", "3"}, "--heads 3 don't divide --d-model 32"},
        {{"--text", "a", "--heads", "0"}, "--heads 0: must be at least 1"},
        {{"--text", "a", "--d-model", "1"}, "--d-model 1: must be between 2 and 64"},
        {{"--text", "a", "--d-model", "68"}, "--d-model 68: must be between 2 and 64"},
        {{"--text", "a", "--window", "9"}, "--window 9: must be between 1 and 8"},
        {{"--text", "a", "--seed", "-1"}, "--seed: needs a whole number"}};
    for (const auto& [arguments, sentence] : refused) {
        const CapturedRun run = run_with_limits(arguments);
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(occurrences(run.err, "\n"), 1U) << run.err;
        EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err << "does not say " << sentence;
    }
}

TEST(chapter_program, draws_nothing_where_a_value_is_refused) {
    const ScratchFolder folder;
    const std::string plots = (folder / "plots").string();
    EXPECT_EQ(run_with_limits({"--text", "a", "--window", "9", "--plots", plots}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(plots));
}

TEST(chapter_program, has_only_the_options_that_its_limits_name) {
    const ChapterProgram plain{.name = "99_test",
                               .description = "No sentence.",
                               .limits = {.max_tokens = 0, .heads = false, .max_d_model = 0},
                               .body = [](Show& show) { EXPECT_TRUE(show.tokens.empty()); }};
    EXPECT_EQ(run_chapter_with({}, plain).code, 0);
    for (const char* flag : {"--text", "--heads", "--d-model"})
        EXPECT_EQ(run_chapter_with({flag, "1"}, plain).code, 2) << flag;
    const std::string help = run_chapter_with({"--help"}, plain).out;
    for (const char* flag : {"--seed", "--deeper", "--plots", "--ascii"})
        EXPECT_NE(help.find(flag), std::string::npos) << flag;
}

TEST(show_sentence, draws_one_row_for_each_token_and_says_what_it_is) {
    const CapturedRun run =
        run_chapter_with({"--text", "to be or not to be", "--d-model", "8", "--seed", "3"},
                         {.name = "99_test", .description = "A sentence.", .body = [](Show& show) {
                              Rng rng(show.options.seed);
                              const Tensor x = show_sentence(show, rng);
                              EXPECT_EQ(x.shape(), (Shape{1, 6, 8}));
                          }});
    EXPECT_NE(run.out.find("6 tokens, 4 different; seed 3; the weights are random"), std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("(batch 1, seq 6, d_model 8)"), std::string::npos) << run.out;
}

// A section, a quick experiment that reads --count, and a slow one.
Chapter experiments() {
    const CountOption count{"--count", 3, 1, 9, "how many"};
    const auto section = [](const std::string& id, Level level, std::vector<Option> read) {
        return Section{.id = id,
                       .title = "This is " + id,
                       .level = level,
                       .slow = id == "slow",
                       .options = std::move(read),
                       .run = [](const Request&) { return Report(); }};
    };
    return {
        .name = "99_test",
        .description = "Experiments.",
        .sections = {section("usual", Level::always, {count}), section("quick", Level::experiment, {count}),
                     section("slow", Level::experiment, {})}};
}

CapturedRun run_experiments(const std::vector<std::string>& arguments) {
    return captured_run(arguments,
                        [](int argc, char** argv) { return run_program(argc, argv, experiments()); });
}

TEST(experiments, that_are_slow_run_only_by_their_name) {
    EXPECT_EQ(run_experiments({}).out, "\nThis is usual\n-------------\n");
    EXPECT_EQ(run_experiments({"--experiment", "all"}).out, "\nThis is quick\n-------------\n");
    EXPECT_EQ(run_experiments({"--experiment", "slow"}).out, "\nThis is slow\n------------\n");
}

TEST(experiments, refuse_options_that_they_do_not_read) {
    EXPECT_EQ(run_experiments({"--experiment", "all", "--count", "2", "--seed", "2"}).code, 0);
    const CapturedRun refused = run_experiments({"--experiment", "slow", "--count", "2"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--experiment slow has settings of its own: leave out --count"),
              std::string::npos)
        << refused.err;
}

}  // namespace
}  // namespace tfs::test
