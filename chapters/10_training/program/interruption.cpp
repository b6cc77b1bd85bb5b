// chapters/10_training/program/interruption.cpp · Ctrl-C asks a training to end after its step
#include "chapters/10_training/program/interruption.hpp"

namespace tfs {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() : before_(std::signal(SIGINT, note)) { interrupted = 0; }
Interruption::~Interruption() { std::signal(SIGINT, before_); }
bool Interruption::asked() { return interrupted != 0; }

}  // namespace tfs
