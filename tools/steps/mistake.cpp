// tools/steps/mistake.cpp · a classic wrong answer, told as an edit of the solution
#include "tools/steps/mistake.hpp"

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view must_say_begin = "The checklist must say: \"";
constexpr std::string_view reads_begin = "The learner reads: ";
constexpr std::string_view cause_begin = "Likely cause: ";

void add_line(Hunk& hunk, const std::string& line, const std::string& where) {
    const std::string text = line.substr(1);
    if (line[0] != ' ' && line[0] != '-' && line[0] != '+')
        throw Error(where + ": a line begins with \" \" (stays), \"-\" (goes out) or \"+\" (comes in)");
    if (line[0] != '+') hunk.before.push_back(text);
    if (line[0] != '-') hunk.after.push_back(text);
}

// Reads what the report must say, from the second line on. Returns the number of lines that are read now.
std::size_t read_expectation(Mistake& mistake, const Lines& lines, const std::string& where) {
    const std::string second = lines.size() < 2 ? "" : lines[1];
    if (second.starts_with(must_say_begin) && second.ends_with('"') &&
        second.size() > must_say_begin.size() + 1) {
        mistake.must_say = second.substr(must_say_begin.size(), second.size() - must_say_begin.size() - 1);
        return 2;
    }
    if (!second.starts_with(reads_begin) || second.size() == reads_begin.size())
        throw Error(where + ": the second line must be like: " + std::string(reads_begin) +
                    "…, or: " + std::string(must_say_begin) + "…\"");
    mistake.reads = second.substr(reads_begin.size());
    std::size_t next = 2;
    for (; next < lines.size() && !lines[next].empty(); ++next)
        mistake.reads += " " + std::string(trimmed(lines[next]));
    return next;
}

}  // namespace

std::string Mistake::step() const {
    const std::string name = file.filename().string();
    return name.substr(0, name.find('.'));
}

std::string Mistake::name() const { return file.stem().string().substr(step().size() + 1); }

std::string Mistake::missing_in(const std::string& report) const {
    if (reads.empty())
        return report.find(must_say) == std::string::npos ? "nothing says \"" + must_say + "\"" : "";
    const std::size_t cause = report.find(cause_begin);
    if (cause == std::string::npos) return "no likely cause is told, and it must be \"" + reads + "\"";
    const std::size_t begin = cause + cause_begin.size();
    const std::string first = report.substr(begin, report.find('\n', begin) - begin);
    return first == reads ? "" : "the first likely cause is not \"" + reads + "\"";
}

Mistake read_mistake(const fs::path& file) {
    Mistake mistake;
    mistake.file = file;
    const Lines lines = split_lines(read_text(file));
    const auto where = [&](std::size_t line) {
        return file.filename().string() + ":" + std::to_string(line);
    };
    if (lines.empty() || lines[0].empty()) throw Error(where(1) + ": the first line says what is wrong");
    mistake.what = lines[0];
    const std::size_t header = read_expectation(mistake, lines, where(2));
    for (std::size_t i = header; i < lines.size(); ++i) {
        if (lines[i].empty()) {
            mistake.hunks.push_back({i + 2, {}, {}});
        } else if (mistake.hunks.empty()) {
            throw Error(where(i + 1) + ": an empty line stands before each hunk");
        } else {
            add_line(mistake.hunks.back(), lines[i], where(i + 1));
        }
    }
    std::erase_if(mistake.hunks, [](const Hunk& hunk) { return hunk.before.empty() && hunk.after.empty(); });
    if (mistake.hunks.empty()) throw Error(where(lines.size()) + ": it changes nothing");
    for (const Hunk& hunk : mistake.hunks)
        if (hunk.before.empty() || hunk.before == hunk.after)
            throw Error(where(hunk.line) + ": a hunk has a line of the solution, and changes something");
    return mistake;
}

std::string with_mistake(const std::string& solution, const Mistake& mistake) {
    const Lines lines = solution_lines(solution);
    Lines wrong;
    auto from = lines.begin();
    for (const Hunk& hunk : mistake.hunks) {
        const auto find = [&](auto begin) {
            return std::search(begin, lines.end(), hunk.before.begin(), hunk.before.end());
        };
        const std::string where = mistake.file.filename().string() + ":" + std::to_string(hunk.line) + ": ";
        const auto at = find(lines.begin());
        if (at == lines.end())
            throw Error(where + "the solution of " + mistake.step() + " has no lines \"" +
                        std::string(trimmed(hunk.before.front())) + (hunk.before.size() > 1 ? " …\"" : "\""));
        if (find(at + 1) != lines.end())
            throw Error(where + "these lines stand in the solution of " + mistake.step() +
                        " more than once; add a line around them");
        if (at < from) throw Error(where + "hunks follow the order of the solution and do not overlap");
        wrong.insert(wrong.end(), from, at);
        wrong.insert(wrong.end(), hunk.after.begin(), hunk.after.end());
        from = at + static_cast<std::ptrdiff_t>(hunk.before.size());
    }
    wrong.insert(wrong.end(), from, lines.end());
    return join_lines(wrong);
}

}  // namespace tfs::steps
