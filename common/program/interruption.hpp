// common/program/interruption.hpp · Ctrl-C asks a long computation to end early
#pragma once

namespace tfs {

// From here on the first Ctrl-C does not end the program: is_interrupted() then says true. A second one ends it.
void hold_interruptions();
[[nodiscard]] bool is_interrupted();

}  // namespace tfs
