// tests/lessons/lessons_test.cpp · what a lesson quotes is what the sources say and what the programs print
//
// In chapters/*/README.md and deeper.md a fenced block directly below one of these comments is checked:
//     <!-- output of: 01_attention --ascii -->   its lines stand, in order, in that program's output. A line of only … skips
//                                                lines. A number may differ by one unit of its last place, one such as
//                                                1.2e-07 by a factor of ten; whole numbers may not.
//     <!-- code from: solutions/…/softmax.cpp --> its lines stand, one after the other, in that file (the markers of the
//                                                exercise generator and indentation aside). A line of only // … skips lines.
// Behind a step, this comment names a section and the words with which a line of it begins that the step computes:
//     <!-- line of softmax: softmax | 2 1 0 -->  ./tutorial watch prints that line of her run once the step passes; behind
//                                                one more " | " may stand what its numbers are
// A lesson shows figures/NAME.svg; its numbers are in figures/NAME.json. The test draws the picture from them, and compares them
// with the numbers of a new run with --deeper, or of a quoted run with --experiment (common/figures/figure.hpp). The
// lesson gives the figure's caption, too. tools/make_figures makes all of them anew. Four comments allow differences:
//     <!-- measured: figures/NAME.svg -->          it shows times: the numbers are not compared
//     <!-- trained: figures/NAME.svg, 1.5 -->      a training made it: numbers may differ by this factor
//     <!-- rounding: figures/NAME.svg, 1e-4 -->    smaller numbers than this are rounding errors: by a factor of ten
//     <!-- slow: figures/NAME.svg -->              its run takes minutes: the numbers are not compared
// In pages and sources, "step 1.2" and its like stand in a line with that step's name, and links lead to files and headings that
// are there.
// docs/overview.md is checked with the lessons whose programs it quotes, and its figures with those of their chapters;
// docs/writing-a-step.md with the test that its code comes from. LESSON_TUTORIAL names another tutorial than the one that was built:
// tests/copy/run reads the copy of a course so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/figures/figure.hpp"
#include "play/anchor.hpp"
#include "tests/common/environment.hpp"
#include "tests/lessons/report_numbers.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/steps/tutorial.hpp"

namespace {

namespace steps = tfs::steps;
using steps::Lines;

const std::filesystem::path repository = [] {
    const char* const other = std::getenv("LESSON_TUTORIAL");
    return other ? other : TFS_SOURCE_DIR;
}();

// In the copy of a course, which has no folds with solutions and no mistakes (tools/copy).
bool solutions_are_hidden() {
    const steps::Step step = steps::read_tutorial(repository).steps().front();
    return steps::is_hidden(steps::read_text(repository / step.solution()));
}

Lines read_lines(const std::string& path) { return steps::split_lines(steps::read_text(repository / path)); }

// Words of a line: white space is of no account.
Lines words(const std::string& line) {
    std::istringstream in(line);
    Lines result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
}

// A word as text with its numbers cut out, and the numbers.
struct Word {
    std::string text;
    std::vector<std::string> numbers;

    explicit Word(const std::string& word) {
        static const std::regex number(R"([-+]?\d+(\.\d+)?(e[-+]?\d+)?)");
        std::sregex_iterator it(word.begin(), word.end(), number), end;
        std::size_t from = 0;
        for (; it != end; ++it) {
            text += word.substr(from, static_cast<std::size_t>(it->position()) - from) + "#";
            from = static_cast<std::size_t>(it->position() + it->length());
            numbers.push_back(it->str());
        }
        text += word.substr(from);
    }
};

bool same_number(const std::string& quoted, const std::string& printed) {
    if (quoted == printed) return true;
    const double a = std::stod(quoted), b = std::stod(printed);
    if (quoted.find('e') != std::string::npos) {  // a rounding error: its size counts
        return a * b > 0.0 && std::abs(std::log10(a / b)) <= 1.0;
    }
    const std::size_t point = quoted.find('.');
    if (point == std::string::npos) return false;  // a count
    const double last_place = std::pow(10.0, -static_cast<double>(quoted.size() - point - 1));
    return std::abs(a - b) <= 1.01 * last_place;
}

bool same_line(const std::string& quoted, const std::string& printed) {
    const Lines a = words(quoted), b = words(printed);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const std::string& x, const std::string& y) {
        const Word quoted_word(x), printed_word(y);
        return quoted_word.text == printed_word.text &&
               std::equal(quoted_word.numbers.begin(), quoted_word.numbers.end(),
                          printed_word.numbers.begin(), printed_word.numbers.end(), same_number);
    });
}

