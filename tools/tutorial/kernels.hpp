// tools/tutorial/kernels.hpp · the kernels of OpenBLAS that the programs compute with
//
// OpenBLAS takes kernels for the processor when a program begins. A processor that is newer than the library it may take for one
// of 2004: products are right then, and take three to five times as long. tools/blas/kernels.cpp says what it took, and tries
// better ones. What comes of it is kept beside the build, by processor and library.
#pragma once

#include <string>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// Built with whatever is built.
inline constexpr const char* kernels_target = "blas_kernels";

// Where OpenBLAS takes old kernels and better ones are right and faster, sets OPENBLAS_CORETYPE for all that this process starts
// from now on, and the first time says so. What the learner has set stays. Call it after a build, with its lock.
void choose_kernels(const Stop& stop);

// "Kernels of OpenBLAS 0.3.21: Haswell, as the library chooses." For --version; tries and writes nothing.
std::string kernels_in_words();

}  // namespace tfs::tutorial
