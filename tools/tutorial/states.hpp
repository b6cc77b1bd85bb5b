// tools/tutorial/states.hpp · how far the learner is with each step
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
    std::string fingerprint;  // of the learner's file, when it was read
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

}  // namespace tfs::tutorial