// Empty where `quoted` stands in `source` line after line (after a skip anywhere below), else the first line that doesn't.
std::string first_missing(const Lines& quoted, const Lines& source, const std::string& skip) {
    std::size_t position = 0;
    bool anywhere = true;
    for (const std::string& line : quoted) {
        if (words(line) == words(skip)) {
            anywhere = true;
            continue;
        }
        if (words(line).empty()) continue;
        std::size_t at = position;
        while (at < source.size() &&
               (words(source[at]).empty() || (anywhere && !same_line(line, source[at]))))
            ++at;
        if (at == source.size() || !same_line(line, source[at])) return line;
        position = at + 1;
        anywhere = false;
    }
    return {};
}

struct Quote {
    std::string where, subject;
    Lines lines;
};

// The quotes of one kind in a file.
std::vector<Quote> quotes_in(const std::string& lesson, const std::string& kind) {
    std::vector<Quote> found;
    if (!std::filesystem::exists(repository / lesson)) return found;
    const Lines lines = read_lines(lesson);
    const std::regex comment("<!-- " + kind + ": (.*) -->");
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        std::smatch match;
        if (!std::regex_match(lines[i], match, comment)) continue;
        Quote quote{lesson + ":" + std::to_string(i + 1), match[1], {}};
        EXPECT_TRUE(lines[i + 1].starts_with("```")) << quote.where << ": no fenced block follows";
        for (std::size_t j = i + 2; j < lines.size() && !lines[j].starts_with("```"); ++j)
            quote.lines.push_back(lines[j]);
        found.push_back(quote);
    }
    return found;
}

constexpr const char* overview = "docs/overview.md";

// Those of a chapter's lesson, of the page that goes deeper, and what the overview quotes of the chapter's program.
std::vector<Quote> quotes(const std::string& chapter, const std::string& kind) {
    std::vector<Quote> found = quotes_in("chapters/" + chapter + "/README.md", kind);
    for (const Quote& quote : quotes_in("chapters/" + chapter + "/deeper.md", kind)) found.push_back(quote);
    for (const Quote& quote : quotes_in(overview, kind))
        if (quote.subject.starts_with(chapter + " ")) found.push_back(quote);
    return found;
}

// The overview as if it lay in the chapter's folder: so its figures of that chapter are found.
Lines overview_from(const std::string& chapter) {
    Lines lines = read_lines(overview);
    const std::string folder = "../chapters/" + chapter + "/";
    for (std::string& line : lines)
        if (const std::size_t at = line.find("(" + folder + "figures/"); at != std::string::npos)
            line.erase(at + 1, folder.size());
    return lines;
}

// Where the figures of a program with --deeper, or with --experiment, are drawn. It is a folder of this process alone, as two lessons
// that are tested at the same time may quote the same program. LESSON_FIGURES names another one.
std::filesystem::path plots() {
    static const tfs::test::ScratchFolder own;
    if (const char* folder = std::getenv("LESSON_FIGURES")) return folder;
    return own.path();
}

// The reports of these runs as JSON, as far as they leave some.
std::map<std::string, std::string> reports;

// What a program prints, run once however often it is quoted.
const Lines& output_of(const std::string& command) {
    static std::map<std::string, Lines> outputs;
    if (const auto known = outputs.find(command); known != outputs.end()) return known->second;
    const std::string chapter = command.substr(0, command.find(' '));
    static std::set<std::string> cleared;
    if (cleared.insert(chapter).second) std::filesystem::remove_all(plots() / chapter);  // of another run
    setenv("PROGRAMS", TFS_PROGRAM_DIR,
           1);  // the shell splits no variable in quotes, whatever the folder is called
    setenv("PLOTS", plots().c_str(), 1);
    setenv("TFS_TIMES", "once", 1);
    std::string line = "\"$PROGRAMS\"/" + command;
    if (command.ends_with(" --deeper") || command.find(" --experiment ") != std::string::npos)
        line += " --plots=\"$PLOTS\"/" + chapter;
    std::FILE* const pipe = popen(line.c_str(), "r");
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
    EXPECT_EQ(pclose(pipe), 0) << command;
    const std::filesystem::path report = plots() / chapter / "report.json";
    if (line.find(" --plots=") != std::string::npos && std::filesystem::exists(report))
        reports[command] = steps::read_text(report);
    return outputs[command] = steps::split_lines(output);
}

