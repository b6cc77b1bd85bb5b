// tools/tutorial/run_programs.cpp · ./tutorial run: the programs of the chapters
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "tools/tutorial/advice.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/selection.hpp"

namespace tfs::tutorial {

namespace {

// What the learner gave to the program that matters here, too.
struct Extra {
    std::optional<std::string> plots;
    bool help = false;
};

Extra read_extra(const std::vector<std::string>& words) {
    Extra extra;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--plots") extra.plots = i + 1 < words.size() ? words[i + 1] : "";
        if (words[i].starts_with("--plots=")) extra.plots = words[i].substr(8);
        if (words[i] == "--help" || words[i] == "-h") extra.help = true;
    }
    return extra;
}

// Lets a program's standard error through line by line, without the C library's words on a damaged heap.
class Errors {
  public:
    void read(std::string_view block) {
        if (kept_.size() < 65536) kept_ += block;
        rest_ += block;
        const std::size_t end = rest_.rfind('\n');
        if (end == std::string::npos) return;
        print(rest_.substr(0, end + 1));
        rest_.erase(0, end + 1);
    }
    // At the end: what is no whole line.
    void finish() { print(rest_); }
    const std::string& kept() const { return kept_; }

  private:
    std::string kept_, rest_;

    static void print(const std::string& text) {
        if (text.empty()) return;
        fmt::print(stderr, "{}", report::without_heap_words(text));
        std::fflush(stderr);
    }
};

std::string suffix_of(const Request& request) {
    return request.mine == "this" ? "_mine" : request.mine == "all" ? "_mine_all" : "";
}

// The steps that the program of this chapter takes from the learner.
Steps learners_steps(const Session& session, const steps::Chapter& chapter, const Request& request) {
    Steps used;
    for (const steps::Chapter& other : session.tutorial.chapters)
        if (other.number == chapter.number || (request.mine == "all" && other.number < chapter.number))
            used.insert(used.end(), other.steps.begin(), other.steps.end());
    return used;
}

// "on your steps 1.1 … 1.5 (3 of 5 pass, 1 not checked yet)"
void say_whose(const Steps& used, const States& states) {
    if (used.empty()) return;
    std::size_t passed = 0, unchecked = 0;
    for (const steps::Step& step : used) {
        passed += state_of(states, step) == State::passed ? 1 : 0;
        unchecked += state_of(states, step) == State::unchecked ? 1 : 0;
    }
    const std::string begin = used.size() > 1 ? used.front().id() + " … " : "";
    const std::string more = unchecked > 0 ? fmt::format(", {} not checked yet", unchecked) : "";
    fmt::print("on your steps {}{} ({} of {} pass{})\n", begin, used.back().id(), passed, used.size(), more);
}

// Runs the program in the caller's folder. Its exit code.
int run_program(const Session& session, const std::string& name, const fs::path& plots,
                const Request& request) {
    const Extra extra = read_extra(request.extra);
    Command command;
    command.words = {(session.tutorial.root / program_folder / name).string()};
    if (!extra.plots) command.words.insert(command.words.end(), {"--plots", plots.string()});
    command.words.insert(command.words.end(), request.extra.begin(), request.extra.end());
    command.folder = session.caller;
    command.output = Command::Output::errors_piped;
    command.own_group = false;
    Errors errors;
    Listener listener;
    listener.output = [&](std::string_view block) { errors.read(block); };
    const report::Ending ending = run(command, listener);
    errors.finish();
    if (ending.kind == report::Ending::Kind::signal)
        fmt::print(stderr, "tutorial: the program of chapter {} crashed: {}\n", name.substr(0, 2),
                   report::crash_cause(ending.code, errors.kept()));
    return exit_code(ending);
}

// As the caller would name the folder.
std::string shown_from(const fs::path& caller, const fs::path& folder) {
    const std::string name = folder.string(), prefix = caller.string() + "/";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// Of these programs the first that there is shows a file in the browser: Linux, macOS, Windows' Linux.
void open_in_browser(const std::vector<fs::path>& pages) {
    std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
    std::vector<fs::path> path;
    for (std::string folder; std::getline(folders, folder, ':');) path.emplace_back(folder);
    for (const char* opener : {"xdg-open", "open", "wslview"}) {
        for (const fs::path& folder : path) {
            std::error_code absent;
            if (!fs::exists(folder / opener, absent)) continue;
            for (const fs::path& page : pages)
                (void)run({.words = {(folder / opener).string(), page.string()}});
            return;
        }
    }
    fmt::print("--open found no xdg-open, open or wslview here; open the page in a browser yourself.\n");
}

}  // namespace

int run_programs(const Session& session, const Request& request) {
    const std::vector<steps::Chapter> chapters = chosen_chapters(session, request.words);
    const Extra extra = read_extra(request.extra);
    std::vector<std::string> targets;
    std::vector<fs::path> pages;
    for (const steps::Chapter& chapter : chapters) targets.push_back(chapter.folder + suffix_of(request));
    build_all_of(session, targets);
    const States states = request.mine.empty() ? States() : read_states(session);
    Steps used;
    int code = 0;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        if (!request.mine.empty() && !extra.help) {
            const Steps own = learners_steps(session, chapters[i], request);
            say_whose(own, states);
            for (const steps::Step& step : own)
                if (std::none_of(used.begin(), used.end(),
                                 [&](const steps::Step& other) { return other.name == step.name; }))
                    used.push_back(step);
        }
        const fs::path plots =
            extra.plots ? session.caller / *extra.plots : session.tutorial.root / "plots" / targets[i];
        const int own_code = run_program(session, targets[i], plots, request);
        if (own_code != 0) code = own_code;
        const fs::path page = plots / "index.html";
        if (own_code == 0 && !extra.help && fs::exists(page)) pages.push_back(page);
    }
    std::vector<std::string> names;
    for (const fs::path& page : pages) names.push_back(shown_from(session.caller, page));
    if (!pages.empty()) fmt::print("\nLook at it in a browser: {}\n", fmt::join(names, " "));
    if (request.open && !pages.empty()) open_in_browser(pages);
    say_open(session, states, used);
    return code;
}

}  // namespace tfs::tutorial
