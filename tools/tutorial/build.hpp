// tools/tutorial/build.hpp · packages, configuring, building; the kernels of OpenBLAS that the programs compute with
#pragma once

#include <string>
#include <vector>

#include "tools/tutorial/build_log.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

inline const fs::path build_folder = "build/release";
inline const fs::path program_folder = build_folder / "bin";

// Two commands may run at the same time; their builds take turns. Waits for another build; Interrupted or Stopped where something
// else comes first. The lock ends with what is returned, and with the runner, in whatever way that ends.
[[nodiscard]] Descriptor locked(const fs::path& folder, const Stop& stop);

struct Build {
    bool complete = false;  // all was built
    std::string output = {};
    std::vector<Edge> edges = {};

    bool some_edge_failed() const;
};

// Installs what is missing, or names it and ends the command. `more`: "--play".
void ask_for_packages(const Session& session, const std::vector<std::string>& more = {});

// Was this folder configured for sources that are elsewhere, before the tutorial moved? CMake refuses to go on there.
bool configured_elsewhere(const fs::path& build, const fs::path& sources);

// Asks for the packages, configures where needed, and builds the targets. Goes on after an error, so that one step does
// not hide another. Keeps the output in .tutorial/build.log, and the warnings in the learner's files. What this process starts
// then computes with good kernels. Refusal where it can't come to a build at all.
Build build(const Session& session, const std::vector<std::string>& targets, const Stop& stop = {});

// Prints the errors, or the end of the output where none is recognised, and says where all of it is.
[[noreturn]] void give_up(const Build& build, int code);

// The same; does not come back where something could not be built.
void build_all_of(const Session& session, const std::vector<std::string>& targets);

// OpenBLAS takes kernels for the processor when a program begins. A processor that is newer than the library it may take for one
// of 2004: products are right then, and take three to five times as long. This program, which is built with whatever is built
// (tools/blas/kernels.cpp), says what it took, and which better ones the processor can run.
inline constexpr const char* kernels_target = "blas_kernels";

// Where OpenBLAS takes old kernels, sets OPENBLAS_CORETYPE to better ones for all that this process starts from now on. What the
// learner has set stays. Call it after a build.
void choose_kernels(const Stop& stop);

// "Kernels of OpenBLAS 0.3.21: Haswell, as the library chooses." For --version.
std::string kernels_in_words();

}  // namespace tfs::tutorial