// A solution, shown where it is hidden, without the marks of its gaps and their tasks; any other source as it is.
Lines source_lines(const std::string& path) {
    const std::string text = steps::revealed(steps::read_text(repository / path));
    const bool is_step = steps::parse_banner(steps::split_lines(text).at(0)).has_value();
    return is_step ? steps::solution_lines(text) : steps::split_lines(text);
}

std::vector<std::string> chapters() {
    std::vector<std::string> folders;
    for (const steps::Chapter& chapter : steps::read_tutorial(repository).chapters)
        folders.push_back(chapter.folder);
    return folders;
}

std::vector<steps::Step> steps_of(const std::string& chapter) {
    std::vector<steps::Step> all = steps::read_tutorial(repository).steps();
    std::erase_if(all, [&](const steps::Step& step) { return step.folder != chapter; });
    return all;
}

class lesson : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(of, lesson, testing::ValuesIn(chapters()),
                         [](const auto& chapter) { return chapter.param; });

TEST_P(lesson, quotes_what_the_program_prints) {
    const std::vector<Quote> all = quotes(GetParam(), "output of");
    EXPECT_FALSE(all.empty());
    for (const Quote& quote : all) {
        EXPECT_EQ(first_missing(quote.lines, output_of(quote.subject), "…"), "")
            << quote.where << " quotes it, but it is not printed";
    }
}

TEST_P(lesson, quotes_the_sources) {
    const std::vector<Quote> all = quotes(GetParam(), "code from");
    EXPECT_TRUE(!all.empty() || solutions_are_hidden());
    for (const Quote& quote : all) {
        EXPECT_EQ(first_missing(quote.lines, source_lines(quote.subject), "// …"), "")
            << quote.where << " quotes it, but " << quote.subject << " does not say it";
    }
}

TEST_P(lesson, names_lines_of_its_steps_that_the_program_prints) {
    const auto prints = [](const std::string& options, const std::string& words) {
        const Lines& output = output_of(GetParam() + options);
        return std::any_of(output.begin(), output.end(), [&](const std::string& line) {
            return line.find(" " + words) != std::string::npos;
        });
    };
    for (const std::string& line : read_lines("chapters/" + GetParam() + "/README.md")) {
        static const std::regex comment(R"(<!-- line of (\w+): (\S+) \| (.+?)( \| .+)? -->)");
        std::smatch match;
        if (!std::regex_match(line, match, comment)) continue;
        EXPECT_TRUE(prints(" --list", match[2].str() + " ")) << line;
        EXPECT_TRUE(prints(" --ascii --deeper", match[3])) << line;
    }
}

// Where two pictures begin to differ, as a piece of the second one; empty where they are alike. Numbers in tags may differ by 0.11:
// a place has one decimal, which a processor's logarithm may round the other way.
std::string first_difference(std::string_view shown, std::string_view drawn) {
    const auto take_number = [](std::string_view text, std::size_t& i) {
        const std::size_t end = text.find_first_not_of("-.0123456789", i + 1);
        const double number = std::strtod(std::string(text.substr(i, end - i)).c_str(), nullptr);
        i = std::min(end, text.size());
        return number;
    };
    bool in_tag = false;
    for (std::size_t i = 0, j = 0; i < shown.size() || j < drawn.size();) {
        const std::string rest(drawn.substr(j > 60 ? j - 60 : 0, 120));
        if (i == shown.size() || j == drawn.size()) return rest + " (one ends here)";
        if (in_tag && std::isdigit(shown[i]) && std::isdigit(drawn[j])) {
            if (std::abs(take_number(shown, i) - take_number(drawn, j)) > 0.11) return rest;
            continue;
        }
        if (shown[i] != drawn[j]) return rest;
        in_tag = shown[i] == '<' || (in_tag && shown[i] != '>');
        ++i, ++j;
    }
    return {};
}

// Whether these words stand there one after the other, however the lines are broken.
bool quotes_words(const Lines& lines, const std::string& text) {
    std::string all = " ";
    for (const std::string& line : lines)
        for (const std::string& word : words(line)) all += word + " ";
    std::string wanted;
    for (const std::string& word : words(text)) wanted += (wanted.empty() ? "" : " ") + word;
    return all.find(wanted) != std::string::npos;
}

