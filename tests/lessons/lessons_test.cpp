// tests/lessons/lessons_test.cpp · what a lesson quotes is what the sources say and what the programs print
//
// In chapters/*/README.md a fenced block directly below one of these comments is checked:
//     <!-- output of: 01_attention --ascii -->   its lines stand, in order, in that program's output. A line of only … skips
//                                                lines. Numbers may differ by two units of their last place.
//     <!-- code from: solutions/…/softmax.cpp --> its lines stand, one after the other, in that file (the markers of the
//                                                exercise generator and indentation aside). A line of only // … skips lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Lines = std::vector<std::string>;

Lines split_lines(std::istream& in) {
    Lines lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

Lines read_lines(const std::filesystem::path& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in) << path << " can't be read";
    return split_lines(in);
}

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

std::vector<Quote> quotes(const std::string& kind) {
    std::vector<Quote> found;
    for (const auto& chapter : std::filesystem::directory_iterator(TFS_SOURCE_DIR "/chapters")) {
        const std::filesystem::path lesson = chapter.path() / "README.md";
        if (!std::filesystem::exists(lesson)) continue;
        const Lines lines = read_lines(lesson);
        const std::regex comment("<!-- " + kind + ": (.*) -->");
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
            std::smatch match;
            if (!std::regex_match(lines[i], match, comment)) continue;
            Quote quote{lesson.string() + ":" + std::to_string(i + 1), match[1], {}};
            EXPECT_EQ(lines[i + 1].rfind("```", 0), 0u) << quote.where << ": no fenced block follows";
            for (std::size_t j = i + 2; j < lines.size() && lines[j].rfind("```", 0) != 0; ++j)
                quote.lines.push_back(lines[j]);
            found.push_back(quote);
        }
    }
    return found;
}

// What a program prints, run once however often it is quoted.
const Lines& output_of(const std::string& command) {
    static std::map<std::string, Lines> outputs;
    if (const auto known = outputs.find(command); known != outputs.end()) return known->second;
    setenv("PROGRAMS", TFS_PROGRAM_DIR,
           1);  // the shell splits no variable in quotes, whatever the folder is called
    const std::string line = "\"$PROGRAMS\"/" + command;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(line.c_str(), "r"), pclose);
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get()))
        output.append(buffer, count);
    std::istringstream in(output);
    return outputs[command] = split_lines(in);
}

// The file without the generator's markers and the tasks below them.
Lines without_markers(const Lines& lines) {
    Lines kept;
    bool in_task = false;
    for (const std::string& line : lines) {
        const Lines w = words(line);
        const bool comment = !w.empty() && w[0] == "//";
        in_task = comment && (in_task || (w.size() > 1 && w[1] == "begin"));
        if (!in_task && !(comment && w.size() > 1 && w[1] == "end")) kept.push_back(line);
    }
    return kept;
}

TEST(Lessons, quote_what_the_programs_print) {
    const std::vector<Quote> all = quotes("output of");
    EXPECT_FALSE(all.empty());
    for (const Quote& quote : all) {
        EXPECT_EQ(first_missing(quote.lines, output_of(quote.subject), "…"), "")
            << quote.where << " quotes it, but it is not printed";
    }
}

TEST(Lessons, quote_the_sources) {
    const std::vector<Quote> all = quotes("code from");
    EXPECT_FALSE(all.empty());
    for (const Quote& quote : all) {
        const Lines source =
            without_markers(read_lines(std::filesystem::path(TFS_SOURCE_DIR) / quote.subject));
        EXPECT_EQ(first_missing(quote.lines, source, "// …"), "")
            << quote.where << " quotes it, but " << quote.subject << " does not say it";
    }
}

TEST(Lessons, a_changed_number_is_noticed) {
    EXPECT_TRUE(same_line("x  1.234 (largest 1.2e-07)", "x 1.235  (largest 3.0e-07)"));
    EXPECT_FALSE(same_line("x 1.234", "x 1.239"));
    EXPECT_FALSE(same_line("10 tokens", "11 tokens"));
    EXPECT_FALSE(same_line("x 1.2e-07", "x 1.2e-03"));
    EXPECT_EQ(first_missing({"a", "…", "c"}, {"a", "b", "c"}, "…"), "");
    EXPECT_EQ(first_missing({"a", "c"}, {"a", "b", "c"}, "…"), "c");
}

}  // namespace
