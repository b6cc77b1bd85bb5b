// tools/tutorial/diff.cpp · ./tutorial diff: the step beside the solution
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/hidden.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

// A folder that is gone at the end.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "tutorial_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw Refusal("no temporary folder can be made.");
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

struct Sides {
    steps::Lines mine, solution;
};

// Without the marks of gaps, their tasks, and the paths in the second lines.
Sides sides_of(const steps::Step& step) {
    const std::string solution = steps::read_text(step.solution());
    Sides sides{steps::learners_lines(steps::read_text(step.exercise()), solution),
                steps::solution_lines(solution)};
    if (sides.solution.size() > 1 && sides.solution[1].starts_with("// solutions/"))
        sides.solution.erase(sides.solution.begin() + 1);
    return sides;
}

std::size_t longest(const Sides& sides) {
    std::size_t width = 0;
    for (const steps::Lines& lines : {sides.mine, sides.solution})
        for (const std::string& line : lines) width = std::max(width, display_width(line));
    return width;
}

std::string diff(std::vector<std::string> options, const Sides& sides) {
    const TemporaryFolder folder;
    const fs::path mine = folder.path() / "mine", solution = folder.path() / "solution";
    steps::write_text(mine, steps::join_lines(sides.mine));
    steps::write_text(solution, steps::join_lines(sides.solution));
    options.insert(options.begin(), "diff");
    options.insert(options.end(), {"--", mine.string(), solution.string()});
    const Answer answer = ask({.words = options});
    if (answer.code > 1) throw Refusal("diff can't compare the two: " + answer.output);
    return answer.output;
}

void print_difference(const Session& session, const steps::Step& step, const Sides& sides) {
    const std::string mine = step.exercise().string(), solution = step.solution().string();
    const std::size_t width = session.terminal.columns.value_or(80);
    if (sides.mine == sides.solution) {
        say(session.terminal, fmt::format("{} and {} are equal.", mine, solution));
    } else if (session.terminal.output_is_terminal && width >= 2 * longest(sides) + 3) {
        fmt::print("{}{}\n", pad(mine, width / 2), solution);
        fmt::print("{}", diff({"-y", "-t", "-W", std::to_string(width)}, sides));
    } else {  // all of both, and no line that counts lines: those of the task are left out
        const char* colour = session.terminal.colour ? "--color=always" : "--color=never";
        steps::Lines lines = steps::split_lines(
            diff({"-U", "9999", colour, "--label", mine + " (yours)", "--label", solution}, sides));
        if (lines.size() > 2) lines.erase(lines.begin() + 2);
        fmt::print("{}", steps::join_lines(lines));
    }
}

// Whether the learner wants to see the solution of a step that does not pass.
bool asked_for(const steps::Step& step, State state) {
    fmt::print("Step {} does not pass yet ({}). ", step.id(), in_words(state));
    if (::isatty(STDIN_FILENO) == 0) {
        fmt::print("To see the solution all the same: ./tutorial diff {} --yes\n", step.id());
        throw Exit{2};
    }
    fmt::print("See the solution? [y/N] ");
    std::fflush(stdout);
    const int answer = std::getchar();
    return answer == 'y' || answer == 'Y';
}

}  // namespace

int show_diff(const Session& session, const steps::Step& step, bool yes) {
    const State state = state_of(read_states(session), step);
    if (state == State::missing)
        throw Refusal(fmt::format("{} is missing; ./tutorial reset {} brings it back.",
                                  step.exercise().string(), step.id()));
    if (steps::is_hidden(steps::read_text(step.solution())))
        throw Refusal("this copy of the tutorial, made for a course, shows no solutions.");
    if (state != State::passed && !yes && !asked_for(step, state)) return 1;
    print_difference(session, step, sides_of(step));
    if (std::error_code absent; fs::exists(step.fast_solution(), absent)) {
        fmt::print("\n");
        say(session.terminal, "A faster version of this step, for later: " + step.fast_solution().string());
    }
    return 0;
}

}  // namespace tfs::tutorial