// What the lesson says of a figure whose numbers may differ: {"trained", "1.5"}; no kind: it says nothing.
struct Mark {
    std::string kind, value;
};

Mark mark_of(const std::string& figure, const Lines& lines) {
    const std::regex mark("<!-- (measured|trained|rounding|slow): " + figure + "(, (.*))? -->");
    std::smatch match;
    for (const std::string& line : lines)
        if (std::regex_match(line, match, mark)) return {match[1], match[3]};
    return {};
}

tfs::FigureTolerance tolerance_of(const Mark& mark) {
    tfs::FigureTolerance tolerance;
    tolerance.same_text = same_line;
    tolerance.numbers = mark.kind != "measured";
    if (mark.kind == "trained") tolerance.factor = std::stod(mark.value);
    if (mark.kind == "rounding") tolerance.rounding = std::stod(mark.value);
    return tolerance;
}

Lines lines_that_show_figures(const std::string& chapter) {
    const std::string folder = "chapters/" + chapter + "/";
    Lines lines = read_lines(folder + "README.md");
    for (const std::string& line : read_lines(folder + "deeper.md")) lines.push_back(line);
    for (const std::string& line : overview_from(chapter)) lines.push_back(line);
    return lines;
}

// The figures that these lines show: "figures/nouns.svg", without the ending.
Lines figures_in(const Lines& lines) {
    const std::regex figure(R"(\((figures/[a-z0-9_]+)\.svg\))");
    Lines found;
    std::smatch match;
    for (const std::string& line : lines)
        if (std::regex_search(line, match, figure)) found.push_back(match[1]);
    return found;
}

tfs::Figure read_figure(const std::filesystem::path& json) {
    return tfs::figure_from_json(steps::read_text(json));
}

TEST_P(lesson, shows_pictures_of_the_numbers_beside_them) {
    const Lines lines = lines_that_show_figures(GetParam()), figures = figures_in(lines);
    EXPECT_FALSE(figures.empty());
    for (const std::string& name : figures) {
        const std::filesystem::path kept = repository / "chapters" / GetParam() / name;
        ASSERT_TRUE(std::filesystem::exists(kept.string() + ".json"))
            << "the lesson shows " << name << ".svg, which is not there; run tools/make_figures "
            << GetParam().substr(0, 2);
        const tfs::Figure figure = read_figure(kept.string() + ".json");
        EXPECT_EQ(first_difference(steps::read_text(kept.string() + ".svg"), tfs::svg(figure)), "")
            << name << ".svg is not what is drawn from its numbers now; run tools/make_figures";
        const std::string& caption = tfs::caption_of(figure);
        EXPECT_TRUE(caption.empty() || quotes_words(lines, caption))
            << "the lesson does not give the caption of " << name << ": *" << caption << '*';
    }
}

TEST_P(lesson, shows_figures_with_the_numbers_that_the_program_finds) {
    const Lines lines = lines_that_show_figures(GetParam());
    output_of(GetParam() + " --ascii --deeper");
    for (const Quote& quote : quotes(GetParam(), "output of")) output_of(quote.subject);
    for (const std::string& name : figures_in(lines)) {
        const Mark mark = mark_of(name + ".svg", lines);
        if (mark.kind == "slow") continue;
        const std::filesystem::path kept = repository / "chapters" / GetParam() / name,
                                    drawn = plots() / GetParam() / kept.filename();
        EXPECT_EQ(tfs::figure_difference(steps::read_text(kept.string() + ".json"),
                                         steps::read_text(drawn.string() + ".json"), tolerance_of(mark)),
                  "")
            << name << ".json is not what the program finds now; run tools/make_figures";
    }
}

// A program that reads the reports sees the numbers that the terminal shows.
TEST_P(lesson, has_a_program_whose_json_has_what_it_prints) {
    (void)output_of(GetParam() + " --ascii --deeper");
    for (const Quote& quote : quotes(GetParam(), "output of")) (void)output_of(quote.subject);
    std::size_t compared = 0;
    for (const auto& [command, report] : reports) {
        if (!command.starts_with(GetParam())) continue;
        EXPECT_EQ(tfs::lessons_test::first_difference_of_report(report, output_of(command)), "") << command;
        ++compared;
    }
    EXPECT_GE(compared, 1U);
}

