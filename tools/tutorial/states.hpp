// tools/tutorial/states.hpp · how far the learner is with each step, and what is remembered from one command to the next
//
//     checks/softmax      the result of the last check, when that was, the fingerprint of the file that was checked, and that of
//                         what it was checked against; in a second line the same of the last check that passed, if that is another one
//     hints/softmax       how many hints were shown
//     warnings/softmax    what the compiler warned of when it compiled the file
//     last                the step that was checked last, or shown by watch; then a second line says so
//     backup/01_attention/softmax.DATE_TIME.cpp, backup/update.DATE_TIME/, and logs
//     updating/           copies of what she wrote, while an update is not finished
//
// Steps are known by their names, which stay when steps are numbered anew. Reading never fails: where nothing is
// remembered, the result is empty.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

enum class State { missing, stub, unchecked, unfinished, passed, failed, unbuilt };

// "not started", "not checked yet", …
std::string in_words(State state);

struct Known {
    State state = State::missing;
    std::string fingerprint =
        {};                    // of the learner's file, when it was read, and of what it is checked against
    std::string checked = {};  // when it was, as 2026-01-31T23:59:59Z (UTC); empty where it was not
};

// By the name of the step.
using States = std::map<std::string, Known>;

// Compares the learner's files with the stubs and with what was checked last.
States read_states(const Session& session);

inline State state_of(const States& states, const steps::Step& step) { return states.at(step.name).state; }

// Whether the learner leaves this step out, as she may.
inline bool left_out(const States& states, const steps::Step& step) {
    return step.optional && state_of(states, step) == State::stub;
}

// Notes the result of a check, also for the next command.
void remember(States& states, const steps::Step& step, State result);

using Steps = std::vector<steps::Step>;

// The first step that does not pass; no optional one. Null where all pass.
const steps::Step* first_open(const States& states, const Steps& steps);
// The first step that was begun and does not pass; no optional one.
const steps::Step* first_begun(const States& states, const Steps& steps);

namespace memory {

inline const fs::path folder = ".tutorial";

// Refusal where nothing can be remembered here.
void require_writable(const steps::Tutorial& tutorial);

std::size_t hints_shown(const steps::Step& step);
void remember_hints(const steps::Step& step, std::size_t shown);

steps::Lines warnings_of(const steps::Step& step);
void remember_warnings(const steps::Step& step, const steps::Lines& warnings);

std::string last_step();
bool last_was_shown();  // by watch, from where she goes on there
void remember_last(const steps::Step& step, bool shown = false);

// A file or folder for a backup that does not exist yet: "01_attention/softmax" and ".cpp".
fs::path new_backup(const std::string& name, const std::string& ending = "");

// The hints and the warnings. A file that passed and comes back from a backup still passes.
void forget(const steps::Step& step);

}  // namespace memory

}  // namespace tfs::tutorial
