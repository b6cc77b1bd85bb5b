// tools/tutorial/build_log.cpp
#include "tools/tutorial/build_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "common/terminal/display.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// The word, with a space or the end behind it.
bool contains_word(std::string_view text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (at + word.size() == text.size() || text[at + word.size()] == ' ') return true;
    return false;
}

std::string without(std::string line, const std::string& part) {
    for (std::size_t at; (at = line.find(part)) != std::string::npos;) line.erase(at, part.size());
    return line;
}

// What the linker did not find: "tfs::softmax(tfs::Tensor const&, int)"; nothing where the line does not say so.
std::optional<std::string> undefined_in(const std::string& line) {
    if (const std::string mark = "undefined reference to `"; contains(line, mark)) {
        std::string name = line.substr(line.find(mark) + mark.size());
        if (!name.empty()) name.pop_back();  // the closing quote
        return name;
    }
    if (const std::string mark = "undefined symbol: "; contains(line, mark))  // mold, lld
        return line.substr(line.find(mark) + mark.size());
    return {};
}

bool is_error(const std::string& line) {
    return contains(line, " error: ") || contains(line, ": fatal error: ");
}

// The lines that are worth reading, of those that a compiler or linker said.
class Excerpt {
  public:
    void read(const std::string& line) {
        if (const auto name = undefined_in(line)) {
            if (seen_.insert(*name).second) add("this is declared, but not defined: " + *name);
        } else if (contains(line, "multiple definition of ") || contains(line, "duplicate symbol: ")) {
            add(line);
        } else if (line.starts_with("collect2: ")) {
            follow_ = 0;  // only says that the linker failed
        } else if (is_error(line)) {
            const bool is_new = seen_.insert(line).second;  // two targets may compile a file
            follow_ = is_new && ++errors_ <= 3 ? 3 : 0;
            if (follow_ > 0) add(line);
        } else if (!line.starts_with(' ') || contains(line, " warning: ") || contains(line, " note: ")) {
            follow_ = 0;  // another message
        } else if (follow_ > 0) {
            --follow_;
            add(line);
        }
    }

    steps::Lines lines() const { return lines_; }

  private:
    steps::Lines lines_;
    std::set<std::string> seen_;
    int errors_ = 0, follow_ = 0;

    void add(const std::string& line) {
        if (lines_.size() < 24) lines_.push_back("    " + line);
    }
};

// What a command took on average in earlier builds, in seconds. A line of the log is "start end time output hash", with
// tabs between, in milliseconds.
double seconds_of_one(const std::string& ninja_log) {
    double sum = 0, start = 0, end = 0;
    int count = 0;
    for (const std::string& line : steps::split_lines(ninja_log)) {
        if (std::sscanf(line.c_str(), "%lf %lf", &start, &end) != 2) continue;
        sum += (end - start) / 1000;
        ++count;
    }
    return count == 0 ? 1 : sum / count;
}

// "chapter 03", "chapters 00 and 01", "chapters 00 to 06", "chapters 01, 04, 07"; empty where there is none.
std::string chapters_in(const steps::Tutorial& tutorial, const std::vector<Edge>& edges) {
    std::vector<std::string> numbers;
    int first = 0, last = 0;
    for (const steps::Chapter& chapter : tutorial.chapters) {
        const bool named = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
            return edge.what.find(chapter.folder) != std::string::npos;
        });
        if (!named) continue;
        if (numbers.empty()) first = chapter.number;
        last = chapter.number;
        numbers.push_back(chapter.padded());
    }
    const auto count = static_cast<int>(numbers.size());
    if (count == 0) return "";
    if (count == 1) return "chapter " + numbers[0];
    if (count == 2) return fmt::format("chapters {}", fmt::join(numbers, " and "));
    if (count == last - first + 1) return fmt::format("chapters {} to {}", numbers.front(), numbers.back());
    return fmt::format("chapters {}", fmt::join(numbers, ", "));
}

std::string what_is_compiled(const steps::Tutorial& tutorial, const std::vector<Edge>& edges) {
    const bool common = std::any_of(edges.begin(), edges.end(), [](const Edge& edge) {
        return edge.what.find(" common/") != std::string::npos;
    });
    const std::string chapters = chapters_in(tutorial, edges), layer = common ? "the tensor layer" : "";
    if (layer.empty() && chapters.empty()) return "what it needs";
    return layer + (layer.empty() || chapters.empty() ? "" : " and ") + chapters;
}

// "about 40 s", "about 3 min"
std::string about(double seconds) {
    return seconds < 90 ? fmt::format("about {:.0f} s", 5 * std::round(seconds / 5))
                        : fmt::format("about {:.0f} min", seconds / 60);
}