// The comparison itself: what a terminal shows of a small report, and one digit of it changed.
TEST(texts, of_a_report_are_compared_number_by_number) {
    const std::string report = R"({"sections": [{"id": "a", "title": "A title", "report": [
        {"kind": "table", "columns": [{"format": {"notation": "text"}},
                                      {"format": {"notation": "fixed", "digits": 2, "suffix": " %"}}],
         "rows": [["first", 12.345], ["second", {"value": 1e-9, "format": {"notation": "magnitude", "digits": 5}}]]},
        {"kind": "trace", "lines": [{"min": -1.5, "mean": 0, "max": 2000}]},
        {"kind": "map", "values": [[0.25, 1]], "allowed": [[true, false]]}]}]})";
    const Lines shown = {
        "A title", "-------", "first  12.35 %", "second  below 1e-5", "x (2) -1.500 0.000 2.0e+03",
        "0.25 --"};
    EXPECT_EQ(tfs::lessons_test::first_difference_of_report(report, shown), "");
    for (std::size_t i = 2; i < shown.size(); ++i) {
        Lines other = shown;
        other[i][other[i].find('5') == std::string::npos ? 0 : other[i].find('5')] = '4';
        EXPECT_NE(tfs::lessons_test::first_difference_of_report(report, other), "") << other[i];
    }
}

// What is more than a screen or two, a program shows with --deeper.
TEST_P(lesson, has_a_program_that_prints_60_lines_at_most) {
    const Lines help = output_of(GetParam() + " --help");
    const bool goes_deeper = std::any_of(help.begin(), help.end(), [](const std::string& line) {
        return line.find("--deeper") != std::string::npos;
    });
    if (!goes_deeper) GTEST_SKIP() << GetParam() << " has no --deeper yet";
    EXPECT_LE(output_of(GetParam() + " --ascii").size(), 60U);
}

// Markdown behind a <summary> is shown as it is typed, up to the first blank line.
TEST_P(lesson, begins_the_text_of_a_fold_after_a_blank_line) {
    for (const char* page : {"README.md", "deeper.md"}) {
        const std::string file = "chapters/" + GetParam() + "/" + page;
        if (!std::filesystem::exists(repository / file)) continue;
        const Lines lines = read_lines(file);
        for (std::size_t i = 0; i < lines.size(); ++i)
            EXPECT_TRUE(lines[i].find("</summary>") == std::string::npos ||
                        (lines[i].ends_with("</summary>") && i + 1 < lines.size() && lines[i + 1].empty()))
                << file << ":" << i + 1;
    }
}

// "75 minutes · 5 steps and a puzzle" below the title of a lesson: so long its steps take together without an optional one, the last
// of which is the puzzle, and so long the table of chapters says.
TEST_P(lesson, takes_the_time_of_its_steps) {
    int minutes = 0, count = 0;
    for (const steps::Step& step : steps_of(GetParam()))
        if (!step.optional) minutes += step.minutes, ++count;
    const std::string time = std::to_string(minutes) + " minutes",
                      promise = time + " · " + std::to_string(count - 1) + " steps and a puzzle";
    const auto says = [](const std::string& page, const std::string& first, const std::string& second) {
        const Lines lines = read_lines(page);
        return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.find(first) != std::string::npos && line.find(second) != std::string::npos;
        });
    };
    EXPECT_TRUE(says("chapters/" + GetParam() + "/README.md", promise, " · needs "))
        << "chapters/" << GetParam() << "/README.md must say below its title: " << promise << " · needs …";
    EXPECT_TRUE(says("README.md", "](chapters/" + GetParam() + "/README.md)", "| " + time + " |"))
        << "README.md must say in its table: " << time;
    EXPECT_LE(minutes, 90) << "the steps of a chapter take 90 minutes at most, by their banners";
}

