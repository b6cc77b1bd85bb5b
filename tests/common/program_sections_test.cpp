// tests/common/program_sections_test.cpp · the frame of a chapter's program: what is checked, shown, left out and listed
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/io/atomic_file.hpp"
#include "common/program/chapter.hpp"
#include "common/program/main_function.hpp"
#include "common/report/sinks.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Json = nlohmann::ordered_json;

CapturedRun run_with(const std::vector<std::string>& arguments, const Chapter& chapter) {
    const Variable locale("LC_ALL", "C.UTF-8");
    return captured_run(arguments, [&](int argc, char** argv) { return run_program(argc, argv, chapter); });
}

const CountOption window{"--window", 3, 1, 8, "keys that a query sees"};
const FlagOption plain{"--plain", "leave the second section out"};

LineFigure figure_named(const std::string& name) {
    LinePanel panel{"", "x", "y"};
    panel.series = {{.name = "y", .x = {0, 1}, .y = {0, 1}}};
    return {.name = name, .title = "A line", .panels = {panel}};
}

Report says(const std::string& text) {
    Report report;
    report.note(text);
    return report;
}

// One section, two that go deeper, and an experiment; a figure in the first and in the third.
Chapter four_sections() {
    const auto draws = [](const std::string& name) {
        return [name](const Request&) {
            Report report;
            report.add(figure_named(name));
            return report;
        };
    };
    return {
        .name = "99_test",
        .description = "A program with four sections.",
        .sections =
            {{"first", "first", draws("shown")},
             {"second",
              "second of {window}",
              [](const Request& request) {
                  return says(fmt::format("{} words, {} keys", request.words(options::sentence(10)).size(),
                                          request[window]));
              },
              {options::sentence(10), window},
              Level::deeper},
             {"third", "third", draws("deep"), {}, Level::deeper},
             {"tried", "tried", [](const Request&) { return says("an experiment"); }, {}, Level::experiment}},
        .check =
            [](const Request& request) {
                if (request[window] == 7) throw ValueError("--window 7: bad luck");
            },
        .belongs = [](const Section& section,
                      const Request& request) { return !(request[plain] && section.id == "second"); },
        .options = {plain}};
}

TEST(chapter, leaves_deeper_sections_out_and_counts_them) {
    const CapturedRun run = run_with({}, four_sections());
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "\nfirst\n-----\n\n--deeper shows 2 more sections: ./tutorial run 99 -- --deeper\n");
    EXPECT_NE(run_with({"--plain"}, four_sections()).out.find("shows 1 more section:"), std::string::npos)
        << "one of them does not belong to this run";
}

TEST(chapter, shows_one_section_or_the_experiments_alone) {
    const std::string second = "\nsecond of 5\n-----------\n  1 words, 5 keys\n";
    EXPECT_EQ(run_with({"--section", "second", "--window", "5", "--text", "a"}, four_sections()).out, second);
    EXPECT_EQ(
        run_with({"--section", "second", "--plain", "--window", "5", "--text", "a"}, four_sections()).out,
        second)
        << "whatever else leaves it out";
    const std::string tried = "\ntried\n-----\n  an experiment\n";
    for (const char* name : {"tried", "all"})
        EXPECT_EQ(run_with({"--experiment", name}, four_sections()).out, tried);
}

std::string page_of(const ScratchFolder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--text", "a b", "--plots", folder.path().string()});
    (void)run_with(arguments, four_sections());
    return read_file(folder / "index.html");
}

TEST(chapter, says_on_its_page_whose_steps_computed_it_and_with_which_settings) {
    const ScratchFolder folder;
    const std::string settings = "--text a b --window 3 --seed 3 ", page = page_of(folder, {"--seed", "3"});
    EXPECT_NE(page.find("computed by the solutions"), std::string::npos);
    EXPECT_TRUE(has_settings(page, settings));
    EXPECT_FALSE(has_settings(page_of(folder, {"--seed", "3", "--deeper"}), settings));
    EXPECT_FALSE(has_settings(page_of(folder, {"--seed", "3", "--plain"}), settings));
    const std::string mine =
        page_of(folder, {"--whose", "your steps 9.1 … 9.2", "--beside", "/nowhere", "--seed", "3"});
    EXPECT_NE(mine.find("seed 3 · computed by your steps 9.1 … 9.2"), std::string::npos) << mine;
    EXPECT_NE(mine.find("there is none yet"), std::string::npos);
}

TEST(chapter, ends_a_section_at_an_unfinished_step_and_goes_on) {
    Chapter chapter = four_sections();
    chapter.sections[0].run = [](const Request&) -> Report { throw NotImplemented("1.1 attention_loops"); };
    const CapturedRun run = run_with({"--deeper", "--text", "a"}, chapter);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(occurrences(run.out, "this section ends here"), 1U) << run.out;
    EXPECT_EQ(occurrences(run.out, "1 words, 3 keys"), 1U) << run.out;
}

TEST(chapter, ends_a_section_at_an_error_of_own_steps_and_goes_on) {
    Chapter chapter = four_sections();
    chapter.sections[0].run = [](const Request&) -> Report { throw ValueError("softmax: no row"); };
    const CapturedRun mine = run_with({"--whose", "your steps", "--deeper", "--text", "a"}, chapter);
    EXPECT_EQ(mine.code, 0);
    EXPECT_EQ(occurrences(mine.out, "an error: softmax: no row; this section ends here"), 1U) << mine.out;
    EXPECT_EQ(occurrences(mine.out, "1 words, 3 keys"), 1U) << mine.out;
    EXPECT_NE(run_with({"--deeper", "--text", "a"}, chapter).code, 0) << "in the solutions it is a fault";
}

