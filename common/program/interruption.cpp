// common/program/interruption.cpp · Ctrl-C asks a long computation to end early
#include "common/program/interruption.hpp"

#include <csignal>
#include <ctime>

namespace tfs {

namespace {

volatile std::sig_atomic_t interrupted = 0;
std::timespec first{};

// ./tutorial passes the signal on to its program, which has it from the keyboard already: what follows at once is the same
// Ctrl-C once more.
void note(int signal) {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto since = static_cast<double>(now.tv_sec - first.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - first.tv_nsec);
    if (interrupted != 0 && since > 0.5) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    if (interrupted == 0) first = now;
    interrupted = 1;
    std::signal(signal, note);
}

}  // namespace

void hold_interruptions() { std::signal(SIGINT, note); }
bool is_interrupted() { return interrupted != 0; }

}  // namespace tfs