// README.md of the repository shows a figure of each chapter.
TEST(readme, shows_figures_that_are_there) {
    const std::regex figure(R"x(["(](chapters/[a-z0-9_]+/figures/[a-z0-9_]+\.svg)[")])x");
    std::size_t shown = 0;
    for (const std::string& line : read_lines("README.md"))
        for (std::sregex_iterator it(line.begin(), line.end(), figure), end; it != end; ++it, ++shown)
            EXPECT_TRUE(std::filesystem::exists(repository / (*it)[1].str())) << (*it)[1];
    EXPECT_GE(shown, chapters().size());
}

// The guides: all of their C++ is checked.
TEST(guide, quotes_the_sources) {
    for (const std::string page : {"docs/writing-a-step.md", "docs/house.md", "docs/your-own-project.md"}) {
        const std::vector<Quote> all = quotes_in(page, "code from");
        for (const Quote& quote : all) {
            EXPECT_EQ(first_missing(quote.lines, source_lines(quote.subject), "// …"), "")
                << quote.where << " quotes it, but " << quote.subject << " does not say it";
        }
        const Lines lines = read_lines(page);
        EXPECT_GE(std::count(lines.begin(), lines.end(), "```cpp"), 1) << page;
        EXPECT_LE(std::count(lines.begin(), lines.end(), "```cpp"), static_cast<std::ptrdiff_t>(all.size()))
            << page << " has code without a source";
    }
}

// ./tutorial hint gives three; what a checklist must tell apart are its kept mistakes.
TEST_P(lesson, has_three_hints_and_two_mistakes_of_each_step) {
    for (const steps::Step& step : steps_of(GetParam())) {
        std::size_t hints = 0;
        bool own = false;
        for (const std::string& line : read_lines("chapters/" + step.folder + "/hints.md")) {
            if (line.starts_with("## ")) own = line == "## " + step.name;
            hints += own && line.size() > 1 && std::isdigit(line[0]) && line[1] == '.' ? 1 : 0;
        }
        EXPECT_EQ(hints, 3U) << step.name << ": hints in chapters/" << step.folder << "/hints.md";
        const auto mistakes =
            steps::read_mistakes(repository / "tests" / step.folder / (step.name + ".mistakes"));
        EXPECT_GE(mistakes.size(), 2U) << step.name << ": mistakes in tests/" << step.folder;
    }
}

// A learner's check of a step has the tests of one file: those of the suite in another one would never be asked.
TEST_P(lesson, has_the_tests_of_a_step_in_its_own_file) {
    for (const steps::Step& step : steps_of(GetParam()))
        for (const auto& entry : std::filesystem::directory_iterator(repository / "tests" / step.folder)) {
            const std::string file = entry.path().filename().string();
            if (!file.ends_with("_test.cpp") || file == step.name + "_test.cpp") continue;
            for (const std::string& line : steps::split_lines(steps::read_text(entry.path())))
                EXPECT_FALSE(line.starts_with("TEST(" + step.name + ","))
                    << "tests/" << step.folder << '/' << file << ": " << line;
        }
}

// --- numbers of steps, in all texts

// The number of a step, as in "step 1.2", "`./tutorial check 1.2`" and "1.2 `softmax`".
Lines numbers_of_steps(const std::string& line) {
    static const std::regex after_word(R"(\b(?:[Ss]teps?|check|hint|diff|reset|watch) (\d+\.\d+)\b(?! …))"),
        before_name(R"(\b(\d+\.\d+),? `[a-z0-9_]+`)");
    Lines numbers;
    for (const std::regex* const pattern : {&after_word, &before_name})
        for (std::sregex_iterator it(line.begin(), line.end(), *pattern), end; it != end; ++it)
            numbers.push_back((*it)[1]);
    return numbers;
}

// Most lines have none.
bool may_number_a_step(const std::string& line) {
    for (std::size_t dot = line.find('.', 1); dot != std::string::npos; dot = line.find('.', dot + 1))
        if (std::isdigit(static_cast<unsigned char>(line[dot - 1]))) return true;
    return false;
}

// The first number in this line that is not that of a step which the line names; empty if there is none.
std::string wrong_number(const std::string& line, const std::map<std::string, std::string>& name_of) {
    static const std::regex name(R"([A-Za-z0-9_]+)");
    if (!may_number_a_step(line)) return {};
    for (const std::string& number : numbers_of_steps(line)) {
        const auto step = name_of.find(number);
        const bool named =
            step != name_of.end() &&
            std::any_of(std::sregex_iterator(line.begin(), line.end(), name), std::sregex_iterator(),
                        [&](const std::smatch& word) { return word.str() == step->second; });
        if (!named) return number;
    }
    return {};
}

// The files of this project that people read. tests/tools and what it tests speak of steps that are made up.
std::vector<std::filesystem::path> texts() {
    std::vector<std::filesystem::path> found = {repository / "README.md", repository / "CONTRIBUTING.md",
                                                repository / "CHANGELOG.md"};
    for (const char* folder :
         {"bench", "chapters", "cmake", "common", "docs", "solutions", "tests", "tools"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / folder)) {
            const std::string path = entry.path().lexically_relative(repository),
                              ending = entry.path().extension();
            const bool made_up = path.starts_with("tests/tools/") || path.starts_with("tools/steps/") ||
                                 path.starts_with("tests/lessons/");
            if (!made_up &&
                (ending == ".md" || ending == ".hpp" || ending == ".cpp" || ending == ".mistakes"))
                found.push_back(entry.path());
        }
    }
    return found;
}

