// tools/tutorial/states.cpp · how far the learner is with each step
#include "tools/tutorial/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "tools/steps/gaps.hpp"
#include "tools/tutorial/memory.hpp"

namespace tfs::tutorial {

namespace {

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

// What is kept in .tutorial/checks.
const std::map<std::string, State>& results() {
    static const std::map<std::string, State> words = {{"passed", State::passed},
                                                       {"failed", State::failed},
                                                       {"unfinished", State::unfinished},
                                                       {"unbuilt", State::unbuilt}};
    return words;
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
    const std::string fingerprint = fingerprint_of(text) + " " + checked_against(tutorial, step);
    if (is_stub(step, text)) return {State::stub, fingerprint};
    const auto result = results().find(memory::result_of(step, fingerprint));
    return {result == results().end() ? State::unchecked : result->second, fingerprint};
}

}  // namespace

std::string in_words(State state) {
    switch (state) {
        case State::missing:
            return "missing";
        case State::stub:
            return "not started";
        case State::unchecked:
            return "not checked yet";
        case State::unfinished:
            return "unfinished";
        case State::passed:
            return "passed";
        case State::failed:
            return "failed";
        case State::unbuilt:
            return "does not compile";
    }
    return "";
}

States read_states(const Session& session) {
    States states;
    for (const steps::Step& step : session.tutorial.steps())
        states[step.name] = read_state(session.tutorial, step);
    return states;
}

void remember(States& states, const steps::Step& step, State result) {
    Known& known = states.at(step.name);
    known.state = result;
    for (const auto& [word, state] : results())
        if (state == result) memory::remember_result(step, word, known.fingerprint);
}

const steps::Step* first_open(const States& states, const Steps& steps) {
    const auto open = [&](const steps::Step& step) {
        return !step.optional && state_of(states, step) != State::passed;
    };
    const auto found = std::find_if(steps.begin(), steps.end(), open);
    return found == steps.end() ? nullptr : &*found;
}

const steps::Step* first_begun(const States& states, const Steps& steps) {
    const auto begun = [&](const steps::Step& step) {
        return !step.optional && state_of(states, step) != State::passed &&
               state_of(states, step) != State::stub;
    };
    const auto found = std::find_if(steps.begin(), steps.end(), begun);
    return found == steps.end() ? nullptr : &*found;
}

}  // namespace tfs::tutorial