using namespace std::chrono_literals;

// "Building CXX object …/a.dir/solutions/01_attention/softmax.cpp.o" -> "compiling solutions/…/softmax.cpp.o"
std::string in_short(const std::string& edge) {
    constexpr std::string_view compiling = "Building CXX object ";
    if (!edge.starts_with(compiling)) return edge;
    const std::size_t folder = edge.rfind(".dir/");
    return "compiling " +
           (folder == std::string::npos ? edge.substr(compiling.size()) : edge.substr(folder + 5));
}

}  // namespace

std::optional<Status> parse_status(std::string_view line) {
    Status status;
    int end = 0;
    const std::string text(line);
    if (std::sscanf(text.c_str(), "[%d/%d] %n", &status.done, &status.all, &end) != 2 || end == 0) return {};
    status.what = text.substr(static_cast<std::size_t>(end));
    return status;
}

std::vector<Edge> parse_build_log(std::string_view output, const std::string& root) {
    std::vector<Edge> edges;
    bool inside = false, command_follows = false;
    for (const std::string& line : steps::split_lines(output)) {
        if (const auto status = parse_status(line)) {
            edges.emplace_back();
            edges.back().what = status->what;
            inside = true;
        } else if (line.starts_with("FAILED: ")) {
            if (!inside || edges.back().failed) edges.emplace_back();
            edges.back().failed = inside = command_follows = true;
            edges.back().outputs = line.substr(8);
        } else if (command_follows) {
            command_follows = false;
        } else if (line.starts_with("ninja: ")) {
            inside = false;
        } else if (inside) {
            edges.back().said.push_back(without(line, root + "/"));
        }
    }
    return edges;
}

bool compiles(const Edge& edge, const steps::Step& step) {
    const std::string object = step.exercise().string() + ".o";
    return contains(edge.what, object) || contains(edge.outputs, object);
}

bool links_check(const Edge& edge, const steps::Step& step) {
    for (const std::string& program :
         {"bin/" + step.check_target(), "bin/" + step.sanitize_target(), "bin/" + step.debug_target()})
        if (contains_word(edge.what, program) || contains_word(edge.outputs, program)) return true;
    return false;
}

bool is_learners(const Edge& edge) {
    for (const std::string_view part : {"exercises/", "bin/check_", "bin/sanitize_"})
        if (contains(edge.what, part) || contains(edge.outputs, part)) return true;
    return false;
}

steps::Lines errors_of(const std::vector<Edge>& edges, const std::function<bool(const Edge&)>& asked) {
    Excerpt excerpt;
    for (const Edge& edge : edges)
        if (edge.failed && asked(edge))
            for (const std::string& line : edge.said) excerpt.read(line);
    return excerpt.lines();
}

std::optional<steps::Lines> warnings_of(const std::vector<Edge>& edges, const steps::Step& step) {
    std::optional<steps::Lines> warnings;
    std::set<std::string> seen;
    for (const Edge& edge : edges) {
        if (!compiles(edge, step)) continue;
        if (!warnings) warnings.emplace();
        for (const std::string& line : edge.said)
            if (line.starts_with(step.exercise().string() + ":") && contains(line, " warning: ") &&
                seen.insert(line).second)
                warnings->push_back(line);
    }
    return warnings;
}

std::string forecast(const steps::Tutorial& tutorial, const std::vector<Edge>& edges,
                     const std::string& ninja_log) {
    const auto count = static_cast<double>(edges.size());
    const double seconds = count * seconds_of_one(ninja_log) / std::min<double>(processors(), count);
    if (edges.empty() || seconds < 5) return "";
    return fmt::format("compiling {} once: {}", what_is_compiled(tutorial, edges), about(seconds));
}

void Progress::read(std::string_view output) {
    rest_ += output;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
        show(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, begin);
}

void Progress::show(std::string_view line) {
    const auto status = parse_status(line);
    if (!status || status->what.find("Re-checking globbed") != std::string::npos) return;
    if (terminal_.rewrites) {
        const std::size_t width = std::min<std::size_t>(terminal_.columns.value_or(80), 80);
        const std::string text = fmt::format("[{}/{}] {}", status->done, status->all, in_short(status->what));
        fmt::print(stderr, "\r\x1b[K{}", truncate(text, width - 1));
        std::fflush(stderr);
        drawn_ = true;
        return;
    }
    const auto now = Clock::now();
    const bool first = !said_ && status->all > 5;
    if (!first && (now < begun_ + 10s || now < last_ + 10s)) return;
    fmt::print(stderr, "building: {} of {}\n", status->done, status->all);
    said_ = true;
    last_ = now;
}

void Progress::clear() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace tfs::tutorial