TEST(texts, number_steps_as_they_are) {
    std::map<std::string, std::string> name_of;
    for (const steps::Step& step : steps::read_tutorial(repository).steps()) name_of[step.id()] = step.name;
    for (const std::filesystem::path& file : texts()) {
        std::size_t number = 0;
        for (const std::string& line : steps::split_lines(steps::read_text(file))) {
            ++number;
            EXPECT_EQ(wrong_number(line, name_of), "")
                << file.lexically_relative(repository).string() << ":" << number
                << ": this is not the number of a step that the line names: " << line;
        }
    }
}

// The compiler reads what is included, nobody what comments and pages name.
TEST(texts, name_headers_that_are_there) {
    static const std::regex header(R"(\b(tests/)?(common|tools)/[\w/]+\.hpp)");
    for (const std::filesystem::path& file : texts())
        for (const std::string& line : steps::split_lines(steps::read_text(file))) {
            std::smatch found;
            if (line.find(".hpp") == std::string::npos || line.starts_with("#include")) continue;
            if (!std::regex_search(line, found, header)) continue;
            EXPECT_TRUE(std::filesystem::exists(repository / found.str()))
                << file.lexically_relative(repository).string() << ": there is no " << found.str();
        }
}

// --- links

// Lines that are not in a fenced block.
Lines prose(const std::filesystem::path& page) {
    Lines lines = steps::split_lines(steps::read_text(page)), kept;
    bool fenced = false;
    for (std::string& line : lines) {
        if (line.starts_with("```")) fenced = !fenced;
        if (!fenced) kept.push_back(line);
    }
    return kept;
}

// "## What it `costs`" -> "what-it-costs", as the web page of a repository names its headings.
std::string anchor_of(const std::string& heading) {
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    return tfs::play::anchor_of(std::regex_replace(heading.substr(heading.find(' ') + 1), link, "$1"));
}

// Where a link leads nowhere; empty if it leads somewhere, or to another site.
std::string dead_end(const std::filesystem::path& page, const std::string& target) {
    static const std::regex other_site("[a-z]+:.*");
    if (std::regex_match(target, other_site)) return {};
    const std::size_t hash = std::min(target.find('#'), target.size());
    const std::filesystem::path file =
        hash == 0 ? page : (page.parent_path() / target.substr(0, hash)).lexically_normal();
    if (!std::filesystem::exists(file)) return "there is no such file";
    if (hash == target.size() || file.extension() != ".md") return {};
    const std::string anchor = target.substr(hash + 1);
    for (const std::string& line : prose(file))
        if ((line.starts_with("#") && anchor_of(line) == anchor) ||
            line.find("<a id=\"" + anchor + "\">") != std::string::npos)
            return {};
    return "the page has no such heading, and no such anchor";
}

