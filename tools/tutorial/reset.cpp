// tools/tutorial/reset.cpp · ./tutorial reset: the untouched stub again
#include <fmt/format.h>

#include "tools/steps/gaps.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"

namespace tfs::tutorial {

namespace {

fs::path keep(const steps::Step& step) {
    const fs::path kept = memory::new_backup(step.folder + "/" + step.name, ".cpp");
    try {
        steps::write_text(kept, steps::read_text(step.exercise()));
    } catch (const steps::Error&) {
        throw Refusal(fmt::format("cannot keep your version in {}, so nothing was changed.", kept.string()));
    }
    return kept;
}

}  // namespace

int reset(const Session& session, const steps::Step& step) {
    memory::require_writable(session.tutorial);
    const State state = state_of(read_states(session), step);
    const std::string file = step.exercise().string();
    if (state == State::stub) {
        memory::forget(step);
        say(session.terminal, file + " is the untouched stub already: nothing to reset.");
        return 0;
    }
    const fs::path kept = state == State::missing ? fs::path() : keep(step);
    steps::write_text(step.exercise(),
                      steps::exercise_of(steps::read_text(step.solution()), step.solution().string()));
    memory::forget(step);
    say(session.terminal, file + " is the stub again.");
    if (!kept.empty()) say(session.terminal, "Your version is kept in " + kept.string());
    return 0;
}

}  // namespace tfs::tutorial
