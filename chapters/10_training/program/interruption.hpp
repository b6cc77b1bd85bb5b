// chapters/10_training/program/interruption.hpp · Ctrl-C asks a training to end after its step
#pragma once

namespace tfs {

// From here on the first Ctrl-C does not end the program: is_interrupted() then says true. A second one ends it.
void hold_interruptions();
[[nodiscard]] bool is_interrupted();

}  // namespace tfs
