// tools/tutorial/signals.cpp · Ctrl-C, without a handler
#include "tools/tutorial/signals.hpp"

namespace tfs::tutorial {

namespace {

constexpr int held[] = {SIGINT, SIGTERM, SIGHUP};

sigset_t held_set() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : held) sigaddset(&set, signal);
    return set;
}

}  // namespace

HeldSignals::HeldSignals() {
    const sigset_t set = held_set();
    ::sigprocmask(SIG_BLOCK, &set, &before_);
}

HeldSignals::~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

int HeldSignals::arrived() const {
    sigset_t waiting;
    ::sigpending(&waiting);
    for (const int signal : held) {
        if (sigismember(&waiting, signal) != 1) continue;
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signal);
        int taken = 0;
        ::sigwait(&one, &taken);
        return taken;
    }
    return 0;
}

void HeldSignals::release_all() {
    const sigset_t set = held_set();
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace tfs::tutorial
