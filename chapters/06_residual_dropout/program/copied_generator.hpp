// chapters/06_residual_dropout/program/copied_generator.hpp · a generator that is copied draws the same mask at every call
#pragma once

#include "common/program.hpp"

namespace tfs {

// The mean over many calls comes to the value of evaluation, unless every call draws the same mask. Prints a table.
void measure_copied_generator(Show& show);

}  // namespace tfs
