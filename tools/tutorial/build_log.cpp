// tools/tutorial/build_log.cpp
#include "tools/tutorial/build_log.hpp"

#include <cstdio>
#include <set>

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

}  // namespace tfs::tutorial
