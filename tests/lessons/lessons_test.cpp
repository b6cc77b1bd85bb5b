// tests/lessons/lessons_test.cpp · what a lesson quotes is what the sources say and what the programs print
//
// In chapters/*/README.md and deeper.md a fenced block directly below one of these comments is checked:
//     <!-- output of: 01_attention --ascii -->   its lines stand, in order, in that program's output. A line of only … skips
//                                                lines. Numbers may differ by two units of their last place.
//     <!-- code from: solutions/…/softmax.cpp --> its lines stand, one after the other, in that file (the markers of the
//                                                exercise generator and indentation aside). A line of only // … skips lines.
// A figure that it shows is the one that the program draws with --deeper, or in a quoted run with --experiment: the same texts
// and shapes, its numbers about the same. <!-- measured: figures/cost.svg --> says of one that it shows times, or what
// differs between processors: then it only has to be drawn. <!-- slow: figures/norms.svg --> says of one that its run takes
// minutes: then it only has to be there. The lesson gives its caption, too. tools/make_figures draws them all anew.
// docs/overview.md is checked with the lessons whose programs it quotes, and its figures with those of their chapters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tools/steps/gaps.hpp"
#include "tools/steps/tutorial.hpp"

namespace {

namespace steps = tfs::steps;
using steps::Lines;

const std::filesystem::path repository = TFS_SOURCE_DIR;

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
    return std::abs(a - b) <= 2.01 * last_place;
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

// Where the figures of a program with --deeper, or with --experiment, are drawn.
std::filesystem::path plots() {
    return std::filesystem::path(TFS_PROGRAM_DIR).parent_path() / "lesson_figures";
}

// What a program prints, run once however often it is quoted.
const Lines& output_of(const std::string& command) {
    static std::map<std::string, Lines> outputs;
    if (const auto known = outputs.find(command); known != outputs.end()) return known->second;
    setenv("PROGRAMS", TFS_PROGRAM_DIR,
           1);  // the shell splits no variable in quotes, whatever the folder is called
    setenv("PLOTS", plots().c_str(), 1);
    std::string line = "\"$PROGRAMS\"/" + command;
    if (command.ends_with(" --deeper") || command.find(" --experiment ") != std::string::npos)
        line += " --plots=\"$PLOTS\"/" + command.substr(0, command.find(' '));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(line.c_str(), "r"), pclose);
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get()))
        output.append(buffer, count);
    return outputs[command] = steps::split_lines(output);
}

// A solution without the marks of its gaps and their tasks, any other source as it is.
Lines source_lines(const std::string& path) {
    const std::string text = steps::read_text(repository / path);
    const bool is_step = steps::parse_banner(steps::first_line(repository / path)).has_value();
    return is_step ? steps::solution_lines(text) : steps::split_lines(text);
}

std::vector<std::string> chapters() {
    std::vector<std::string> folders;
    for (const steps::Chapter& chapter : steps::read_tutorial(repository).chapters)
        folders.push_back(chapter.folder);
    return folders;
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
    EXPECT_FALSE(all.empty());
    for (const Quote& quote : all) {
        EXPECT_EQ(first_missing(quote.lines, source_lines(quote.subject), "// …"), "")
            << quote.where << " quotes it, but " << quote.subject << " does not say it";
    }
}

// Where two pictures begin to differ, as a piece of the second one; empty where they are alike. Colours may differ, numbers
// in tags by half a pixel, numbers in texts by two units of their second decimal or 3 %.
std::string first_difference(std::string_view shown, std::string_view drawn) {
    const auto begins_number = [](std::string_view text, std::size_t i) {
        const auto digit = [&](std::size_t at) {
            return at < text.size() && text[at] >= '0' && text[at] <= '9';
        };
        return digit(i) || (i < text.size() && (text[i] == '-' || text[i] == '.') &&
                            (digit(i + 1) || (text[i + 1] == '.' && digit(i + 2))));
    };
    const auto take_number = [](std::string_view text, std::size_t& i) {
        const std::size_t end = text.find_first_not_of("-.0123456789", i + 1);
        const double number = std::strtod(std::string(text.substr(i, end - i)).c_str(), nullptr);
        i = std::min(end, text.size());
        return number;
    };
    bool in_tag = false;
    for (std::size_t i = 0, j = 0; i < shown.size() || j < drawn.size();) {
        const std::string rest(drawn.substr(j > 60 ? j - 60 : 0, 120));
        if (begins_number(shown, i) && begins_number(drawn, j)) {
            const double a = take_number(shown, i), b = take_number(drawn, j);
            const double allowed = in_tag ? 0.6 : 0.021 + 0.03 * std::abs(a);
            if (std::abs(a - b) > allowed) return rest;
            continue;
        }
        if (i == shown.size() || j == drawn.size() || shown[i] != drawn[j]) return rest;
        if (shown[i] == '<') in_tag = true;
        if (shown[i] == '>') in_tag = false;
        const std::size_t step = in_tag && shown.substr(i).starts_with("#") ? 7 : 1;
        i += step;
        j += step;
    }
    return {};
}