TEST(texts, link_to_what_is_there) {
    static const std::regex link(R"x(\]\(([^)\s]+)\)|(?:href|src)="([^"]+)")x");
    std::size_t links = 0;
    for (const std::filesystem::path& page : texts()) {
        if (page.extension() != ".md") continue;
        for (const std::string& line : prose(page)) {
            for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it, ++links) {
                const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
                EXPECT_EQ(dead_end(page, target), "")
                    << page.lexically_relative(repository).string() << " links to " << target;
            }
        }
    }
    EXPECT_GT(links, 200U);
}

// "- **id**: …" could not be linked to.
TEST(texts, give_each_word_of_the_glossary_an_anchor) {
    std::size_t words = 0;
    for (const std::string& line : read_lines("docs/glossary.md")) {
        if (!line.starts_with("- ")) continue;
        ++words;
        EXPECT_TRUE(line.starts_with("- <a id=\"")) << line;
    }
    EXPECT_GT(words, 80U);
}

// Each entry is linked from a page, or its word is in bold in the lesson that the entry names.
TEST(texts, lead_from_the_first_use_of_a_word_to_its_entry) {
    const auto lower = [](std::string text) {
        std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
        return text;
    };
    std::string links;
    for (const std::filesystem::path& page : texts())
        if (page.extension() == ".md" && page.filename() != "glossary.md")
            links += steps::join_lines(prose(page));
    static const std::regex anchor(R"x(<a id="([^"]+)"></a>)x"), chapter(R"x(\(\.\./(chapters/[^)#]+))x");
    std::string entry;
    const auto check = [&] {
        std::string lesson;
        for (std::sregex_iterator it(entry.begin(), entry.end(), chapter), end; it != end; ++it)
            lesson += lower(steps::join_lines(prose(repository / (*it)[1].str())));
        for (std::sregex_iterator it(entry.begin(), entry.end(), anchor), end; it != end; ++it) {
            const std::string id = (*it)[1];
            std::string word = id;
            std::ranges::replace(word, '-', ' ');
            EXPECT_TRUE(links.find("glossary.md#" + id + ")") != std::string::npos ||
                        lesson.find("**" + word) != std::string::npos)
                << "no page links to " << id << " in the glossary";
        }
    };
    for (const std::string& line : read_lines("docs/glossary.md")) {
        if (line.starts_with("- ")) {
            check();
            entry.clear();
        }
        entry += line + "\n";
    }
    check();
}

TEST(noticed, a_link_that_leads_nowhere) {
    const std::filesystem::path page = repository / "docs/checks.md";
    for (const char* link :
         {"getting-started.md", "#mistakes", "../README.md", "https://arxiv.org/abs/1706.03762",
          "getting-started.md#the-first-two-commands", "glossary.md#broadcasting"})
        EXPECT_EQ(dead_end(page, link), "") << link;
    for (const char* link : {"getting_started.md", "#mistake", "README.md",
                             "getting-started.md#the-first-three-commands", "glossary.md#broadcast"})
        EXPECT_NE(dead_end(page, link), "") << link;
}

TEST(noticed, a_wrong_number_of_a_step) {
    const std::map<std::string, std::string> name_of = {{"1.1", "softmax"}, {"1.2", "split_heads"}};
    EXPECT_EQ(wrong_number("### 1.2 `split_heads` · 5 min", name_of), "");
    EXPECT_EQ(wrong_number("Write `softmax.cpp`, then `./tutorial check 1.1`.", name_of), "");
    EXPECT_EQ(wrong_number("the loss is 1.2, split_heads", name_of), "");
    for (const char* wrong :
         {"padding_mask (step 1.1)", "### 1.1 `split_heads`", "./tutorial hint 1.2: softmax",
          "./tutorial check 1.1", "softmax is step 1.3", "steps 1.2, softmaxes"})
        EXPECT_NE(wrong_number(wrong, name_of), "") << wrong;
}

TEST(noticed, an_old_picture) {
    const std::string one = R"(<rect x="10.0" fill="#0072b2"/><text>.55 cat</text>)";
    EXPECT_EQ(first_difference(one, R"(<rect x="10.1" fill="#0072b2"/><text>.55 cat</text>)"), "");
    for (const char* other :
         {R"(<rect x="10.3" fill="#0072b2"/><text>.55 cat</text>)", R"(<rect x="10.0" fill="#0072b2"/>)",
          R"(<rect x="10.0" fill="#0073b2"/><text>.55 cat</text>)", "",
          R"(<rect x="10.0" fill="#0072b2"/><text>.56 cat</text>)",
          R"(<rect x="10.0" fill="#0072b2"/><text>.55 dog</text>)"})
        EXPECT_NE(first_difference(one, other), "") << other;
}

TEST(noticed, a_changed_number) {
    EXPECT_TRUE(same_line("x  1.234 (largest 1.2e-07)", "x 1.235  (largest 3.0e-07)"));
    EXPECT_FALSE(same_line("x 1.234", "x 1.239"));
    EXPECT_FALSE(same_line("10 tokens", "11 tokens"));
    EXPECT_FALSE(same_line("x 1.2e-07", "x 1.2e-03"));
    EXPECT_EQ(first_missing({"a", "…", "c"}, {"a", "b", "c"}, "…"), "");
    EXPECT_EQ(first_missing({"a", "c"}, {"a", "b", "c"}, "…"), "c");
}

}  // namespace
