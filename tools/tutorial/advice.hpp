// tools/tutorial/advice.hpp · what the learner may do next
#pragma once

#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

// "Next: …": this step if it is open; or what was begun in its chapter; or the next open step, of this chapter first,
// then of later ones, and only then of earlier ones.
void say_next(const Session& session, const States& states, const steps::Step& step);

// Names the chapters of these steps that are done.
void say_done(const Session& session, const States& states, const Steps& steps);

// The first three of these steps that do not pass.
void say_open(const Session& session, const States& states, const Steps& steps);

}  // namespace tfs::tutorial
