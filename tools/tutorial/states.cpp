// tools/tutorial/states.cpp
#include "tools/tutorial/states.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "tools/steps/gaps.hpp"

namespace tfs::tutorial {

namespace {

struct Words {
    State state;
    const char *shown, *kept;  // in .tutorial/checks; null: is not kept
};
constexpr Words words[] = {{State::missing, "missing", nullptr},
                           {State::stub, "not started", nullptr},
                           {State::unchecked, "not checked yet", nullptr},
                           {State::unfinished, "unfinished", "unfinished"},
                           {State::passed, "passed", "passed"},
                           {State::failed, "failed", "failed"},
                           {State::unbuilt, "does not compile", "unbuilt"}};

const Words& words_of(State state) { return words[static_cast<std::size_t>(state)]; }

fs::path file_of(const char* kind, const std::string& name) { return memory::folder / kind / name; }

steps::Lines lines_of(const fs::path& file) {
    try {
        return steps::split_lines(steps::read_text(file));
    } catch (const steps::Error&) {
        return {};
    }
}

std::string first_line_of(const fs::path& file) {
    const steps::Lines lines = lines_of(file);
    return lines.empty() ? "" : lines.front();
}

// FNV-1a, and the size.
std::string fingerprint_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return fmt::format("{:016x}-{}", hash, text.size());
}

// What of ours a step is checked against: the contract of its chapter and the step's own tests.
std::string checked_against(const steps::Tutorial& tutorial, const steps::Step& step) {
    std::vector<fs::path> files{tutorial.root / "tests" / step.folder / (step.name + "_test.cpp")};
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(tutorial.root / "chapters" / step.folder, absent))
        if (entry.path().extension() == ".hpp" && !steps::is_left_by_others(entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string texts;
    for (const fs::path& file : files)
        if (fs::is_regular_file(file, absent)) texts += steps::read_text(file);
    return fingerprint_of(texts);
}

// An editor may have turned the ends of lines into "\r\n", and the step may have got another number, difficulty or time
// since the stub was made: that is no work of the learner.
bool is_stub(const steps::Step& step, const std::string& text) {
    const steps::Lines lines = steps::split_lines(text);
    steps::Lines solution = steps::split_lines(steps::read_text(step.solution()));
    const auto banner = steps::parse_banner(lines.empty() ? "" : lines[0]);
    if (banner && banner->name == step.name) solution[0] = lines[0];
    return steps::join_lines(lines) ==
           steps::exercise_of(steps::join_lines(solution), step.solution().string());
}

Known read_state(const steps::Tutorial& tutorial, const steps::Step& step) {
    std::error_code absent;
    if (!fs::is_regular_file(step.exercise(), absent)) return {};
    const std::string text = steps::read_text(step.exercise());
    Known known{State::unchecked, fingerprint_of(text) + " " + checked_against(tutorial, step)};
    for (const std::string& line : lines_of(file_of("checks", step.name))) {
        const std::size_t end = line.find(' '), next = line.find(' ', end + 1);
        if (!line.ends_with(" " + known.fingerprint) || next == std::string::npos) continue;
        known.checked = line.substr(end + 1, next - end - 1);
        for (const Words& one : words)
            if (one.kept != nullptr && line.substr(0, end) == one.kept) known.state = one.state;
        break;
    }
    if (is_stub(step, text)) known.state = State::stub;
    return known;
}

std::string time_now() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

bool not_passed(const States& states, const steps::Step& step) {
    return !step.optional && state_of(states, step) != State::passed;
}

template <class Asked>
const steps::Step* first_that(const Steps& steps, const Asked& asked) {
    const auto found = std::find_if(steps.begin(), steps.end(), asked);
    return found == steps.end() ? nullptr : &*found;
}

}  // namespace

std::string in_words(State state) { return words_of(state).shown; }

States read_states(const Session& session) {
    States states;
    for (const steps::Step& step : session.tutorial.steps())
        states[step.name] = read_state(session.tutorial, step);
    return states;
}

void remember(States& states, const steps::Step& step, State result) {
    Known& known = states.at(step.name);
    known.state = result;
    if (words_of(result).kept == nullptr) return;
    const fs::path file = file_of("checks", step.name);
    steps::Lines lines = {fmt::format("{} {} {}", words_of(result).kept, time_now(), known.fingerprint)};
    for (const std::string& line : lines_of(file))
        if (result != State::passed && line.starts_with("passed ") &&
            !line.ends_with(" " + known.fingerprint))
            lines.push_back(line);
    steps::write_text(file, steps::join_lines(lines));
}

const steps::Step* first_open(const States& states, const Steps& steps) {
    return first_that(steps, [&](const steps::Step& step) { return not_passed(states, step); });
}

const steps::Step* first_begun(const States& states, const Steps& steps) {
    return first_that(steps, [&](const steps::Step& step) {
        return not_passed(states, step) && state_of(states, step) != State::stub;
    });
}

namespace memory {

void require_writable(const steps::Tutorial& tutorial) {
    bool writable = true;
    for (const char* kind : {"checks", "hints", "warnings", ""}) {
        std::error_code failure;
        fs::create_directories(folder / kind, failure);
        writable = writable && !failure && ::access((folder / kind).c_str(), W_OK) == 0;
    }
    if (writable) return;
    throw Refusal(fmt::format("cannot write to {}; is the folder yours?", (tutorial.root / folder).string()));
}

std::size_t hints_shown(const steps::Step& step) {
    return std::strtoul(first_line_of(file_of("hints", step.name)).c_str(), nullptr, 10);
}

void remember_hints(const steps::Step& step, std::size_t shown) {
    steps::write_text(file_of("hints", step.name), fmt::format("{}\n", shown));
}

steps::Lines warnings_of(const steps::Step& step) { return lines_of(file_of("warnings", step.name)); }

void remember_warnings(const steps::Step& step, const steps::Lines& warnings) {
    std::error_code absent;
    if (warnings.empty())
        fs::remove(file_of("warnings", step.name), absent);
    else
        steps::write_text(file_of("warnings", step.name), steps::join_lines(warnings));
}

std::string last_step() { return first_line_of(folder / "last"); }

bool last_was_shown() { return lines_of(folder / "last").size() > 1; }

void remember_last(const steps::Step& step, bool shown) {
    steps::write_text(folder / "last", step.name + (shown ? "\nshown\n" : "\n"));
}

fs::path new_backup(const std::string& name, const std::string& ending) {
    const std::time_t now = std::time(nullptr);
    char time[32];
    std::strftime(time, sizeof time, ".%Y-%m-%d_%H%M%S", std::localtime(&now));
    std::string path = (folder / "backup" / name).string() + time;
    while (fs::exists(path + ending)) path += 'x';
    return path + ending;
}

void forget(const steps::Step& step) {
    std::error_code absent;
    for (const char* kind : {"hints", "warnings"}) fs::remove(file_of(kind, step.name), absent);
}

}  // namespace memory

}  // namespace tfs::tutorial