// From the numbers beside a figure.
std::string caption_of(std::filesystem::path figure) {
    std::smatch match;
    const std::string numbers = steps::read_text(figure += ".json");
    const std::string head = numbers.substr(0, numbers.find("\n \"kind\""));
    if (!std::regex_search(head, match, std::regex(R"x("caption": "(.*)")x"))) return {};
    return std::regex_replace(match[1].str(), std::regex(R"x(\\")x"), "\"");
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

TEST_P(lesson, shows_the_figures_that_the_program_draws) {
    const std::string folder = "chapters/" + GetParam() + "/";
    Lines lines = read_lines(folder + "README.md");
    if (std::filesystem::exists(repository / folder / "deeper.md"))
        for (const std::string& line : read_lines(folder + "deeper.md")) lines.push_back(line);
    for (const std::string& line : overview_from(GetParam())) lines.push_back(line);
    const std::regex figure(R"(\((figures/[a-z0-9_]+\.svg)\))");
    output_of(GetParam() + " --ascii --deeper");
    for (const Quote& quote : quotes(GetParam(), "output of")) output_of(quote.subject);
    std::size_t shown = 0;
    for (const std::string& line : lines) {
        std::smatch match;
        if (!std::regex_search(line, match, figure)) continue;
        const std::string name = match[1];
        ++shown;
        if (std::find(lines.begin(), lines.end(), "<!-- slow: " + name + " -->") != lines.end()) {
            // Its run takes minutes.
            const std::string picture = steps::read_text(repository / folder / name);
            EXPECT_TRUE(picture.starts_with("<svg") && picture.find("</svg>") != std::string::npos) << name;
            continue;
        }
        const std::string drawn =
            steps::read_text(plots() / GetParam() / std::filesystem::path(name).filename());
        const bool measured =
            std::find(lines.begin(), lines.end(), "<!-- measured: " + name + " -->") != lines.end();
        const std::string caption = caption_of(plots() / GetParam() / std::filesystem::path(name).stem());
        EXPECT_TRUE(caption.empty() || quotes_words(lines, caption))
            << folder << "README.md does not give the caption of " << name << ": *" << caption << '*';
        EXPECT_EQ(measured ? "" : first_difference(steps::read_text(repository / folder / name), drawn), "")
            << folder << name << " differs from what is drawn now; run tools/make_figures";
    }
    EXPECT_GT(shown, 0U);
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
            if (lines[i].find("</summary>") != std::string::npos)
                EXPECT_TRUE(lines[i].ends_with("</summary>") && i + 1 < lines.size() && lines[i + 1].empty())
                    << file << ":" << i + 1;
    }
}

// "1.2 `scaled_dot_product_attention`" and "step 1.2, `scaled…`": the number is the step's of that name.
TEST_P(lesson, numbers_steps_as_they_are) {
    std::map<std::string, std::string> name_of;
    for (const steps::Step& step : steps::read_tutorial(repository).steps()) name_of[step.id()] = step.name;
    const std::regex mention(R"(\b(\d+\.\d+),? `([a-z0-9_]+)`)");
    for (const std::string& line : read_lines("chapters/" + GetParam() + "/README.md")) {
        for (std::sregex_iterator it(line.begin(), line.end(), mention), end; it != end; ++it) {
            const std::string id = (*it)[1], name = (*it)[2];
            const bool is_step = std::any_of(name_of.begin(), name_of.end(),
                                             [&](const auto& step) { return step.second == name; });
            EXPECT_TRUE(!is_step || name_of[id] == name) << "in the line: " << line;
        }
    }
}

// "75 minutes · 6 steps" below the title of a lesson: the table of chapters says the same time.
TEST_P(lesson, takes_the_time_that_the_table_of_chapters_says) {
    const std::regex promise(R"((\d+ (minutes|hours?)) · \d+ steps.*)");
    for (const std::string& line : read_lines("chapters/" + GetParam() + "/README.md")) {
        std::smatch match;
        if (!std::regex_match(line, match, promise)) continue;
        for (const std::string& row : read_lines("README.md"))
            if (row.starts_with("| ") &&
                row.find("chapters/" + GetParam() + "/README.md") != std::string::npos)
                EXPECT_NE(row.find("| " + match[1].str() + " |"), std::string::npos) << row;
    }
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

TEST(noticed, a_changed_figure) {
    const std::string one = R"(<rect x="10.0" fill="#0072b2"/><text>.55 cat</text>)";
    EXPECT_EQ(first_difference(one, R"(<rect x="10.4" fill="#0172b2"/><text>.56 cat</text>)"), "");
    for (const char* other : {R"(<rect x="12.0" fill="#0072b2"/><text>.55 cat</text>)",
                              R"(<rect x="10.0" fill="#0072b2"/><text>.59 cat</text>)",
                              R"(<rect x="10.0" fill="#0072b2"/><text>.55 dog</text>)", "<rect/>"})
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