TEST(chapter, tells_the_command_as_a_shell_reads_it) {
    const auto told = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "01_attention");
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        return command_of("01_attention", static_cast<int>(argv.size()), argv.data());
    };
    EXPECT_EQ(told({}), "./tutorial run 1");
    EXPECT_EQ(told({"--text", "", "--window", "2"}), "./tutorial run 1 -- --text \"\" --window 2");
    EXPECT_EQ(told({"--text", "a b"}), "./tutorial run 1 -- --text \"a b\"");
    EXPECT_EQ(told({"--text", "I'm"}), "./tutorial run 1 -- --text \"I'm\"");
    EXPECT_EQ(told({"--text", "$a b"}), "./tutorial run 1 -- --text '$a b'");
    EXPECT_EQ(told({"--text", "a\"b'c"}), "./tutorial run 1 -- --text 'a\"b'\\''c'");
    EXPECT_EQ(told({"--text", "a\n'b'"}), "./tutorial run 1 -- --text $'a\\n\\'b\\''");
    EXPECT_EQ(told({"--text", "\u00e4\x1b\u009b\u202e\xff"}),
              "./tutorial run 1 -- --text $'\u00e4\\033\\302\\233\\342\\200\\256\\377'");
}

TEST(chapter, refuses_bad_values_with_one_sentence_before_it_prints_or_draws) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
        {{"--text", "a b c d e f g h i j k"}, "--text has 11 tokens; at most 10"},
        {{"--text", "  "}, "--text is empty"},
        {{"--text", "a", "--window", "9"}, "--window 9: must be between 1 and 8"},
        {{"--text", "a", "--window", "0"}, "--window 0: must be between 1 and 8"},
        {{"--text", "a", "--window", "7"}, "--window 7: bad luck"},
        {{"--text", "a", "--seed", "-1"}, "--seed: needs a whole number"},
        {{"--section", "other", "--text", "a"}, "no such section; there are: first, second, third, tried"},
        {{"--experiment", "first", "--text", "a"}, "no such experiment; there are: tried, all"},
        {{"--heads", "2"}, "unknown argument --heads"}};
    const ScratchFolder folder;
    for (auto [arguments, sentence] : refused) {
        arguments.insert(arguments.begin(), {"--plots", (folder / "plots").string()});
        const CapturedRun run = run_with(arguments, four_sections());
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(occurrences(run.err, "\n"), 1U) << run.err;
        EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err << "does not say " << sentence;
        EXPECT_FALSE(std::filesystem::exists(folder / "plots"));
    }
}

TEST(chapter, refuses_two_sections_of_one_id) {
    Chapter chapter = four_sections();
    chapter.sections[2].id = "first";
    EXPECT_NE(run_with({}, chapter).err.find("two sections have the id first"), std::string::npos);
}

TEST(chapter, lists_its_sections_for_people_and_programs) {
    const std::string list = run_with({"--list", "--window", "5"}, four_sections()).out;
    for (const char* part : {"first", "second of 5", "with --deeper", "with --experiment"})
        EXPECT_NE(list.find(part), std::string::npos) << part << " is not in\n" << list;
    const Json json = Json::parse(run_with({"--list", "--json"}, four_sections()).out);
    EXPECT_EQ(json["version"], 2);
    EXPECT_EQ(json["sections"][1]["options"], Json::parse(R"(["--text", "--window"])"));
    const auto& of_window = json["options"][1];
    EXPECT_EQ(of_window, Json::parse(R"({"flag": "--window", "default": 3, "help": "keys that a query sees",
                                         "type": "count", "low": 1, "high": 8})"));
}

TEST(chapter, runs_a_slow_experiment_only_by_its_name_and_with_options_that_it_reads) {
    Chapter chapter = four_sections();
    chapter.sections.push_back(chapter.sections.back());
    chapter.sections.back().id = chapter.sections.back().title = "long";
    chapter.sections.back().slow = Slow::yes;
    EXPECT_EQ(run_with({"--experiment", "all"}, chapter).out.find("long"), std::string::npos);
    EXPECT_EQ(run_with({"--experiment", "long", "--seed", "2"}, chapter).out,
              "\nlong\n----\n  an experiment\n");
    const CapturedRun refused = run_with({"--experiment", "long", "--window", "2"}, chapter);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--experiment long has settings of its own: leave out --window"),
              std::string::npos)
        << refused.err;
}

TEST(options, refuse_what_does_not_fit_and_say_it) {
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)tokens_of_text("a b", 1, "--target"); }, {"--target", "2 tokens"}));
    EXPECT_EQ(tokens_of_text("a\x1b[2J \u202Eb", 2), (Tokens{"a\\x1b[2J", "\\xe2\\x80\\xaeb"}));
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(3, 8); }, {"--heads 3", "--d-model 8"}));
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(0, 8); }, {"--heads 0: must be at least 1"}));
    const RealOption rate{.flag = "--rate", .value = 1, .low = 0, .high = 2, .help = "", .above = true};
    EXPECT_TRUE(refuses<ValueError>([&] { require_fit(rate, 0.0); }, {"--rate 0: must be above 0"}));
}

}  // namespace
}  // namespace tfs::test
