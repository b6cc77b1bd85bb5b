// tools/tutorial/run_programs.cpp · ./tutorial run: the programs of the chapters
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "common/terminal/display.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/run_programs.hpp"

namespace tfs::tutorial {

namespace {

// What the learner gave to the program that matters here, too.
struct Extra {
    std::optional<std::string> plots, section;  // or an experiment
    bool alone =
        false;  // what the program prints is for another program, or its help: nothing else stands beside it
};

Extra read_extra(const std::vector<std::string>& words) {
    Extra extra;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--plots") extra.plots = i + 1 < words.size() ? words[i + 1] : "";
        if (words[i].starts_with("--plots=")) extra.plots = words[i].substr(8);
        for (const std::string flag : {"--section", "--experiment"}) {
            if (words[i] == flag && i + 1 < words.size()) extra.section = words[i + 1];
            if (words[i].starts_with(flag + "=")) extra.section = words[i].substr(flag.size() + 1);
        }
        for (const char* flag : {"--help", "-h", "--json", "--list", "--request"})
            if (words[i] == flag) extra.alone = true;
    }
    return extra;
}

std::string suffix_of(const Request& request) {
    return request.mine == "this"  ? "_mine"
           : request.mine == "all" ? "_mine_all"
           : request.mine.empty()  ? ""
                                   : mine_passed_suffix;
}

// Whether the models of a chapter can attend with the steps of a later one (chapters/13_long_inputs/in_models.cpp).
bool attends_with(const steps::Chapter& chapter, const steps::Chapter& later) {
    return chapter.number >= 7 && chapter.number < 13 && later.number == 13;
}

// A step that was saved while it was built may pass no more.
void require_unchanged(const Session& session, const States& states) {
    const States now = read_states(session);
    for (const steps::Step& step : session.tutorial.steps())
        if (state_of(states, step) == State::passed && state_of(now, step) != State::passed)
            throw Refusal(
                fmt::format("step {} was saved meanwhile: ./tutorial check {}", step.id(), step.id()));
}

// "your steps 1.1 … 1.6 (3 of 6 pass, 1 not checked yet)"; "1.1 … 7.4 and 13.1 … 13.6" where a later chapter has some; empty where
// the program takes none.
std::string in_words(const Steps& used, const States& states, const steps::Chapter& chapter) {
    if (used.empty()) return {};
    std::size_t passed = 0, unchecked = 0;
    for (const steps::Step& step : used) {
        passed += state_of(states, step) == State::passed ? 1 : 0;
        unchecked += state_of(states, step) == State::unchecked ? 1 : 0;
    }
    std::string ids;
    const auto later = std::find_if(used.begin(), used.end(),
                                    [&](const steps::Step& step) { return step.chapter > chapter.number; });
    for (const auto& [begin, end] : {std::pair(used.begin(), later), {later, used.end()}})
        if (begin != end)
            ids +=
                (ids.empty() ? "" : " and ") + (end - begin > 1 ? begin->id() + " … " : "") + (end - 1)->id();
    const std::string more = unchecked > 0 ? fmt::format(", {} not checked yet", unchecked) : "";
    return fmt::format("your steps {} ({} of {} pass{})", ids, passed, used.size(), more);
}

// A run of the program of a chapter.
struct Run {
    steps::Chapter chapter;
    std::string name;               // "01_attention_mine"
    Steps own;                      // what it takes from the learner
    std::optional<fs::path> plots;  // empty: where the learner's own --plots says
};

void build_all(const Session& session, const Request& request, const States& states,
               const std::vector<Run>& runs) {
    const bool passed = request.mine == "passed";
    std::vector<std::string> targets;
    for (const Run& one : runs) {
        const std::vector<std::string> its =
            passed ? targets_of_mine_passed(one.chapter, one.own) : std::vector{one.name};
        targets.insert(targets.end(), its.begin(), its.end());
        if (session.for_play) targets.push_back("checks_" + one.chapter.folder);
    }
    build_all_of(session, targets);
    if (passed) require_unchanged(session, states);
    for (const Run& one : runs)
        if (passed) link_mine_passed(session.tutorial, one.chapter, one.own);
}

// Runs the program in the caller's folder. Its exit code.
int run_program(const Session& session, const Request& request, const Run& one, const std::string& whose) {
    const fs::path& root = session.tutorial.root;
    Command command;
    command.words = {(root / program_folder / one.name).string()};
    if (!whose.empty())
        command.words.insert(command.words.end(),
                             {"--whose", whose, "--beside", (root / "plots" / one.chapter.folder).string()});
    if (one.plots) command.words.insert(command.words.end(), {"--plots", one.plots->string()});
    command.words.insert(command.words.end(), request.extra.begin(), request.extra.end());
    command.folder = session.caller;
    // Threads that wait spin for some microseconds before they sleep. A training on a quiet machine is then 3 % slower than
    // with threads that always spin, and 4 % faster than with threads that sleep at once (what `tutorial` sets). On busy
    // cores it takes 1.1 to 1.8 times as long as with threads that sleep, where threads that spin take 3 to 4 times as long.
    if (::getenv("GOMP_SPINCOUNT") == nullptr) command.environment = {"GOMP_SPINCOUNT=1000"};
    command.output = Command::Output::inherited;
    command.own_group = false;
    const verdict::Ending ending = run(command);
    if (ending.kind == verdict::Ending::Kind::signal)
        fmt::print(stderr, "tutorial: the program of chapter {} crashed: {}\n", one.chapter.padded(),
                   verdict::crash_cause(ending.code, "what stands above"));
    return exit_code(ending);
}

// Whether the program was built from all that is in these folders now.
bool is_newer_than(const fs::path& program, const std::vector<fs::path>& folders) {
    std::error_code absent;
    const auto built = fs::last_write_time(program, absent);
    if (absent) return false;
    for (const fs::path& folder : folders)
        for (const auto& entry : fs::directory_iterator(folder, absent))
            if (entry.last_write_time(absent) > built) return false;
    return true;
}

// The texts of the files in these folders.
std::string texts_in(const std::vector<fs::path>& folders) {
    std::string texts;
    std::error_code absent;
    for (const fs::path& folder : folders)
        for (const auto& entry : fs::directory_iterator(folder, absent))
            if (entry.is_regular_file()) texts += steps::read_text(entry.path());
    return texts;
}

// Whether the text has this flag, "--text": not as the beginning of a longer one.
bool has_flag(const std::string& text, const std::string& flag) {
    for (std::size_t at = 0; (at = text.find(flag, at)) != std::string::npos; ++at) {
        const auto next = static_cast<unsigned char>(text.c_str()[at + flag.size()]);
        if (std::isalnum(next) == 0 && next != '-') return true;
    }
    return false;
}

// Refuses words for the program before anything is built, as far as they are known to be wrong: a built program of the chapter is
// asked, which with --list checks all its options; else flags and a section must at least stand somewhere in the sources.
void refuse_wrong_words(const Session& session, const steps::Chapter& chapter, const Extra& extra,
                        const std::vector<std::string>& words) {
    if (words.empty() || extra.alone) return;
    const fs::path program = session.tutorial.root / program_folder / chapter.folder,
                   sources = session.tutorial.root / "chapters" / chapter.folder / "program";
    const std::vector<fs::path> folders = {sources, session.tutorial.root / "common/program"};
    if (is_newer_than(program, folders)) {
        Command command;
        command.words = {program.string(), "--list"};
        command.words.insert(command.words.end(), words.begin(), words.end());
        command.folder = session.caller;
        const Answer answer = ask(command);
        if (answer.code != 2) return;
        fmt::print(stderr, "{}", answer.output);
        throw Exit{2};
    }
    if (!fs::exists(sources)) return;
    const std::string texts = texts_in(folders);
    const auto refuse = [&](const char* kind, const std::string& name, const char* shows) {
        throw Refusal(
            fmt::format("the program of chapter {} has no {} {}; ./tutorial run {} -- {} shows them.",
                        chapter.number, kind, name, chapter.number, shows));
    };
    for (const std::string& word : words)
        if (const std::string flag = word.substr(0, word.find('='));
            flag.starts_with("--") && !has_flag(texts, flag))
            refuse("option", flag, "--help");
    if (extra.section && *extra.section != "all" &&
        texts.find('"' + *extra.section + '"') == std::string::npos)
        refuse("section", *extra.section, "--list");
}

// Before the programs of all chapters are built and run.
void say_all(const Session& session) {
    const std::vector<steps::Chapter>& chapters = session.tutorial.chapters;
    say(session.terminal,
        fmt::format("Building and running the programs of chapters {} to {}: several minutes the first time. "
                    "For one chapter: ./tutorial run 1",
                    chapters.front().padded(), chapters.back().padded()));
    std::fflush(stdout);
}

// As the caller would name the folder.
std::string shown_from(const fs::path& caller, const fs::path& folder) {
    const std::string name = folder.string(), prefix = caller.string() + "/";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace

Steps learners_steps(const steps::Tutorial& tutorial, const steps::Chapter& chapter, const std::string& mine,
                     const States& states) {
    Steps used;
    for (const steps::Chapter& other : tutorial.chapters)
        if (other.number == chapter.number || (mine != "this" && other.number < chapter.number) ||
            (mine == "passed" && attends_with(chapter, other) && first_open(states, other.steps) == nullptr))
            used.insert(used.end(), other.steps.begin(), other.steps.end());
    std::erase_if(used, [&](const steps::Step& step) { return left_out(states, step); });
    if (mine == "passed")
        std::erase_if(used, [&](const steps::Step& step) { return state_of(states, step) != State::passed; });
    return used;
}

int run_programs(const Session& session, const Request& request) {
    require_format(request.format);
    const std::vector<steps::Chapter> chapters = chosen_chapters(session, request.words);
    const Extra extra = read_extra(request.extra);
    if (chapters.size() == 1)  // of several, some may know the words
        refuse_wrong_words(session, chapters[0], extra, request.extra);
    const bool own_folder = extra.plots && chapters.size() == 1;  // else each has one below `folder`
    const fs::path folder = extra.plots ? session.caller / *extra.plots : session.tutorial.root / "plots";
    if (request.words.empty() && !extra.alone) say_all(session);
    const States states = request.mine.empty() ? States() : read_states(session);
    std::vector<Run> runs;
    for (const steps::Chapter& chapter : chapters) {
        runs.push_back({chapter, chapter.folder + suffix_of(request), {}, std::nullopt});
        if (!own_folder) runs.back().plots = folder / runs.back().name;
        if (!request.mine.empty())
            runs.back().own = learners_steps(session.tutorial, chapter, request.mine, states);
    }
    build_all(session, request, states, runs);
    Steps used;
    std::vector<fs::path> pages;
    int code = 0;
    for (const Run& one : runs) {
        for (const steps::Step& step : one.own)
            if (std::none_of(used.begin(), used.end(),
                             [&](const steps::Step& other) { return other.name == step.name; }))
                used.push_back(step);
        const std::string whose = in_words(one.own, states, one.chapter);
        if (!whose.empty() && !extra.alone) fmt::print("on {}\n", whose);
        if (whose.empty() && request.mine == "passed" && !extra.alone)
            fmt::print("on the solutions: no step passes yet\n");
        const fs::file_time_type begin =
            fs::file_time_type::clock::now() - std::chrono::seconds(1);  // clocks of disks differ
        const int own_code = run_program(session, request, one, whose);
        if (own_code != 0) code = own_code;
        const fs::path page = one.plots.value_or(folder) / "index.html";
        if (own_code != 0 || !fs::exists(page)) continue;
        if (fs::last_write_time(page) < begin) continue;  // of an earlier run: this one drew nothing
        pages.push_back(page);
        if (!request.format.empty()) convert_pictures(page.parent_path(), request.format);
    }
    if (!pages.empty()) {
        const fs::path overview = own_folder ? pages[0] : write_overview(folder);
        const fs::path& page = pages.size() > 1 ? overview : pages[0];
        if (!extra.alone)
            fmt::print("\nLook at it in a browser: {}\n", harmless(shown_from(session.caller, page)));
        if (request.open) open_in_browser(page);
    }
    if (!extra.alone && !session.leads) say_open(session, states, used);
    return code;
}

}  // namespace tfs::tutorial
